import type { OrderStatus, ParcelStatus, PaymentStatus, TaskStatus, TrackingStatus } from './enums.ts'

/**
 * How a status looks, the same in lists, timelines, maps, mails and print: a tone (a pair of colours that each medium
 * has) and an icon's name. Colour never speaks alone: the words stand beside it.
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

export const trackingStatusLooks = {
  pending: { tone: 'neutral', icon: 'edit' },
  pending_dropoff: { tone: 'waiting', icon: 'walk' },
  pending_pickup: { tone: 'waiting', icon: 'home' },
  in_transit: { tone: 'moving', icon: 'truck' },
  out_for_delivery: { tone: 'moving', icon: 'bike' },
  recall: { tone: 'warning', icon: 'back' },
  reverse_pickup: { tone: 'warning', icon: 'back' },
  delivered: { tone: 'success', icon: 'check' },
  cancelled: { tone: 'neutral', icon: 'cross' },
} as const satisfies Record<TrackingStatus, Look>

export const parcelStatusLooks = {
  pending_payment: { tone: 'waiting', icon: 'clock' },
  outstanding: { tone: 'warning', icon: 'coin' },
  pending: { tone: 'neutral', icon: 'edit' },
  incart: { tone: 'neutral', icon: 'cart' },
  pending_pickup: { tone: 'waiting', icon: 'home' },
  pending_dropoff: { tone: 'waiting', icon: 'walk' },
  sorting: { tone: 'moving', icon: 'sort' },
  inbound: { tone: 'moving', icon: 'building' },
  outbound: { tone: 'moving', icon: 'truck' },
  delivering: { tone: 'moving', icon: 'bike' },
  completed: { tone: 'success', icon: 'check' },
  'fail-to-deliver': { tone: 'danger', icon: 'alert' },
  collected: { tone: 'success', icon: 'check' },
  reverse_pickup: { tone: 'warning', icon: 'back' },
  recall: { tone: 'warning', icon: 'back' },
  cancel: { tone: 'neutral', icon: 'cross' },
  refunded: { tone: 'neutral', icon: 'coin' },
} as const satisfies Record<ParcelStatus, Look>

export const orderStatusLooks = {
  pending_payment: { tone: 'waiting', icon: 'clock' },
  outstanding: { tone: 'warning', icon: 'coin' },
  pending: { tone: 'moving', icon: 'truck' },
  completed: { tone: 'success', icon: 'check' },
  cancel: { tone: 'neutral', icon: 'cross' },
  refunded: { tone: 'neutral', icon: 'coin' },
} as const satisfies Record<OrderStatus, Look>

export const paymentStatusLooks = {
  pending: { tone: 'waiting', icon: 'clock' },
  succeeded: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'alert' },
  expired: { tone: 'neutral', icon: 'cross' },
} as const satisfies Record<PaymentStatus, Look>

export const taskStatusLooks = {
  new: { tone: 'waiting', icon: 'clock' },
  open: { tone: 'waiting', icon: 'clock' },
  in_progress: { tone: 'moving', icon: 'truck' },
  failed: { tone: 'danger', icon: 'alert' },
  completed: { tone: 'success', icon: 'check' },
} as const satisfies Record<TaskStatus, Look>
