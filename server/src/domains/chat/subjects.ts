/** The records that threads are about: parcels, orders and tickets. A thread has the same id as its record. */
import type { DbOrTx } from '../../db/pool.ts'
import { asAccountId, type UserCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { findOrderOfAnyAccount } from '../orders/service.ts'
import { maySeeRecord } from '../parcels/access.ts'
import { findParcelOfAnyAccount } from '../parcels/service.ts'
import { findTicketOfAnyAccount } from '../tickets/service.ts'
import { findThread, type SubjectOfThread } from './queries.ts'

type SubjectRow = { account_id: string; created_by: string; subject: SubjectOfThread['subject']; number: string }

/** The record with an id; null if there is none that can have a thread. A draft has no number and no thread. */
async function findSubject(db: DbOrTx, id: string): Promise<SubjectRow | null> {
  const parcel = await findParcelOfAnyAccount(db, id)
  if (parcel) return parcel.tracking_number ? { ...parcel, subject: 'parcel', number: parcel.tracking_number } : null
  const order = await findOrderOfAnyAccount(db, id)
  if (order) return { ...order, subject: 'order' }
  const ticket = await findTicketOfAnyAccount(db, id)
  return ticket ? { ...ticket, subject: 'ticket' } : null
}

/** The record that a thread is about. Throws not_found, also for a record that the caller may not see. */
export async function requireSubject(db: DbOrTx, caller: UserCaller, id: string): Promise<SubjectOfThread> {
  const row =
    (await findThread(db, id, caller.kind === 'customer' ? caller.accountId : null)) ?? (await findSubject(db, id))
  if (!row || !maySeeRecord(row, caller)) throw new AppError('not_found')
  const { account_id, subject, number, created_by } = row
  // The caller may see the record, so this is its account.
  return { id, accountId: asAccountId(account_id), subject, number, createdBy: created_by }
}
