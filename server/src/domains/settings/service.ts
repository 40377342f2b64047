/** Reads and writes the settings of the deployment. */
import { decide } from '@waybill/contract/ground/access'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { contentTypeLabels, paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, parcelStatusLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import {
  isSecretKey,
  isSettingKey,
  mailTransports,
  type OpenKey,
  type SettingKey,
  type SettingValue,
  settingAccess,
  settingKeys,
  settingRules,
} from '@waybill/contract/settings/setting-rules'
import type {
  GeneralSettings,
  getSettings,
  Options,
  putSettings,
  settingsHistory,
} from '@waybill/contract/settings/settings'
import { safeParse } from 'zod/mini'
import { listActivities, recordActivity } from '../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AnyCaller, StaffCaller } from '../../http/caller.ts'
import { AppError, ContractError, type FieldProblem, validationError } from '../../http/errors.ts'
import { addJob } from '../../jobs/jobs.ts'
import { reseal, seal, sha256 } from '../../lib/crypto.ts'
import { banks } from './banks.ts'
import { type Settings, sealPurpose, settingsTopic } from './load-settings.ts'
import { requireCompleteMethods } from './login-methods.ts'
import { paymentMethodsFor } from './payment-methods.ts'
import { countryChoices, labelledChoices, logoAddress, presentGeneral, presentOptions } from './present.ts'
import { listSettingRows, listWrittenSettings, lockSettings, upsertSetting } from './queries.ts'
import { findSettingConflicts } from './rules.ts'
import type { Choice, SelectorCall, Selectors } from './selectors.ts'

/** The general settings, with an ETag that changes with their content. */
export function generalSettings(deps: Deps): { etag: string; body: GeneralSettings } {
  const body = presentGeneral(deps.settings, deps.config)
  return { etag: `"${sha256(JSON.stringify(body)).toString('base64url').slice(0, 22)}"`, body }
}

/** The name of the installed web app, and the colour of its frame. */
export const getBrand = ({ settings }: Pick<Deps, 'settings'>): { name: string; colour: string } => ({
  name: settings.get('app.name'),
  colour: settings.get('ui.primaryColour'),
})

/** The options of forms. The available payment methods depend on the caller. */
export function readOptions(deps: Deps, caller: AnyCaller): Options {
  return presentOptions(deps.settings, paymentMethodsFor(caller))
}

/**
 * Re-encrypts secrets of a previous SECRET_KEY with the current one, so that the previous key can be dropped. Call it
 * at every start; usually it does nothing. Secrets that no key decrypts stay unchanged.
 */
export async function resealSecrets(deps: Deps): Promise<void> {
  const { keys, db, clock } = deps
  if (deps.config.previousSecretKeys.length === 0) return
  await tx(db, async (trx) => {
    await lockSettings(trx)
    for (const { key, value } of await listSettingRows(trx)) {
      if (!isSettingKey(key) || !isSecretKey(key) || typeof value !== 'string') continue
      const resealed = reseal(keys, sealPurpose, value)
      if (resealed !== null) await upsertSetting(trx, key, resealed, null, clock.now())
    }
  })
}

/** Drop-downs that need only settings and enumerations. */
const ownSelectors: Selectors = {
  countries: async (deps, { locale }) => countryChoices(deps.settings, locale),
  'service-types': async (_deps, { locale }) => labelledChoices(serviceTypeLabels, locale),
  'delivery-modes': async (_deps, { locale }) => labelledChoices(deliveryModeLabels, locale),
  'content-types': async (deps, { locale }) =>
    labelledChoices(contentTypeLabels, locale, deps.settings.get('contentTypes')),
  'parcel-statuses': async (_deps, { locale }) => labelledChoices(parcelStatusLabels, locale),
  'payment-methods': async (_deps, { caller, locale }) => {
    const open = paymentMethodsFor(caller).flatMap((state) => (state.open ? [state.method] : []))
    return labelledChoices(paymentMethodLabels, locale, open)
  },
  banks: async (_deps, { locale }) =>
    banks.map(([value, en, cn_zh]) => ({ value, label: locale === 'cn_zh' ? cn_zh : en })),
}

/**
 * The choices of a drop-down of this domain or a higher one. Throws not_found for an unknown name. `search` filters by
 * label.
 */
export async function listChoices(
  deps: Deps,
  selectors: Selectors,
  name: string,
  call: SelectorCall,
): Promise<{ items: Choice[] }> {
  const allSelectors = { ...ownSelectors, ...selectors }
  const selector = Object.hasOwn(allSelectors, name) ? allSelectors[name] : undefined
  if (!selector) throw new AppError('not_found')
  const items = await selector(deps, call)
  const search = call.query.search?.trim().toLowerCase()
  return { items: search ? items.filter(({ label }) => label.toLowerCase().includes(search)) : items }
}

/**
 * The problems of changed settings that only a higher domain can judge. Higher domains' functions, passed in where the
 * routes are registered.
 */
export type SettingCheck = (deps: Deps, trx: Tx, changes: ReadonlyMap<SettingKey, unknown>) => Promise<FieldProblem[]>

/** Links a new logo to its setting. A higher domain's function, passed in where the routes are registered. */
export type LogoChange = (
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  logo: { before: string | null; after: string | null },
) => Promise<void>

/** The URL of the logo for a mail; null: there is none. */
export function logoUrl({ settings, config }: Deps): string | null {
  const address = logoAddress(settings, config)
  return address && new URL(address, config.http.publicUrl).href
}

/** Finds names of staff by id. A higher domain's function, passed in where the routes are registered. */
export type StaffNames = (db: DbOrTx, ids: readonly string[]) => Promise<Map<string, string>>

const listDistinct = (ids: readonly (string | null)[]) => [...new Set(ids.flatMap((id) => id ?? []))]

/** Every setting with its last author, for staff who may change them. For a secret only whether it is set. */
export async function getAllSettings(deps: Deps, findNames: StaffNames): Promise<ResponseOf<typeof getSettings>> {
  const open = settingKeys.flatMap((key) => (isSecretKey(key) ? [] : [[key, deps.settings.get(key)] as const]))
  const secrets = settingKeys.flatMap((key) =>
    isSecretKey(key) ? [[key, deps.settings.secret(key) !== null] as const] : [],
  )
  const rows = (await listWrittenSettings(deps.db)).filter(({ key }) => isSettingKey(key))
  const names = await findNames(deps.db, listDistinct(rows.map(({ updated_by }) => updated_by)))
  return {
    values: Object.fromEntries(open),
    secretsSet: Object.fromEntries(secrets),
    versions: Object.fromEntries(rows.map(({ key, version }) => [key, version])),
    changed: Object.fromEntries(
      rows.map(({ key, updated_at, updated_by }) => [
        key,
        { at: updated_at.toISOString(), by: names.get(updated_by ?? '') ?? null },
      ]),
    ),
  }
}

/** The maximum number of changes in the history. */
const historyLength = 100

/** The latest changes of all settings or of one, newest first. For a secret only that it changed. */
export async function listSettingChanges(
  deps: Deps,
  key: string | undefined,
  findNames: StaffNames,
): Promise<ResponseOf<typeof settingsHistory>> {
  const rows = await listActivities(deps.db, { actions: ['settings.put'], subject: key ?? null }, historyLength)
  const names = await findNames(deps.db, listDistinct(rows.map(({ user_id }) => user_id)))
  return {
    items: rows.map(({ subject, at, user_id, detail }) => ({
      key: subject ?? '',
      at: at.toISOString(),
      by: names.get(user_id ?? '') ?? null,
      from: detail.from ?? null,
      to: detail.to ?? null,
    })),
  }
}

/** When a setting whose key begins with `prefix` was last written; null: never. */
export async function lastSettingChange(db: DbOrTx, prefix: string): Promise<Date | null> {
  const times = (await listWrittenSettings(db)).flatMap(({ key, updated_at }) =>
    key.startsWith(prefix) ? updated_at : [],
  )
  return times.reduce<Date | null>((last, time) => (last === null || time > last ? time : last), null)
}

/** Validates each key by its own rule and reports all problems at once. A nested problem is reported at its key. */
function checkValues(values: Record<string, unknown>): [SettingKey, unknown][] {
  const unknown = Object.keys(values).filter((key) => !isSettingKey(key))
  if (unknown.length > 0) throw validationError(...unknown.map((field) => ({ field, rule: 'unknownField' })))
  const parsed = settingKeys
    .filter((key) => Object.hasOwn(values, key))
    .map((key) => [key, safeParse(settingRules[key], values[key], { reportInput: true })] as const)
  const issues = parsed.flatMap(([key, { error }]) =>
    (error?.issues ?? []).slice(0, 1).map((issue) => ({ ...issue, path: [key] })),
  )
  if (issues.length > 0) throw new ContractError(issues)
  return parsed.map(([key, { data }]) => [key, data])
}

/** Throws forbidden with every key that only the superadmin may write, unless the caller is one. */
function requireSettingAccess(caller: StaffCaller, values: readonly (readonly [SettingKey, unknown])[]): void {
  const refused = values.filter(([key]) => decide(settingAccess(key), caller) !== 'pass')
  if (refused.length === 0) return
  const fields = refused.map(([key]) => ({ field: key, rule: 'superadminOnly' }))
  throw new AppError('forbidden', { text: 'forbidden_setting', fields })
}

/** Refuses changes that contradict other settings or stored data. Throws validation. */
async function requireConsistent(
  deps: Deps,
  trx: Tx,
  changes: ReadonlyMap<SettingKey, unknown>,
  checks: readonly SettingCheck[],
): Promise<void> {
  const after = <K extends OpenKey>(key: K) =>
    changes.has(key) ? (changes.get(key) as SettingValue<K>) : deps.settings.get(key)
  const problems = findSettingConflicts(new Set(changes.keys()), after)
  for (const check of checks) problems.push(...(await check(deps, trx, changes)))
  if (problems.length > 0) throw validationError(...problems)
}

/**
 * Refuses changes of the mail settings after which the selected transport would miss a setting, because every mail
 * would wait. `changes` are the validated values of a request.
 */
function requireCompleteTransport(settings: Settings, changes: ReadonlyMap<SettingKey, unknown>): void {
  if (![...changes.keys()].some((key) => key.startsWith('mail.'))) return
  const transport = changes.get('mail.transport') ?? settings.get('mail.transport')
  const after = (key: SettingKey): unknown => {
    if (changes.has(key)) return changes.get(key)
    return isSecretKey(key) ? settings.secret(key) : settings.get(key)
  }
  const missing = mailTransports[transport as SettingValue<'mail.transport'>].required.filter((key) => !after(key))
  if (missing.length > 0) throw validationError(...missing.map((field) => ({ field, rule: 'required' })))
}

/**
 * Writes settings, all or none. They are audited, and in force in every process after the commit. Stored prices do not
 * change; new settings apply to quotes from now on.
 * @throws AppError forbidden with the keys that only the superadmin may write; validation with one entry per key that
 * is unknown, breaks its rule, contradicts other data or is missing; version_conflict if a key of `versions` was
 * written meanwhile.
 */
export async function writeSettings(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof putSettings>,
  ip: string,
  { changeLogo, checks }: { changeLogo: LogoChange; checks: readonly SettingCheck[] },
): Promise<ResponseOf<typeof putSettings>> {
  const values = checkValues(body.values)
  requireSettingAccess(caller, values)
  requireCompleteMethods(deps.settings, new Map(values))
  requireCompleteTransport(deps.settings, new Map(values))
  const at = deps.clock.now()
  const changes = values.filter(
    ([key, value]) => isSecretKey(key) || JSON.stringify(value) !== JSON.stringify(deps.settings.get(key)),
  )
  if (changes.length === 0) return { changed: [] }
  await tx(deps.db, async (trx) => {
    await lockSettings(trx)
    const versions = new Map((await listWrittenSettings(trx)).map(({ key, version }) => [key, version]))
    const clientVersions = body.versions ?? {}
    const stale = changes.filter(
      ([key]) => clientVersions[key] !== undefined && clientVersions[key] !== (versions.get(key) ?? 0),
    )
    if (stale.length > 0) throw new AppError('version_conflict', { details: { keys: stale.map(([key]) => key) } })
    await requireConsistent(deps, trx, new Map(changes), checks)
    const logo = changes.find(([key]) => key === 'company.logo')
    if (logo) {
      const [before, after] = [deps.settings.get('company.logo'), logo[1] as string | null]
      await changeLogo(deps, trx, caller, { before, after })
    }
    for (const [key, value] of changes) {
      const secret = isSecretKey(key)
      const storedValue = secret && value !== null ? seal(deps.keys.derive(sealPurpose), String(value)) : value
      await upsertSetting(trx, key, storedValue, caller.userId, at)
      await recordActivity(trx, {
        action: 'settings.put',
        level: 'NOTICE',
        userId: caller.userId,
        subject: key,
        detail: secret ? {} : { from: deps.settings.get(key), to: value },
        ip,
        at,
      })
    }
    // The figures of the dashboard are by the deployment's calendar days.
    if (changes.some(([key]) => key === 'timezone'))
      await addJob(trx, 'dashboard:recount', {}, { key: 'dashboard:recount' })
    await deps.live.publish(trx, settingsTopic, {})
  })
  await deps.settings.reload()
  return { changed: changes.map(([key]) => key) }
}
