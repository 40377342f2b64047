/**
 * Groups of parcel statuses that mean something together. The transitions between them are in
 * `server/src/domains/parcels/status.ts`.
 */
import type { Leg, ParcelStatus } from '../enums/parcel-enums.ts'

type Statuses = readonly ParcelStatus[]

/** Not ordered and not paid: drafts and the cart. */
export const draftStatuses: Statuses = ['pending', 'incart']
/** What the parcels of an unfinished checkout have. A parcel of the cart may also be in none. */
export const checkoutStatuses: Statuses = ['incart', 'pending_payment']
/** Paid or billed, and waiting for the pickup or the drop-off. */
export const handoverStatuses: Statuses = ['pending_pickup', 'pending_dropoff']
/** The courier has the parcel and scans it regularly. */
export const movingStatuses: Statuses = ['inbound', 'sorting', 'outbound', 'delivering', 'fail-to-deliver', 'recall']
/** On the way back to the sender, besides the statuses of the return leg. */
export const backStatuses: Statuses = ['recall', 'reverse_pickup']
/** At the receiver, or back with the sender. */
export const deliveredStatuses: Statuses = ['completed', 'collected']
export const cancelledStatuses: Statuses = ['cancel', 'refunded']
/** A journey may end in these. A delivered parcel can be returned later, and a lost one can be found. */
export const endStatuses: Statuses = [...deliveredStatuses, 'lost', ...cancelledStatuses]

/**
 * Whether the consignment note of a parcel can be printed: after the payment, which assigns its number, unless it was
 * cancelled or lost. The note of a delivered parcel stays available.
 */
export const hasNote = ({ trackingNumber, status }: { trackingNumber: string | null; status: ParcelStatus }) =>
  trackingNumber !== null && status !== 'lost' && !isCancelled(status)

/** Whether a parcel may still be edited or removed. */
export const isDraft = (status: ParcelStatus) => draftStatuses.includes(status)
export const isDelivered = (status: ParcelStatus) => deliveredStatuses.includes(status)
export const isCancelled = (status: ParcelStatus) => cancelledStatuses.includes(status)
export const isEnded = (status: ParcelStatus) => endStatuses.includes(status)

/** Whether a parcel is on its way back to its sender, or has come back. */
export const isGoingBack = ({ leg, status }: { leg: Leg; status: ParcelStatus }) =>
  leg === 'return' || status === 'recall'

/** To whom a parcel goes: its receiver, or its sender on the way back. */
export const findAddressee = <P>(parcel: { leg: Leg; status: ParcelStatus; sender: P; receiver: P }): P =>
  isGoingBack(parcel) ? parcel.sender : parcel.receiver
