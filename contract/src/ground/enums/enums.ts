/**
 * The enumerations of the specification (sections 3, 4 and 9) with their labels; those of parcels and orders are in
 * `parcel-enums.ts`. Values are spelled as in the specification, even odd ones; the labels are what people read:
 * `[en, cn_zh]`.
 */
import type { Labels } from './labels.ts'

export const userTypeLabels = { customer: ['Individual', '个人'], corporate: ['Company', '企业'] } as const
export type UserType = keyof typeof userTypeLabels

export const adminUserTypeLabels = {
  superadmin: ['Super administrator', '超级管理员'],
  admin: ['Administrator', '管理员'],
  staff: ['Staff', '员工'],
} as const
export type AdminUserType = keyof typeof adminUserTypeLabels

export const staffRoleLabels = {
  admin: ['Deputy administrator', '副管理员'],
  e_marketing: ['E-marketing', '网络营销'],
  product_manager: ['Product manager', '产品经理'],
  account_manager: ['Account manager', '客户经理'],
  inside_sales_representative: ['Inside sales', '内勤销售'],
  it_executive: ['IT executive', '信息技术专员'],
  normal_staff: ['Operations staff', '运营员工'],
} as const
export type StaffRole = keyof typeof staffRoleLabels

export const stationTypeLabels = {
  warehouse: ['Warehouse', '仓库'],
  service_center_t1: ['Service centre, tier 1', '一级服务中心'],
  service_center_t2: ['Service centre, tier 2', '二级服务中心'],
  service_center_3rd_party: ['Partner point', '合作网点'],
} as const
export type StationType = keyof typeof stationTypeLabels
/** The labels for customers, who do not know the courier's own terms for its stations. */
export const publicStationTypeLabels = {
  warehouse: ['Main station', '主网点'],
  service_center_t1: ['Service centre', '服务中心'],
  service_center_t2: ['Service point', '服务点'],
  service_center_3rd_party: ['Partner point', '合作网点'],
} as const satisfies Labels<StationType>

/** `own` is the deployment's own network; yunda and dhl are the specification's carriers. */
export const carrierLabels = {
  own: ['Our own network', '自营网络'],
  yunda: ['Yunda', '韵达'],
  dhl: ['DHL', 'DHL'],
} as const
export type Carrier = keyof typeof carrierLabels

/** Whether a code is that of another carrier than our own network. */
export const isOtherCarrier = (carrier: string): carrier is Carrier => carrier !== 'own' && carrier in carrierLabels

export const discountTypeLabels = { fixed: ['Fixed amount', '固定金额'], percentage: ['Percentage', '百分比'] } as const
export type DiscountType = keyof typeof discountTypeLabels

export const bannerKindLabels = {
  product: ['Product', '产品'],
  festival: ['Festival', '节庆'],
  newsletter: ['Newsletter', '资讯'],
  promotion: ['Promotion', '优惠'],
  event: ['Event', '活动'],
} as const
export type BannerKind = keyof typeof bannerKindLabels

export const contentFormatLabels = { text: ['Text', '文字'], image: ['Image', '图片'] } as const
export type ContentFormat = keyof typeof contentFormatLabels

export const attachmentTypeLabels = { url: ['Link', '链接'], file: ['File', '文件'] } as const
export type AttachmentType = keyof typeof attachmentTypeLabels

export const accountStatusLabels = {
  active: ['Active', '正常'],
  inactive: ['Suspended', '已停用'],
  blacklisted: ['Blocked', '已封锁'],
} as const
export type AccountStatus = keyof typeof accountStatusLabels

export const taskStatusLabels = {
  new: ['New', '待分派'],
  open: ['Open', '待处理'],
  in_progress: ['In progress', '进行中'],
  failed: ['Failed', '失败'],
  completed: ['Completed', '已完成'],
} as const
export type TaskStatus = keyof typeof taskStatusLabels

export const ticketStatusLabels = {
  closed: ['Closed', '已关闭'],
  open: ['Open', '处理中'],
  'draft.in_progress': ['Draft in progress', '设计稿制作中'],
  'draft.ready': ['Draft ready', '设计稿已备妥'],
  'draft.rejected': ['Draft rejected', '设计稿被退回'],
  'draft.completed': ['Draft completed', '设计稿已完成'],
  'artwork.rejected': ['Artwork rejected', '定稿被退回'],
  'artwork.approved': ['Artwork approved', '定稿已批准'],
} as const
export type TicketStatus = keyof typeof ticketStatusLabels

export const collectionModeLabels = {
  in_store: ['Paid in store', '到店收款'],
  cod: ['Cash on delivery', '代收货款'],
} as const
export type CollectionMode = keyof typeof collectionModeLabels

export const paymentMethodLabels = {
  monthly_billing: ['Monthly billing', '月结'],
  express_credit: ['Credit', '余额'],
  ipay88: ['Online Banking / Credit Card', '网上银行／信用卡'],
  store: ['Pay In Store', '到店付款'],
  credit_card: ['Credit card', '信用卡'],
} as const
export type PaymentMethod = keyof typeof paymentMethodLabels
/** The specification's short payment codes. */
export const shortPaymentCodes = {
  express_credit: 'ec',
  store: 'store',
  monthly_billing: 'mb',
} as const satisfies Partial<Record<PaymentMethod, string>>

