import type { WeighingState } from '@waybill/contract/parcels/weighing'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { repriceWithWeight } from '../../domains/pricing/reprice.ts'
import { dayIn, days, hours, later } from '../../lib/clock.ts'
import { derivedId } from '../../lib/ids.ts'

/** How far each re-weighing has come: one to answer, one that is contested, one that was accepted. */
const states: readonly WeighingState[] = ['contested', 'open', 'accepted']

type Held = {
  account_id: string
  id: string
  tracking_number: string
  created_by: string
  actual_grams: number
  weight_grams: number
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
  scope: 'domestic' | 'international'
  service_type: 'e_parcel' | 'semi_express' | 'document'
  carrier: 'own' | 'yunda' | 'dhl'
  price: PriceBreakdown
  last_event_at: Date
  station_id: string | null
}

/**
 * What the scale said of the parcels that are held for their difference, and until when parcels wait at their stations.
 */
export async function seedAfterHandOver(deps: Deps, trx: Tx, weighedBy: string, now: Date): Promise<void> {
  const { rows } = await sql<Held>`
    select * from parcels where status = 'outstanding' and handed_over and price is not null and actual_grams is not null order by account_id, id`.execute(
    trx,
  )
  for (const [n, row] of rows.entries())
    await weigh(deps, trx, row, states[n % states.length] ?? 'open', weighedBy, now)
  const day = dayIn(later(now, days(4)), deps.settings.get('timezone'))
  await sql`
    update parcels set collect_until = ${day}::date, station_id = self_collection_station_id, holder = 'station',
      rider_id = null, next_station_id = null
    where status = 'inbound' and leg = 'outbound' and delivery_mode like '%P' and self_collection_station_id is not null`.execute(
    trx,
  )
}

async function weigh(
  deps: Deps,
  trx: Tx,
  row: Held,
  state: WeighingState,
  weighedBy: string,
  now: Date,
): Promise<void> {
  const size =
    row.length_mm === null || row.width_mm === null || row.height_mm === null
      ? null
      : { lengthMm: row.length_mm, widthMm: row.width_mm, heightMm: row.height_mm }
  const service = { scope: row.scope, serviceType: row.service_type, carrier: row.carrier }
  // Bulky ones are charged by their size: only what is heavier than that costs more.
  const grams = Math.max(row.actual_grams, row.price.volumetricGrams + 1500)
  const after = await repriceWithWeight(deps, row.price, service, { weightGrams: grams, dimensions: size })
  const difference = after.totalMinor - row.price.totalMinor
  const until = state === 'open' ? later(now, hours(40)) : null
  await trx
    .insertInto('parcel_weighings')
    .values({
      account_id: row.account_id,
      id: derivedId(`demo weighing ${row.id}`),
      parcel_id: row.id,
      tracking_number: row.tracking_number,
      state,
      station_id: row.station_id,
      weighed_by: weighedBy,
      weight_grams: grams,
      length_mm: size?.lengthMm ?? null,
      width_mm: size?.widthMm ?? null,
      height_mm: size?.heightMm ?? null,
      scale_reading: `${(grams / 1000).toFixed(3)} kg`,
      declared_grams: row.weight_grams,
      price_before: JSON.stringify(row.price),
      price_after: JSON.stringify(after),
      difference_minor: difference,
      currency: row.price.currency,
      contest_until: until,
      reason:
        state === 'contested'
          ? 'My own scale said what I declared. The box may have been weighed with another one.'
          : null,
      contested_by: state === 'contested' ? row.created_by : null,
      contested_at: state === 'contested' ? later(row.last_event_at, hours(2)) : null,
      created_at: row.last_event_at,
    })
    .execute()
  await sql`
    update parcels set contest_until = ${until}::timestamptz, amount_due_minor = ${difference}::bigint, actual_grams = ${grams}::int
    where account_id = ${row.account_id}::uuid and id = ${row.id}::uuid`.execute(trx)
}
