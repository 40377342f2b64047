// Proof dossiers: request, progress and download. `jobs.ts` creates them.
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { createDossier, Dossier } from '@waybill/contract/orders/dossier'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { countDossierQuota } from '../../../http/limits/quota.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { newId } from '../../../lib/ids.ts'
import { sweepMadeFiles } from '../../attachments/file-store.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { countHistories, listHistories } from '../../parcels/timeline/history.ts'
import type { HistoryScope } from '../../parcels/timeline/queries-history.ts'
import { type DossierRow, deleteDossiers, findDossier, findOrderNumber, insertDossier, oldDossiers } from './queries.ts'

/** The number of attempts that the job `orders:make-dossier` makes. */
export const maxAttempts = 3

/**
 * Queues a dossier of a parcel, an order or a month. A user with limited rights gets the parcels that they created.
 * @throws AppError validation (not exactly one subject), not_found, dossier_empty, dossier_quota
 */
export async function beginDossier(
  deps: Deps,
  caller: CustomerCaller,
  { format, parcelId, orderId, month }: BodyOf<typeof createDossier>,
  locale: Locale,
): Promise<Dossier> {
  const subjects = [parcelId, orderId, month].filter((subject) => subject !== null)
  if (subjects.length !== 1) throw validationError({ field: subjects.length === 0 ? 'month' : 'parcelId', rule: 'one' })
  const row = {
    account_id: caller.accountId,
    id: newId(),
    created_by: caller.userId,
    only_created_by: onlyCreatedBy(caller),
    parcel_id: parcelId,
    order_id: orderId,
    month: month && `${month}-01`,
    format,
    language: locale,
    created_at: deps.clock.now(),
  }
  const orderNumber = orderId && (await findOrderNumber(deps.db, caller.accountId, orderId, row.only_created_by))
  if (orderId && !orderNumber) throw new AppError('not_found')
  const scope = toScope(deps, row)
  const total = await countHistories(deps.db, scope)
  if (total === 0) throw new AppError(parcelId ? 'not_found' : 'dossier_empty')
  await countDossierQuota(deps, caller.userId)
  const subject = month ?? orderNumber ?? (await findTrackingNumber(deps, scope, locale))
  return tx(deps.db, async (trx) => {
    const created = await insertDossier(trx, { ...row, total, name: `dossier-${subject}.${format}` })
    await addJob(
      trx,
      'orders:make-dossier',
      { accountId: caller.accountId, dossierId: row.id },
      // One at a time per account: a large one must not take every slot.
      { queue: `dossiers ${caller.accountId}`, maxAttempts: maxAttempts + 1 },
    )
    return present(created)
  })
}

async function findTrackingNumber(deps: Deps, scope: HistoryScope, locale: Locale): Promise<string> {
  for await (const { trackingNumber } of listHistories(deps, scope, locale)) return trackingNumber
  return ''
}

type Subject = Pick<DossierRow, 'account_id' | 'only_created_by' | 'parcel_id' | 'order_id' | 'month'>

/** The parcels of a dossier. */
export function toScope(deps: Deps, row: Subject): HistoryScope {
  const { account_id, only_created_by: createdBy, parcel_id: parcelId, order_id: orderId, month } = row
  const of = parcelId
    ? { parcelId }
    : orderId
      ? { orderId }
      : { month: (month ?? '').slice(0, 7), timeZone: deps.settings.get('timezone') }
  return { accountId: asAccountId(account_id), createdBy, of }
}

function present({ id, format, storage_key, failed, done, total }: DossierRow): Dossier {
  return { id, format, state: storage_key ? 'ready' : failed ? 'failed' : 'running', done, total }
}

/**
 * A dossier belongs to its user: another user's rights may differ. Users who now see only their own parcels lose access
 * to dossiers that contain more.
 */
async function requireOwn(deps: Deps, caller: CustomerCaller, id: string): Promise<DossierRow> {
  const row = await findDossier(deps.db, caller.accountId, id)
  if (row?.created_by !== caller.userId) throw new AppError('not_found')
  const narrowedTo = onlyCreatedBy(caller)
  if (narrowedTo !== null && row.only_created_by !== narrowedTo) throw new AppError('not_found')
  return row
}

/** The progress of a dossier. Throws not_found. */
export async function readDossier(deps: Deps, caller: CustomerCaller, id: string): Promise<Dossier> {
  return present(await requireOwn(deps, caller, id))
}

/** A finished dossier. Throws not_found, dossier_running. */
export async function openDossier(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
): Promise<{ name: string; bytes: number; file: Readable }> {
  const row = await requireOwn(deps, caller, id)
  if (row.storage_key === null) throw new AppError('dossier_running')
  const file = await deps.files.read(row.storage_key)
  if (!file) throw new AppError('not_found')
  return { name: row.name, bytes: row.bytes ?? 0, file }
}

/** Part of the job `housekeeping:sweep`: deletes old dossiers with their files. */
export function sweepDossiers(deps: Deps): Promise<void> {
  return sweepMadeFiles(deps, { list: oldDossiers, remove: deleteDossiers })
}
