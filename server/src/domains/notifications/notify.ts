/** Creates notifications. All notifications are sent through this file. */
import { type AccessRule, decide } from '@waybill/contract/ground/access'
import type { Locale } from '@waybill/contract/ground/constants'
import { adminUserTypeLabels, staffRoleLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { findKind, type NotificationKind } from '@waybill/contract/notifications/kinds'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { addJob } from '../../jobs/jobs.ts'
import { later, minutes, timeIn } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { announce, deliver } from './deliver.ts'
import { type Facts, formatFacts } from './facts.ts'
import {
  findOwnerAsReader,
  findReaders,
  findStaffAsReaders,
  insertNotifications,
  listStandIns,
  type NewNotification,
  type NotificationReader,
  type StaffKind,
} from './queries.ts'
import { skipPopups } from './queries-inbox.ts'
import { collectMinutes, isPersonal, quietMinutesLeft } from './rules.ts'

/**
 * Recipients: users by id, the owner of an account, staff with a right of the access table, or any email address. The
 * owner stands in for users who are not active any more, unless the notice is personal.
 */
export type Recipient =
  | { users: readonly string[] }
  | { owner: AccountId | string }
  | { staff: AccessRule }
  | { email: string; language: Locale }

export type Notice = {
  /** A row of `notificationKinds`, which decides everything else. */
  kind: NotificationKind
  to: Recipient
  /** The record whose page it opens; required if the kind's `opens` contains `:id`. */
  subjectId?: string | undefined
  /** The values of its texts. `name` defaults to the reader's name; `url` is only for kinds with `mailOnly`. */
  facts?: Facts
  /** The number of items that it is about (default 1); `{{count}}` in its texts. */
  items?: number
  /** When the code or link of its mail becomes invalid: a mail that could not be sent by then is dropped. */
  expiresAt?: Date | undefined
  /** The reader's session that made the change: it does not pop up there. */
  fromSession?: string
}

/**
 * Notifies users of a change, in the transaction of that change: the list has the entry when it commits, and jobs send
 * mails and push messages. Channels and times follow from the notification's kind, the user's preferences and quiet
 * hours. Callers never wait for a mail server or a push service.
 */
export async function notify(deps: Deps, trx: DbOrTx, notice: Notice): Promise<void> {
  const { kind, to, facts = {}, items = 1 } = notice
  const row = findKind(kind)
  if ('email' in to) {
    const vars = { count: items, ...formatFacts(deps, facts, to.language) }
    const expiresAt = notice.expiresAt?.toISOString()
    return addJob(trx, 'mail:send', { to: to.email, template: kind, locale: to.language, vars, expiresAt })
  }
  const readers = await listReaders(trx, kind, to)
  if (readers.length === 0) return
  const at = deps.clock.now()
  const rows = readers.map((reader): NewNotification => {
    const waitsUntil = getWaitEnd(deps, reader, at, row?.urgent === true, row?.collects === true)
    return {
      id: newId(),
      user_id: reader.id,
      kind,
      subject_id: notice.subjectId ?? null,
      facts,
      items,
      collects: row?.collects === true,
      created_at: at,
      waits_until: waitsUntil,
      delivered_at: waitsUntil === null ? at : null,
    }
  })
  if (!row?.mailOnly) await insertNotifications(trx, rows)
  if (notice.fromSession) {
    await skipPopups(
      trx,
      rows.map(({ id }) => id),
      notice.fromSession,
    )
  }
  const readersById = new Map(readers.map((reader) => [reader.id, reader]))
  await deliver(
    deps,
    trx,
    rows.filter(({ delivered_at }) => delivered_at !== null).map((row) => ({ ...row, expiresAt: notice.expiresAt })),
    readersById,
  )
  if (!row?.mailOnly) {
    await announce(
      deps,
      trx,
      readers.map(({ id }) => id),
    )
  }
}

/**
 * The reader of each user's notices about the account's business, by user: the owner of the account for a customer who
 * was removed, blocked or suspended.
 */
export async function findReaderIds(trx: DbOrTx, userIds: readonly string[]): Promise<Map<string, string>> {
  return new Map((await listStandIns(trx, userIds)).map(({ user_id, reader_id }) => [user_id, reader_id]))
}

async function listReaders(
  trx: DbOrTx,
  kind: NotificationKind,
  to: Exclude<Recipient, { email: string }>,
): Promise<NotificationReader[]> {
  if ('users' in to) {
    if (to.users.length === 0) return []
    return findReaders(trx, isPersonal(kind) ? to.users : [...(await findReaderIds(trx, to.users)).values()])
  }
  if ('owner' in to) return findOwnerAsReader(trx, to.owner)
  return findStaffAsReaders(trx, listStaffKinds(to.staff))
}

/** The kinds of staff that have a right of the access table. */
function listStaffKinds(rule: AccessRule): StaffKind[] {
  const roles = [null, ...labelValues(staffRoleLabels)]
  const kinds = labelValues(adminUserTypeLabels).flatMap((type) => roles.map((role) => ({ type, role })))
  return kinds.filter(
    ({ type, role }) =>
      decide(rule, { kind: 'staff', staffType: type, staffRole: role, userStatus: 'active' }) === 'pass',
  )
}

/** Until when mail, push and pop-up wait; null: they do not wait. */
function getWaitEnd(deps: Deps, reader: NotificationReader, at: Date, urgent: boolean, collects: boolean): Date | null {
  const start = collects ? later(at, minutes(collectMinutes)) : at
  const quiet = urgent ? 0 : quietMinutesLeft(timeIn(start, deps.settings.get('timezone')), reader)
  return collects || quiet > 0 ? later(start, minutes(quiet)) : null
}
