/** Reads and exports the activity log for customers and staff. */
import type { Readable } from 'node:stream'
import { decide } from '@waybill/contract/ground/access'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { logLevelLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { Translate } from '@waybill/contract/ground/validation'
import {
  type exportLogs,
  type LogEntry,
  type listLogActions,
  type listLogs,
  logLevels,
} from '@waybill/contract/logs/logs'
import { countLogRows, type LogFilter, type LogRow, listActionNames, listLogRows } from '../../activity.ts'
import { inBatches } from '../../db/batches.ts'
import { readKeysetPage } from '../../db/keyset.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, AnyCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { dayIn } from '../../lib/clock.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../lib/sheet/write.ts'
import { accountNames, findStaffNames, findUserNames } from '../accounts/service.ts'
import { findSubjects } from './find-subjects.ts'

/** Actions whose entries only staff can see. */
const staffOnlyActions: readonly string[] = ['accounts.noteAdded', 'accounts.noteDeleted']

type Filters = Omit<QueryOf<typeof exportLogs>, 'format'>

/** A customer is limited to their own account, without entries for staff only. Throws forbidden for everybody else. */
function readableBy(caller: AnyCaller): { accountId: AccountId | null; hidden: readonly string[] } {
  if (caller.kind === 'visitor' || decide('logs', caller) !== 'pass') throw new AppError('forbidden')
  return caller.kind === 'customer'
    ? { accountId: caller.accountId, hidden: staffOnlyActions }
    : { accountId: null, hidden: [] }
}

/** The matching entries that the caller may see. Throws forbidden. */
function filterFor(deps: Deps, caller: AnyCaller, { level, action, from, to }: Filters): LogFilter {
  return {
    ...readableBy(caller),
    levels: level ? logLevels.slice(logLevels.indexOf(level)) : null,
    action: action ?? null,
    days: { from: from ?? null, to: to ?? null, timeZone: deps.settings.get('timezone') },
  }
}

const longestDetail = 500

/** Names are read for the whole batch. A customer sees neither client addresses nor internal details. */
async function presentLogs(deps: Deps, caller: AnyCaller, rows: readonly LogRow[]): Promise<LogEntry[]> {
  const { db } = deps
  const userIds = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]
  const forStaff = caller.kind === 'staff'
  const subjects = caller.kind === 'customer' ? await findSubjects(db, caller.accountId, rows) : null
  const accountIds = forStaff ? [...new Set(rows.flatMap(({ account_id }) => account_id ?? []))] : []
  const [names, staffNames, accounts] = await Promise.all([
    findUserNames(db, userIds),
    findStaffNames(db, userIds),
    accountNames(db, accountIds),
  ])
  return rows.map((row): LogEntry => {
    const { id, level, action, user_id: userId, account_id: accountId, subject, ip, detail, at } = row
    const name = userId === null ? undefined : names.get(userId)
    const by = userId === null || name === undefined ? null : { name, staff: staffNames.has(userId) }
    const entry = { id, level, action, by, at: at.toISOString() }
    const about = subject === null ? undefined : subjects?.get(subject)
    if (!forStaff) return { ...entry, ...(about && { about }) }
    const accountName = accountId === null ? undefined : accounts.get(accountId)
    return {
      ...entry,
      account: accountId === null || accountName === undefined ? null : { id: accountId, name: accountName },
      subject,
      ip,
      detail: Object.keys(detail).length === 0 ? '' : JSON.stringify(detail).slice(0, longestDetail),
    }
  })
}

/** A page of the log; `total` is counted up to a thousand. Throws forbidden; validation for an invalid cursor. */
export async function readLogs(
  deps: Deps,
  caller: AnyCaller,
  query: QueryOf<typeof listLogs>,
): Promise<ResponseOf<typeof listLogs>> {
  const filter = filterFor(deps, caller, query)
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(query, (from) => listLogRows(deps.db, filter, from)),
    countLogRows(deps.db, filter),
  ])
  return { items: await presentLogs(deps, caller, rows), total, limit: query.limit, next, previous }
}

/** The actions that occur in the caller's log. Throws forbidden. */
export async function readLogActions(deps: Deps, caller: AnyCaller): Promise<ResponseOf<typeof listLogActions>> {
  const { accountId, hidden } = readableBy(caller)
  const actions = await listActionNames(deps.db, accountId)
  return { items: actions.filter((action) => !hidden.includes(action)) }
}

/** Rows per batch. */
const batch = 1_000

/** The log as a spreadsheet, newest first, streamed in batches. Throws forbidden. */
export function logsSheet(
  deps: Deps,
  caller: AnyCaller,
  { format, ...filters }: QueryOf<typeof exportLogs>,
  { locale, t }: { locale: Locale; t: Translate },
): { name: string; sheet: Readable } {
  const filter = filterFor(deps, caller, filters)
  const timeZone = deps.settings.get('timezone')
  const forStaff = caller.kind === 'staff'
  const columns: SheetColumn[] = [
    { header: t('logsPage.at'), kind: 'time' },
    { header: t('logsPage.level'), kind: 'text', width: 12 },
    { header: t('logsPage.action'), kind: 'text', width: 40 },
    { header: t('logsPage.by'), kind: 'text', width: 28 },
    ...(forStaff
      ? ([
          { header: t('logsPage.account'), kind: 'text', width: 28 },
          { header: t('logsPage.subject'), kind: 'text', width: 38 },
          { header: t('logsPage.ip'), kind: 'text', width: 18 },
          { header: t('logsPage.detail'), kind: 'text', width: 60 },
        ] as const)
      : ([{ header: t('logsPage.subject'), kind: 'text', width: 24 }] as const)),
  ]
  const cells = (entry: LogEntry): SheetValue[] => [
    new Date(entry.at),
    enumLabel(logLevelLabels, entry.level, locale),
    t(`action.${entry.action}`, { defaultValue: entry.action }),
    entry.by?.name ?? null,
    ...(forStaff
      ? [entry.account?.name ?? null, entry.subject ?? null, entry.ip ?? null, entry.detail ?? null]
      : [entry.about?.number ?? entry.about?.reference ?? null]),
  ]
  async function* rows(): AsyncGenerator<SheetValue[]> {
    const batches = inBatches(async (after: (LogEntry & { at_exactly: string }) | null) => {
      const key = after && { at: after.at_exactly, id: after.id }
      const logRows = await listLogRows(deps.db, filter, { key, backward: false, limit: batch })
      const entries = await presentLogs(deps, caller, logRows)
      return entries.map((entry, n) => ({ ...entry, at_exactly: logRows[n]?.at_exactly ?? '' }))
    })
    for await (const entry of batches) yield cells(entry)
  }
  return {
    name: `log-${dayIn(deps.clock.now(), timeZone)}.${format}`,
    sheet: writeSheet(format, rows(), { name: t('logsPage.title'), columns, timeZone, moneyDecimals: 2, t }),
  }
}
