/**
 * The model of the random money walk: parcels, orders and payments, and the effect of each step. It is written from
 * docs/rules.
 */
import type { ScanEvent } from '@waybill/contract/parcels/scanning'
import type { ParcelEvent, ParcelState } from '../../src/domains/parcels/status.ts'
import { modelNext } from '../parcels/status-model.ts'

export type ModelParcel = {
  id: string
  number: string
  version: number
  state: ParcelState
  price: number
  order: ModelOrder | null
  owed: boolean
  /** The latest event if it was a scan, otherwise null. */
  lastScan: ScanEvent | null
  /** Failed deliveries by leg, which a setting limits. */
  failed: Record<ParcelState['leg'], number>
}
export type ModelOrder = {
  id: string
  total: number
  parcels: ModelParcel[]
  /** The charge of the order in addition to its parcels: the pickup. */
  own: number
  state: 'unpaid' | 'paid' | 'ended'
  method: 'credits' | 'gateway' | null
  paid: number
  refunded: number
}
export type ModelPayment = { id: string; order: ModelOrder; amount: number; state: 'pending' | 'unpaid' | 'paid' }
export type Task = { id: string; amount: number; parcels: ModelParcel[] }

/** Whether no further event is possible. */
export const atItsEnd = ({ state, owed: dueMinor }: ModelParcel): boolean =>
  state.status === 'refunded' ||
  (state.status === 'cancel' && !dueMinor) ||
  (state.leg === 'return' && state.status === 'completed')

export function can(parcel: ModelParcel, event: ParcelEvent): boolean {
  return modelNext(parcel.state, event) !== null
}

export function move(parcel: ModelParcel, event: ParcelEvent): void {
  parcel.state = modelNext(parcel.state, event) as ParcelState
  parcel.lastScan = null
}

/** Whether a scan that the status forbids repeats the latest one. Scans with a proof or a reason never do. */
export function repeats(parcel: ModelParcel, event: ScanEvent): boolean {
  return parcel.lastScan === event && !['delivered', 'attempt_failed', 'return_received'].includes(event)
}

/** Removes a parcel from its unpaid order, whose total is then no longer valid. */
export function leave(parcel: ModelParcel): void {
  if (parcel.order) parcel.order.parcels = parcel.order.parcels.filter((each) => each !== parcel)
  parcel.order = null
}

/** Ends an unpaid order, and releases its parcels in the cart. */
export function end(order: ModelOrder): void {
  order.state = 'ended'
  for (const parcel of [...order.parcels]) if (parcel.state.status === 'incart') leave(parcel)
}

export function payable(order: ModelOrder): boolean {
  const whole = order.parcels.reduce((sum, { price }) => sum + price, order.own) === order.total
  const waiting = order.parcels.every(({ state }) => state.status === 'incart' || state.status === 'pending_payment')
  return order.state === 'unpaid' && whole && waiting
}

export function pay(order: ModelOrder, method: 'credits' | 'gateway'): void {
  for (const parcel of order.parcels) {
    const waits = parcel.state.status === 'pending_payment'
    if (!waits && method === 'gateway') move(parcel, 'checkout_gateway')
    move(parcel, waits || method === 'gateway' ? 'payment_succeeded' : 'checkout_credit')
  }
  Object.assign(order, { state: 'paid', method, paid: order.total })
}
