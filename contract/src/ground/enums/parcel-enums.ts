/** The enumerations of parcels and their orders. The public tracking page needs no others. */

/** Statuses that parcels and orders share: before the payment is complete, and at the end. */
const unpaidLabels = {
  pending_payment: ['Waiting for payment', '等待付款'],
  outstanding: ['Amount outstanding', '有未付款项'],
} as const
const closedLabels = { cancel: ['Cancelled', '已取消'], refunded: ['Refunded', '已退款'] } as const

export const parcelStatusLabels = {
  ...unpaidLabels,
  pending: ['Draft', '草稿'],
  incart: ['In cart', '已加入购物车'],
  pending_pickup: ['Waiting for pickup', '等待取件'],
  pending_dropoff: ['Waiting for drop-off', '等待交寄'],
  sorting: ['Sorting', '分拣中'],
  inbound: ['At a station', '已到站'],
  outbound: ['On the way', '运输中'],
  delivering: ['Out for delivery', '派送中'],
  completed: ['Delivered', '已送达'],
  'fail-to-deliver': ['Delivery failed', '派送失败'],
  collected: ['Collected', '已自取'],
  reverse_pickup: ['Return pickup', '退件取件'],
  recall: ['Recalled', '已召回'],
  // Not in the specification, in which a parcel that the courier loses could never end (decision 100).
  lost: ['Lost', '已遗失'],
  ...closedLabels,
} as const
export type ParcelStatus = keyof typeof parcelStatusLabels

export const orderStatusLabels = {
  ...unpaidLabels,
  pending: ['In progress', '处理中'],
  completed: ['Completed', '已完成'],
  ...closedLabels,
} as const
export type OrderStatus = keyof typeof orderStatusLabels

export const trackingStatusLabels = {
  pending: ['Being prepared', '准备中'],
  pending_dropoff: ['Waiting for drop-off', '等待交寄'],
  pending_pickup: ['Waiting for pickup', '等待取件'],
  in_transit: ['In transit', '运输途中'],
  out_for_delivery: ['Out for delivery', '正在派送'],
  recall: ['On its way back', '退回途中'],
  reverse_pickup: ['Return requested', '退件处理中'],
  delivered: ['Delivered', '已送达'],
  lost: ['Lost', '已遗失'],
  cancelled: ['Cancelled', '已取消'],
} as const
export type TrackingStatus = keyof typeof trackingStatusLabels

/** Legs of a parcel's journey: to the receiver, or back. */
export const legLabels = {
  outbound: ['To the receiver', '寄往收件人'],
  return: ['Back to the sender', '退回寄件人'],
} as const
export type Leg = keyof typeof legLabels

export const scopeLabels = { domestic: ['Domestic', '国内'], international: ['International', '国际'] } as const
export type Scope = keyof typeof scopeLabels

export const serviceTypeLabels = {
  e_parcel: ['E-parcel', '电商包裹'],
  semi_express: ['Semi-express', '准快递'],
  document: ['Document', '文件'],
} as const
export type ServiceType = keyof typeof serviceTypeLabels

/** The specification's delivery modes, with its own English labels. */
export const deliveryModeLabels = {
  D2D: ['Pick Up - Delivery', '上门取件－送货上门'],
  D2P: ['Pick Up - Self Collection', '上门取件－网点自取'],
  P2D: ['Walk In - Delivery', '到店交寄－送货上门'],
  P2P: ['Walk In - Self Collection', '到店交寄－网点自取'],
} as const
export type DeliveryMode = keyof typeof deliveryModeLabels
/** The long names of the delivery modes in the specification. */
export const deliveryModeNames = {
  D2D: 'door_to_door',
  D2P: 'door_to_point',
  P2D: 'point_to_door',
  P2P: 'point_to_point',
} as const satisfies Record<DeliveryMode, string>
