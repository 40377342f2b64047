/** The staff inbox: threads of all accounts, and their assignees. */
import type { assignThread, listAssignees, listInbox, listInboxMessages } from '@waybill/contract/chat/inbox'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../activity.ts'
import { readKeysetPage } from '../../db/keyset.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { accountNames, findStaffNames } from '../accounts/service.ts'
import { listStaffWithAccess } from '../accounts/staff/staff-who-may.ts'
import { presentAssignee, presentInboxThread } from './present.ts'
import { countInbox, countWaitingThreads, findThread, type InboxFilter, listInboxRows, setAssignee } from './queries.ts'
import { readMessagePage } from './service.ts'

/** A page of the inbox, with the number of waiting threads. */
export async function readInbox(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof listInbox>,
): Promise<ResponseOf<typeof listInbox>> {
  const filter: InboxFilter = {
    tab: query.tab,
    staffId: caller.userId,
    subject: query.subject ?? null,
    accountId: query.accountId ?? null,
    search: query.search || null,
  }
  const [{ rows, next, previous }, total, counts] = await Promise.all([
    readKeysetPage(query, (from) => listInboxRows(deps.db, filter, from)),
    countInbox(deps.db, filter),
    countWaitingThreads(deps.db, caller.userId),
  ])
  const [accounts, people] = await Promise.all([
    accountNames(deps.db, [...new Set(rows.map(({ account_id }) => account_id))]),
    findStaffNames(deps.db, [...new Set(rows.flatMap(({ assignee_id }) => assignee_id ?? []))]),
  ])
  const items = rows.map((row) => presentInboxThread(row, accounts, people))
  return { items, total, limit: query.limit, next, previous, counts }
}

/** A page of messages for staff. Throws not_found. */
export async function readInboxMessages(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  query: QueryOf<typeof listInboxMessages>,
): Promise<ResponseOf<typeof listInboxMessages>> {
  const { page, subject, row } = await readMessagePage(deps, caller, id, query)
  const [accounts, people] = await Promise.all([
    accountNames(deps.db, [subject.accountId]),
    findStaffNames(deps.db, row?.assignee_id ? [row.assignee_id] : []),
  ])
  return {
    ...page,
    accountId: subject.accountId,
    accountName: accounts.get(subject.accountId) ?? '',
    assignee: presentAssignee(row, people),
    waitingSince: row?.waiting_since?.toISOString() ?? null,
  }
}

/** Active staff who may answer customers, by name. */
export async function readAssignees(deps: Deps): Promise<ResponseOf<typeof listAssignees>> {
  const staff = await listStaffWithAccess(deps.db, 'staff.accounts')
  const items = staff.map(({ id, name }) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name))
  return { items }
}

/**
 * Assigns a thread. Throws not_found, validation for somebody who may not answer, and version_conflict if the assignee
 * is no longer the one that the caller saw.
 */
export async function assign(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { assigneeId, expectedId }: BodyOf<typeof assignThread>,
): Promise<{ ok: true }> {
  const { items } = await readAssignees(deps)
  if (assigneeId !== null && !items.some((person) => person.id === assigneeId)) {
    throw validationError({ field: 'assigneeId', rule: 'enum' })
  }
  await tx(deps.db, async (trx) => {
    const thread = await findThread(trx, id, null)
    if (!thread) throw new AppError('not_found')
    if (!(await setAssignee(trx, id, { expectedId, assigneeId }))) throw new AppError('version_conflict')
    await recordActivity(trx, {
      action: 'chat.assigned',
      accountId: thread.account_id,
      userId: caller.userId,
      subject: id,
      detail: { from: expectedId, to: assigneeId },
      at: deps.clock.now(),
    })
  })
  return { ok: true }
}
