/** Reports as files: request, progress and download. `jobs.ts` creates them. */

import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { countLimit } from '@waybill/contract/ground/paging'
import type {
  createReportFile,
  createStaffReportFile,
  listReportFiles,
  ReportFile,
} from '@waybill/contract/reports/files'
import { readKeysetPage } from '../../../db/keyset.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller, StaffCaller, UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countReportQuota } from '../../../http/limits/quota.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { days, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { madeFileDays, releaseStored, removeReleased } from '../../attachments/file-store.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { chooseStep, listSteps } from '../orders/rules.ts'
import { countReportedOrders, reportReader, reportScope, requirePeriod } from '../orders/service.ts'
import {
  countReportFiles,
  deleteReportFile,
  type FileOwner,
  findReportFile,
  insertReportFile,
  listReportFileRows,
  type NewReportFile,
  type ReportFileRow,
  requeueReportFile,
} from './queries.ts'

/** The number of attempts that the job `reports:make-file` makes. */
export const maxAttempts = 3

/**
 * Queues the report of orders as a file. A member with limited rights gets their own orders.
 * @throws AppError validation (the period), not_found (another account's user), report_quota
 */
export async function createOrderReportFile(
  deps: Deps,
  caller: CustomerCaller,
  { format, ...filters }: BodyOf<typeof createReportFile>,
  language: Locale,
): Promise<ReportFile> {
  const reader = reportReader(caller)
  const scope = await reportScope(deps, reader, filters)
  return queueFile(deps, caller, {
    account_id: caller.accountId,
    only_created_by: reader.onlyCreatedBy,
    filters: { ...filters, ...scope.period },
    format,
    language,
    total: await countReportedOrders(deps, reader.accountId, scope),
  })
}

/** Queues the report of all accounts as a file. Throws validation (the period) and report_quota. */
export async function createDeploymentReportFile(
  deps: Deps,
  caller: StaffCaller,
  { format, ...query }: BodyOf<typeof createStaffReportFile>,
  language: Locale,
): Promise<ReportFile> {
  const period = requirePeriod(deps, query)
  return queueFile(deps, caller, {
    account_id: null,
    only_created_by: null,
    filters: period,
    format,
    language,
    total: listSteps(period, chooseStep(period)).length,
  })
}

async function queueFile(
  deps: Deps,
  caller: UserCaller,
  report: Omit<NewReportFile, 'id' | 'created_by' | 'created_at'>,
): Promise<ReportFile> {
  await countReportQuota(deps, limitedSubject(caller))
  return tx(deps.db, async (trx) => {
    const file = { ...report, id: newId(), created_by: caller.userId, created_at: deps.clock.now() }
    const row = await insertReportFile(trx, file)
    await addFileJob(trx, caller, row.id)
    return present(row)
  })
}

/** The subject of the quota: an account, or a member of staff. */
const limitedSubject = (caller: UserCaller) => (caller.kind === 'customer' ? caller.accountId : caller.userId)

const addFileJob = (trx: DbOrTx, caller: UserCaller, fileId: string) =>
  addJob(
    trx,
    'reports:make-file',
    { fileId },
    // One at a time per account: a large one must not take every slot. The key replaces a waiting attempt.
    { queue: `reports ${limitedSubject(caller)}`, key: `report ${fileId}`, maxAttempts: maxAttempts + 1 },
  )

const present = ({
  id,
  format,
  state,
  done,
  total,
  failure,
  filters,
  created_at,
  bytes,
}: ReportFileRow): ReportFile => ({
  id,
  format,
  state,
  done,
  total,
  failure,
  from: filters.from,
  to: filters.to,
  createdAt: created_at.toISOString(),
  expiresAt: later(created_at, days(madeFileDays)).toISOString(),
  bytes,
})

/** The caller's files that are not deleted yet, newest first: those that `requireOwn` allows. */
export async function listOwnReportFiles(
  deps: Deps,
  caller: UserCaller,
  page: QueryOf<typeof listReportFiles>,
): Promise<ResponseOf<typeof listReportFiles>> {
  const owner: FileOwner = {
    userId: caller.userId,
    accountId: caller.kind === 'customer' ? caller.accountId : null,
    onlyCreatedBy: caller.kind === 'customer' ? onlyCreatedBy(caller) : null,
    since: later(deps.clock.now(), -days(madeFileDays)),
  }
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(page, (from) => listReportFileRows(deps.db, owner, from)),
    countReportFiles(deps.db, owner, countLimit),
  ])
  return { items: rows.map(present), total, limit: page.limit, next, previous }
}

/**
 * A file belongs to its user: another user's rights may differ. Users who now see only their own orders lose access to
 * files that contain more.
 */
async function requireOwn(deps: Deps, caller: UserCaller, id: string): Promise<ReportFileRow> {
  const row = await findReportFile(deps.db, id)
  const accountId = caller.kind === 'customer' ? caller.accountId : null
  if (row?.created_by !== caller.userId || row.account_id !== accountId) throw new AppError('not_found')
  const narrowedTo = caller.kind === 'customer' ? onlyCreatedBy(caller) : null
  if (narrowedTo !== null && row.only_created_by !== narrowedTo) throw new AppError('not_found')
  return row
}

/** The progress of a file in rows. Throws not_found. */
export async function readReportFile(deps: Deps, caller: UserCaller, id: string): Promise<ReportFile> {
  return present(await requireOwn(deps, caller, id))
}

/** Queues a failed file again; one that has not failed is unchanged. Throws not_found, report_quota. */
export async function restartReportFile(deps: Deps, caller: UserCaller, id: string): Promise<ReportFile> {
  const row = await requireOwn(deps, caller, id)
  if (row.state !== 'failed') return present(row)
  await countReportQuota(deps, limitedSubject(caller))
  return tx(deps.db, async (trx) => {
    const queued = await requeueReportFile(trx, id)
    if (queued) await addFileJob(trx, caller, id)
    return present(queued ?? (await requireOwn(deps, caller, id)))
  })
}

/** Deletes a file. The job of an unfinished one finds no row and ends. Throws not_found. */
export async function removeOwnReportFile(deps: Deps, caller: UserCaller, id: string): Promise<{ ok: true }> {
  await requireOwn(deps, caller, id)
  const key = await tx(deps.db, async (trx) => {
    const storageKey = await deleteReportFile(trx, id)
    if (storageKey) await releaseStored(deps, trx, [storageKey])
    return storageKey
  })
  if (key) await removeReleased(deps, key)
  return { ok: true }
}

/** A finished file. Throws not_found, report_not_ready. */
export async function openReportFile(
  deps: Deps,
  caller: UserCaller,
  id: string,
): Promise<{ name: string; bytes: number; format: ReportFile['format']; file: Readable }> {
  const { format, name, bytes, storage_key: key } = await requireOwn(deps, caller, id)
  if (name === null || bytes === null || key === null) throw new AppError('report_not_ready')
  const file = await deps.files.read(key)
  if (!file) throw new AppError('not_found')
  return { name, bytes, format, file }
}
