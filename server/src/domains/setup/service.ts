/** What a new deployment still needs, and the steps that staff confirm manually. */
import { decide } from '@waybill/contract/ground/access'
import type { ConfirmedStep, SetupGap, SetupState, SetupStep } from '@waybill/contract/setup/setup'
import { recordActivity } from '../../activity.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { getVersionsInForce } from '../legal/service.ts'
import { getPriceReadiness } from '../pricing/rate-cards/service.ts'
import { lastSettingChange } from '../settings/service.ts'
import { getNetworkReadiness } from '../stations/manage/service.ts'
import { listConfirmations, upsertConfirmation } from './queries.ts'

function getCompany({ settings }: Deps): SetupState['company'] {
  return {
    name: settings.get('company.name'),
    address: settings.get('company.address'),
    registrationNumber: settings.get('company.registrationNumber'),
    taxNumber: settings.get('company.taxNumber'),
  }
}

function getMoney({ settings }: Deps): SetupState['money'] {
  return {
    currency: settings.get('currency'),
    taxBasisPoints: settings.get('price.taxBasisPoints'),
    internationalTaxBasisPoints: settings.get('price.internationalTaxBasisPoints'),
    fuelBasisPoints: settings.get('price.fuelBasisPoints'),
    pickupFeeMinor: settings.get('price.pickupFeeMinor'),
  }
}

/** The missing details that an invoice must have. The tax number is needed only if tax is charged. */
function companyGaps(company: SetupState['company'], money: SetupState['money']): SetupGap[] {
  const gaps: SetupGap[] = []
  if (company.address.trim() === '') gaps.push('address')
  if (!company.registrationNumber) gaps.push('registrationNumber')
  if (!company.taxNumber && money.taxBasisPoints + money.internationalTaxBasisPoints > 0) gaps.push('taxNumber')
  return gaps
}

const gapsIf = (...gaps: (SetupGap | false)[]) => gaps.filter((gap): gap is SetupGap => gap !== false)

/**
 * The state of the setup, from a handful of `exists` queries and the settings in memory: every administrator's
 * navigation requests it.
 */
export async function readSetup(deps: Deps): Promise<SetupState> {
  const { db, settings, carriers, config } = deps
  const [confirmations, mailChange, legal, network, prices] = await Promise.all([
    listConfirmations(db),
    lastSettingChange(db, 'mail.'),
    getVersionsInForce(db),
    getNetworkReadiness(deps),
    getPriceReadiness(deps),
  ])
  const [company, money] = [getCompany(deps), getMoney(deps)]
  const mailTest = confirmations.get('mail')
  const mailWorks = mailTest !== undefined && (mailChange === null || mailTest >= mailChange)
  const gaps: Record<Exclude<SetupStep, 'carriers'>, SetupGap[]> = {
    company: [...companyGaps(company, money), ...gapsIf(!confirmations.has('company') && 'confirmation')],
    money: gapsIf(!confirmations.has('money') && 'confirmation'),
    mail: gapsIf(!mailWorks && 'mailTest'),
    legal: gapsIf(
      legal.terms === null && 'terms',
      legal.privacy === null && 'privacy',
      !settings.get('company.phone') && !settings.get('company.email') && 'contact',
    ),
    stations: network.hasStation
      ? gapsIf(!network.accepts && 'acceptingStation', !network.delivers && 'deliveringStation')
      : ['station'],
    zones: gapsIf(!network.hasZone && 'zone'),
    rates: prices.hasCard
      ? gapsIf(
          !prices.isPublished && 'publishedCard',
          prices.isPublished && prices.pricedFrom === null && 'openService',
        )
      : ['rateCard'],
  }
  const complete = Object.values(gaps).every((list) => list.length === 0)
  const own = Object.entries(gaps).map(([id, list]) => ({
    id: id as SetupStep,
    state: list.length === 0 ? ('done' as const) : ('missing' as const),
    gaps: list,
  }))
  const partners = (['dhl', 'yunda'] as const).map((carrier) => ({ carrier, configured: carriers[carrier] !== null }))
  const carriersState = partners.some(({ configured }) => configured) ? ('done' as const) : ('optional' as const)
  return {
    complete,
    readyFrom: complete ? prices.pricedFrom : null,
    steps: [...own, { id: 'carriers', state: carriersState, gaps: [] }],
    company,
    money,
    mailFrom: settings.get('mail.fromAddress') ?? config.mail.from,
    carriers: partners,
  }
}

/** The right to confirm a step is the right to write its settings. Only the superadmin may change the currency. */
const stepAccess = { company: 'staff.settings', money: 'staff.system' } as const satisfies Record<ConfirmedStep, string>

/**
 * Records that somebody has checked the values of a step. Throws forbidden for money unless the caller is a
 * superadmin; 422 with the gaps while details that an invoice must have are missing.
 */
export async function confirmStep(deps: Deps, caller: StaffCaller, step: ConfirmedStep): Promise<SetupState> {
  if (decide(stepAccess[step], caller) !== 'pass') throw new AppError('forbidden')
  const [company, money] = [getCompany(deps), getMoney(deps)]
  const gaps = step === 'company' ? companyGaps(company, money) : []
  if (gaps.length > 0) throw validationError(...gaps.map((field) => ({ field, rule: 'required' })))
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    await upsertConfirmation(trx, step, caller.userId, at)
    await recordActivity(trx, {
      action: 'setup.confirmed',
      level: 'NOTICE',
      userId: caller.userId,
      subject: step,
      detail: step === 'company' ? company : money,
      at,
    })
  })
  return readSetup(deps)
}

/** Records that the mail server accepted a test mail, with the settings of the time `at`. */
export async function confirmMail(deps: Deps, caller: StaffCaller, to: string, at: Date): Promise<void> {
  await tx(deps.db, async (trx) => {
    await upsertConfirmation(trx, 'mail', caller.userId, at)
    const detail = { to }
    await recordActivity(trx, { action: 'setup.mailTested', userId: caller.userId, subject: 'mail', detail, at })
  })
}
