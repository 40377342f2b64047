import type { Insertable } from 'kysely'
import type { DB } from '../../db/schema.ts'
import { chanceOf, idFor } from '../story/random.ts'
import { localDay } from '../story/time.ts'
import { buyerOf } from './order-rows.ts'
import type { Prices, Settled } from './orders.ts'

type Rows = {
  refunds: Insertable<DB['refunds']>[]
  refundedParcels: Insertable<DB['refunded_parcels']>[]
  creditNotes: Insertable<DB['credit_notes']>[]
  creditNoteCounters: Insertable<DB['document_counters']>[]
}

/**
 * What cancelled orders that were paid have given back: a refund each with its credit note. To the card when they were
 * paid at the gateway; the youngest wait for staff.
 */
export function refundRows(
  settled: readonly Settled[],
  prices: Prices,
  seller: object,
  currency: string,
  financeId: string | null,
): Rows {
  const last = new Map<number, number>()
  const given = settled
    .flatMap((order) => (order.givenBackAt ? [{ order, at: order.givenBackAt }] : []))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ order, at }) => {
      const { story, totalMinor, taxMinor, refundedAt } = order
      const { name, paying } = story.plan
      const year = Number(localDay(at).slice(0, 4))
      const n = (last.get(year) ?? 0) + 1
      last.set(year, n)
      const id = idFor(`refund ${name}`, at)
      const toCard = paying === 'gateway'
      const common = { account_id: story.account.id, order_id: story.id, currency }
      const refund = {
        ...common,
        id,
        destination: toCard ? 'card' : 'wallet',
        status: refundedAt ? 'done' : 'requested',
        amount_minor: totalMinor,
        payment_id: order.payments.find(({ status }) => status === 'succeeded')?.id ?? null,
        bank_reference: toCard && refundedAt ? `R${chanceOf(id).whole(10_000_000, 99_999_999)}` : null,
        created_by: story.orderedBy.id,
        settled_by: toCard && refundedAt ? financeId : null,
        settled_at: refundedAt,
        version: toCard && refundedAt ? 2 : 1,
        created_at: at,
      }
      const note = {
        ...common,
        id: idFor(`credit note ${name}`, at),
        year,
        number: `CN-${year}-${String(n).padStart(6, '0')}`,
        refund_id: id,
        seller,
        buyer: buyerOf(order),
        lines: order.lines,
        net_minor: totalMinor - taxMinor,
        tax_minor: taxMinor,
        total_minor: totalMinor,
        issued_at: at,
      }
      const parcels = story.parcels.map((parcel) => ({
        account_id: story.account.id,
        parcel_id: parcel.id,
        refund_id: id,
        amount_minor: prices.of(parcel).price.totalMinor,
      }))
      return { refund, note, parcels }
    })
  return {
    refunds: given.map(({ refund }) => refund),
    refundedParcels: given.flatMap(({ parcels }) => parcels),
    creditNotes: given.map(({ note }) => note),
    creditNoteCounters: [...last].map(([year, count]) => ({ series: 'CN', year, last: count })),
  }
}
