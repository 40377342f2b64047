/** The fields of a rate line that are numbers, in the order of the table. */
export const figures = [
  'minWeightGrams',
  'maxWeightGrams',
  'firstWeightGrams',
  'firstPriceMinor',
  'stepWeightGrams',
  'stepPriceMinor',
  'transitDays',
] as const
