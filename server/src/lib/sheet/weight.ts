/** A weight as a number of a spreadsheet, whose column header has the unit. */
import { gramsPerUnit, type WeightUnit } from '@waybill/contract/ground/format'

/** Grams in a unit, with three decimals: as exact as grams in kilograms. */
export const weightCell = (grams: number | null, unit: WeightUnit): number | null =>
  grams === null ? null : Math.round((grams / gramsPerUnit[unit]) * 1000) / 1000