const codes: Partial<Record<PaymentMethod, string>> = shortPaymentCodes

/** The code of a payment method in exports and reports: the short one if there is one. */
export function paymentCode(method: PaymentMethod): string {
  return codes[method] ?? method
}

/** The values of a filter by payment method: the methods and their short codes. */
export const paymentFilters = [
  ...(Object.keys(paymentMethodLabels) as PaymentMethod[]),
  shortPaymentCodes.express_credit,
  shortPaymentCodes.monthly_billing,
] as const
export type PaymentFilter = (typeof paymentFilters)[number]

/** The payment method for a filter value, which may be a short code. */
export function paymentMethodForFilter(filter: PaymentFilter): PaymentMethod {
  const method = (Object.keys(codes) as PaymentMethod[]).find((each) => codes[each] === filter)
  return method ?? (filter as PaymentMethod)
}

export const paymentStatusLabels = {
  pending: ['Waiting for payment', '等待付款'],
  succeeded: ['Paid', '已付款'],
  failed: ['Failed', '付款失败'],
  expired: ['Expired', '已过期'],
} as const
export type PaymentStatus = keyof typeof paymentStatusLabels

/** e_parcel or semi_express combined with what a station offers. */
export const serviceCodeLabels = {
  'e_parcel.delivery': ['E-parcel: delivery', '电商包裹：派送'],
  'e_parcel.pickup': ['E-parcel: pickup', '电商包裹：上门取件'],
  'e_parcel.self_collection': ['E-parcel: self collection', '电商包裹：自取'],
  'e_parcel.drop_off': ['E-parcel: drop-off', '电商包裹：交寄'],
  'e_parcel.enquiry': ['E-parcel: enquiry', '电商包裹：查询'],
  'semi_express.delivery': ['Semi-express: delivery', '准快递：派送'],
  'semi_express.pickup': ['Semi-express: pickup', '准快递：上门取件'],
  'semi_express.self_collection': ['Semi-express: self collection', '准快递：自取'],
  'semi_express.drop_off': ['Semi-express: drop-off', '准快递：交寄'],
  'semi_express.enquiry': ['Semi-express: enquiry', '准快递：查询'],
} as const
export type ServiceCode = keyof typeof serviceCodeLabels

export const contentTypeLabels = {
  document: ['Documents', '文件'],
  clothing: ['Clothing', '服装'],
  electronics: ['Electronics', '电子产品'],
  food: ['Food, not perishable', '食品（不易腐）'],
  cosmetics: ['Cosmetics', '化妆品'],
  books: ['Books', '书籍'],
  gifts: ['Gifts', '礼品'],
  household: ['Household goods', '家居用品'],
  spare_parts: ['Spare parts', '零配件'],
  others: ['Others', '其他'],
} as const
export type ContentType = keyof typeof contentTypeLabels

/** Why something is sent abroad: the categories of a customs declaration. */
export const customsReasonLabels = {
  sale: ['Sale of goods', '商品销售'],
  gift: ['Gift', '礼品'],
  documents: ['Documents', '文件'],
  sample: ['Commercial sample', '商业样品'],
  returned_goods: ['Returned goods', '退货'],
  other: ['Other', '其他'],
} as const
export type CustomsReason = keyof typeof customsReasonLabels

export const addressKindLabels = {
  sender: ['Sender', '寄件人'],
  receiver: ['Receiver', '收件人'],
  both: ['Both', '两者'],
} as const
export type AddressKind = keyof typeof addressKindLabels

export const memberPermissionLabels = {
  'parcels.create': ['Create parcels', '创建包裹'],
  'parcels.view_all': ['See everyone’s parcels', '查看所有人的包裹'],
  pay: ['Pay', '付款'],
  wallet: ['Use the wallet', '使用钱包'],
  reports: ['See reports', '查看报表'],
  addresses: ['Edit the address book', '编辑地址簿'],
  users: ['Manage users', '管理用户'],
} as const
export type MemberPermission = keyof typeof memberPermissionLabels

/** RFC 5424 severities, as the specification lists them. */
export const logLevelLabels = {
  DEBUG: ['Debug', '调试'],
  INFO: ['Information', '信息'],
  NOTICE: ['Notice', '注意'],
  WARNING: ['Warning', '警告'],
  ERROR: ['Error', '错误'],
  CRITICAL: ['Critical', '严重'],
  ALERT: ['Alert', '警报'],
  EMERGENCY: ['Emergency', '紧急'],
} as const
export type LogLevel = keyof typeof logLevelLabels

export const notificationTypeLabels = {
  success: ['Success', '成功'],
  warning: ['Warning', '警告'],
  error: ['Error', '错误'],
  info: ['Info', '提示'],
} as const
export type NotificationType = keyof typeof notificationTypeLabels

/** What an API key may do; the calls of each are in `integrations/api-scopes.ts`. */
export const apiScopeLabels = {
  quotes: ['Quotes', '报价'],
  addresses: ['Address book', '地址簿'],
  parcels: ['Parcels', '包裹'],
  pickups: ['Pickups', '上门取件'],
  orders: ['Orders', '订单'],
  payments: ['Payments', '付款'],
  labels: ['Labels', '托运单'],
  tracking: ['Tracking', '包裹追踪'],
} as const
export type ApiScope = keyof typeof apiScopeLabels
