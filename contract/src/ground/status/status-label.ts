/** The labels of statuses that depend on the leg of the journey. */
import type { Locale } from '../constants.ts'
import { enumLabel, type Label, type Labels, labelIn } from '../enums/labels.ts'
import type { Leg } from '../enums/parcel-enums.ts'

/** Shown instead of "delivered" for a returned parcel. */
const returnedLabel: Label = ['Back with the sender', '已退回寄件人']
const endOfWay: readonly string[] = ['completed', 'delivered']

/** The label of a status or tracking status. A returned parcel ends "back with the sender", not "delivered". */
export function statusLabel<V extends string>(labels: Labels<V>, value: V, leg: Leg, locale: Locale): string {
  if (leg === 'return' && endOfWay.includes(value)) return labelIn(returnedLabel, locale)
  return enumLabel(labels, value, locale)
}
