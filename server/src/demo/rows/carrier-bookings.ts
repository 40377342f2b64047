import type { Insertable } from 'kysely'
import type { DB } from '../../db/schema.ts'
import { later, minutes } from '../../lib/clock.ts'
import { simulatedLabel } from '../peers/peer.ts'

type ParcelRows = readonly Insertable<DB['parcels']>[]
type Booking = Insertable<DB['carrier_bookings']>
type Label = Insertable<DB['carrier_labels']>

const before = ['pending', 'incart', 'pending_payment', 'outstanding']
const over = ['cancel', 'refunded']
const notYet = ['pending_pickup', 'pending_dropoff']

/** DHL's ten digits, of which the last is the others' rest by seven; Yunda's thirteen. */
function numberAt(carrier: string, index: number): string {
  if (carrier === 'yunda') return `312${String(7_305_118_000 + index * 7919)}`
  const nine = 558_412_600 + index * 7919
  return `${nine}${nine % 7}`
}

/**
 * Bookings of the demo's parcels at other carriers, as the jobs would have left them: booked, the last that was paid
 * still being tried, the one before it refused. What has been delivered or cancelled is looked at no more.
 */
export function carrierBookings(parcels: ParcelRows, now: Date): { bookings: Booking[]; labels: Label[] } {
  const abroad = parcels.filter(
    ({ carrier, tracking_number, status, handed_over }) =>
      carrier && carrier !== 'own' && tracking_number && (handed_over || !before.includes(status)),
  )
  const fresh = abroad.filter(({ status }) => notYet.includes(status))
  const [waiting, refused] = [fresh.at(-1), fresh.at(-2)]
  const labels: Label[] = []
  const bookings = abroad.map((parcel, index): Booking => {
    const carrier = String(parcel.carrier)
    const number = numberAt(carrier, index)
    const at = later(new Date(parcel.created_at as Date), minutes(3))
    const shared: Booking = {
      account_id: parcel.account_id,
      parcel_id: parcel.id,
      carrier,
      tracking_number: String(parcel.tracking_number),
      state: 'waiting',
      carrier_number: null,
      simulated: false,
      sent: false,
      attempts: 0,
      problem: null,
      problem_said: null,
      booked_at: null,
      created_at: at,
      updated_at: at,
      next_try_at: null,
    }
    if (parcel === waiting)
      return {
        ...shared,
        attempts: 2,
        problem: 'unreachable',
        sent: true,
        updated_at: now,
        next_try_at: later(now, minutes(30)),
      }
    if (parcel === refused)
      return {
        ...shared,
        state: 'failed',
        attempts: 1,
        problem: 'refused',
        problem_said: carrier === 'dhl' ? '#/receiverDetails/postalCode: not found' : '收件人邮编有误',
        updated_at: now,
      }
    labels.push({
      account_id: parcel.account_id,
      parcel_id: parcel.id,
      pdf: Buffer.from(simulatedLabel(carrier === 'dhl' ? 'DHL EXPRESS' : 'YUNDA', number, []), 'base64'),
      at,
    })
    return {
      ...shared,
      state: over.includes(parcel.status) ? 'cancelled' : 'booked',
      carrier_number: number,
      simulated: true,
      sent: true,
      booked_at: at,
    }
  })
  return { bookings, labels }
}
