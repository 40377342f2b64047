import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from './accounts.ts'
import { scanned } from './handed-over.ts'
import { createParcel } from './parcels.ts'

export type CodPeople = { rider: TestStaff; boss: TestStaff; owner: TestCustomer; other: TestCustomer }

/** The people of cash on delivery: a rider of this station, an account manager, a sender, and another customer. */
export async function createCodPeople(test: TestApp, stationId: string): Promise<CodPeople> {
  return {
    rider: await createStaff(test, { stationId }),
    boss: await createStaff(test, { role: 'account_manager' }),
    owner: await createCustomer(test, { name: 'Kedai Kopi' }),
    other: await createCustomer(test),
  }
}

/** A parcel whose receiver has paid this rider at the door; the collection is booked. */
export async function collectCod(
  test: TestApp,
  sender: TestCustomer,
  { amountMinor, rider, stationId }: { amountMinor: number; rider: TestStaff; stationId: string },
): Promise<{ id: string; number: string }> {
  const parcel = await createParcel(test, sender, {
    status: 'inbound',
    delivery_mode: 'D2D',
    collection_mode: 'cod',
    cod_amount_minor: amountMinor,
  })
  const number = parcel.tracking_number ?? ''
  await scanned(test, rider, number, 'out_for_delivery', { stationId })
  const proof = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40', codCollectedMinor: amountMinor }
  await scanned(test, rider, number, 'delivered', proof)
  await test.deps.outbox.drain()
  return { id: parcel.id, number }
}

/** The balance of a book; `id`: the account or the station that it is kept for. */
export async function balanceOfBook(test: TestApp, book: string, id: string | null = null): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(p.amount_minor), 0)::bigint as sum
    from journal_postings p join ledger_accounts a on a.id = p.ledger_account_id
    where a.kind = ${book} and (${id}::uuid is null or ${id}::uuid in (a.account_id, a.station_id))`.execute(
    test.deps.db,
  )
  return rows[0]?.sum ?? 0
}
