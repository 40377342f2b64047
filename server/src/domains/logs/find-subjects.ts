import { id } from '@waybill/contract/ground/fields'
import type { LogSubject } from '@waybill/contract/logs/logs'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import { findOrdersByNumber } from '../orders/service.ts'
import { findGunniesByNumber } from '../parcels/gunny/service.ts'
import { findParcelNames } from '../parcels/service.ts'

/**
 * The parcels, orders and gunnies of an account that entries are about, by the subject of the entry: the id or tracking
 * number of a parcel, or the number of an order or gunny. Without those that no longer exist.
 */
export async function findSubjects(
  db: DbOrTx,
  accountId: AccountId,
  rows: readonly { subject: string | null }[],
): Promise<ReadonlyMap<string, LogSubject>> {
  const subjects = [...new Set(rows.flatMap(({ subject }) => subject ?? []))]
  const isId = (subject: string) => id.safeParse(subject).success
  const ids = subjects.filter(isId)
  const numbers = subjects.filter((subject) => !isId(subject))
  const [parcels, orders, gunnies] = await Promise.all([
    findParcelNames(db, accountId, { ids, numbers }),
    findOrdersByNumber(db, accountId, numbers),
    findGunniesByNumber(db, accountId, numbers),
  ])
  const subjectByKey = new Map<string, LogSubject>()
  for (const { id, tracking_number: number, reference } of parcels) {
    const subject: LogSubject = { kind: 'parcel', id, number, reference }
    subjectByKey.set(id, subject)
    if (number !== null) subjectByKey.set(number, subject)
  }
  for (const { id, number } of orders) subjectByKey.set(number, { kind: 'order', id, number, reference: null })
  for (const { id, number } of gunnies) subjectByKey.set(number, { kind: 'gunny', id, number, reference: null })
  return subjectByKey
}
