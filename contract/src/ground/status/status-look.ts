/** The tone and the icon of each status. */
import type { PaymentStatus, TaskStatus } from '../enums/enums.ts'
import type { OrderStatus, ParcelStatus, TrackingStatus } from '../enums/parcel-enums.ts'

/**
 * The appearance of a status in lists, timelines, maps, mails and print: a tone (each medium has a pair of colours for
 * it) and the name of an icon. They always come with a text label, because not everybody can distinguish the colours.
 */
export type Tone = 'neutral' | 'waiting' | 'moving' | 'success' | 'warning' | 'danger'
export type StatusIcon =
  | 'edit'
  | 'cart'
  | 'clock'
  | 'coin'
  | 'walk'
  | 'home'
  | 'building'
  | 'sort'
  | 'truck'
  | 'bike'
  | 'check'
  | 'alert'
  | 'back'
  | 'cross'
export type Look = { readonly tone: Tone; readonly icon: StatusIcon }

/** Looks that several statuses share. */
const looks = {
  draft: { tone: 'neutral', icon: 'edit' },
  dropOff: { tone: 'waiting', icon: 'walk' },
  pickup: { tone: 'waiting', icon: 'home' },
  moving: { tone: 'moving', icon: 'truck' },
  delivering: { tone: 'moving', icon: 'bike' },
  back: { tone: 'warning', icon: 'back' },
  done: { tone: 'success', icon: 'check' },
  ended: { tone: 'neutral', icon: 'cross' },
  waiting: { tone: 'waiting', icon: 'clock' },
  unpaid: { tone: 'warning', icon: 'coin' },
  failed: { tone: 'danger', icon: 'alert' },
  refunded: { tone: 'neutral', icon: 'coin' },
} as const satisfies Record<string, Look>

export const trackingStatusLooks = {
  pending: looks.draft,
  pending_dropoff: looks.dropOff,
  pending_pickup: looks.pickup,
  in_transit: looks.moving,
  out_for_delivery: looks.delivering,
  recall: looks.back,
  reverse_pickup: looks.back,
  delivered: looks.done,
  lost: looks.failed,
  cancelled: looks.ended,
} as const satisfies Record<TrackingStatus, Look>

export const parcelStatusLooks = {
  pending_payment: looks.waiting,
  outstanding: looks.unpaid,
  pending: looks.draft,
  incart: { tone: 'neutral', icon: 'cart' },
  pending_pickup: looks.pickup,
  pending_dropoff: looks.dropOff,
  sorting: { tone: 'moving', icon: 'sort' },
  inbound: { tone: 'moving', icon: 'building' },
  outbound: looks.moving,
  delivering: looks.delivering,
  completed: looks.done,
  'fail-to-deliver': looks.failed,
  collected: looks.done,
  reverse_pickup: looks.back,
  recall: looks.back,
  lost: looks.failed,
  cancel: looks.ended,
  refunded: looks.refunded,
} as const satisfies Record<ParcelStatus, Look>

export const orderStatusLooks = {
  pending_payment: looks.waiting,
  outstanding: looks.unpaid,
  pending: looks.moving,
  completed: looks.done,
  cancel: looks.ended,
  refunded: looks.refunded,
} as const satisfies Record<OrderStatus, Look>

export const paymentStatusLooks = {
  pending: looks.waiting,
  succeeded: looks.done,
  failed: looks.failed,
  expired: looks.ended,
} as const satisfies Record<PaymentStatus, Look>

export const taskStatusLooks = {
  new: looks.waiting,
  open: looks.waiting,
  in_progress: looks.moving,
  failed: looks.failed,
  completed: looks.done,
} as const satisfies Record<TaskStatus, Look>
