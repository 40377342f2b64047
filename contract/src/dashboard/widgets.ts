/** The widgets of the home page: their kinds, sizes and figures. */
import * as z from 'zod/mini'
import { banner } from '../content/content.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { trackingStatusLabels } from '../ground/enums/parcel-enums.ts'
import { day, id, instant, version } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { month } from '../wallet/preferences.ts'

/** Every kind, in the order in which they are offered. */
export const widgetKindLabels = {
  parcels_per_day: ['Parcels a day', '每日包裹'],
  parcels_by_status: ['Where your parcels are', '包裹在哪里'],
  failed_deliveries: ['Failed deliveries', '派送失败'],
  on_time: ['Delivered on time', '准时送达'],
  top_destinations: ['Top destinations', '主要目的地'],
  wallet: ['Wallet', '钱包'],
  outstanding: ['Outstanding', '待付款'],
  spend_by_month: ['Spend by month', '每月支出'],
  spend_by_user: ['Spend by user', '各用户支出'],
  banner: ['News', '最新消息'],
} as const
export type WidgetKind = keyof typeof widgetKindLabels

/** How many of the three columns of a wide screen a widget fills. */
export const widgetSizeLabels = {
  small: ['Narrow', '窄'],
  medium: ['Wide', '宽'],
  large: ['Full width', '整行'],
} as const
export type WidgetSize = keyof typeof widgetSizeLabels

export const widgetKind = z.enum(labelValues(widgetKindLabels))
export const widgetSize = z.enum(labelValues(widgetSizeLabels))

/** The periods of the figures. */
export const widgetPeriods = { days: 30, weeks: 8, months: 12 } as const
/** The maximum number of rows of widgets with a list. */
export const widgetRows = { destinations: 5, users: 5, failures: 5 } as const

/** Figures by kind. Days are those of the deployment's time zone, today last. */
const widgetData = {
  parcels_per_day: z.object({
    days: z.array(z.object({ day, created: z.number(), delivered: z.number() })),
  }),
  /** Open parcels in total, ended ones of the last 30 days. */
  parcels_by_status: z.object({
    byTrackingStatus: z.record(z.enum(labelValues(trackingStatusLabels)), z.number()),
  }),
  /** Parcels whose delivery failed, the latest first. */
  failed_deliveries: z.object({
    total: z.number(),
    parcels: z.array(
      z.object({
        parcelId: id,
        trackingNumber: z.nullable(z.string()),
        receiverName: z.nullable(z.string()),
        receiverCity: z.nullable(z.string()),
        failedAt: z.nullable(instant),
        /** Null: the choice has been made, or none is needed. */
        decideBy: z.nullable(instant),
      }),
    ),
  }),
  /** Compared with the originally promised day. Weeks of seven days; the last one ends today. */
  on_time: z.object({
    onTime: z.number(),
    late: z.number(),
    weeks: z.array(z.object({ from: day, onTime: z.number(), late: z.number() })),
  }),
  /** Parcels that were sent since the first day of last month. `state` is null abroad. */
  top_destinations: z.object({
    since: day,
    total: z.number(),
    destinations: z.array(z.object({ country: z.string(), state: z.nullable(z.string()), parcels: z.number() })),
  }),
  wallet: z.object({ balanceMinor: z.number(), lowBalanceMinor: z.nullable(z.number()), currency }),
  outstanding: z.object({ parcels: z.number(), dueMinor: z.number(), currency }),
  /** Paid and billed amounts, less refunds, by the month of the payment. */
  spend_by_month: z.object({
    months: z.array(z.object({ month, orders: z.number(), amountMinor: z.number() })),
    currency,
  }),
  /** This month and the previous one, the highest first; `others` is the sum of users who are not listed. */
  spend_by_user: z.object({
    month,
    users: z.array(z.object({ userId: id, name: z.string(), thisMonthMinor: z.number(), lastMonthMinor: z.number() })),
    others: z.object({ users: z.number(), thisMonthMinor: z.number(), lastMonthMinor: z.number() }),
    currency,
  }),
  banner: z.object({ banners: z.array(banner) }),
} as const satisfies Record<WidgetKind, z.ZodMiniType>

export type WidgetData = { [K in WidgetKind]: z.output<(typeof widgetData)[K]> }

const place = {
  id,
  /** 1 is the first. */
  order: z.number(),
  size: widgetSize,
  /** The version of the whole arrangement: every change of it is a new version. */
  version,
}
const of = <K extends WidgetKind>(kind: K) => z.object({ ...place, kind: z.literal(kind), data: widgetData[kind] })

export const widget = z.discriminatedUnion('kind', [
  of('parcels_per_day'),
  of('parcels_by_status'),
  of('failed_deliveries'),
  of('on_time'),
  of('top_destinations'),
  of('wallet'),
  of('outstanding'),
  of('spend_by_month'),
  of('spend_by_user'),
  of('banner'),
])
export type Widget = z.output<typeof widget>
