import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'

/** The two answers that make a delivery mode: D is a door with a rider, P a station. */
export type Place = 'D' | 'P'
type Question = 'start' | 'end'

export const getStart = (mode: DeliveryMode) => mode.charAt(0) as Place
export const getEnd = (mode: DeliveryMode) => mode.charAt(2) as Place

/**
 * The mode after one question was answered. The other answer stays, unless that mode is not offered. Null: no offered
 * mode has this answer.
 */
export function answerWith(
  offered: readonly DeliveryMode[],
  present: DeliveryMode,
  question: Question,
  place: Place,
): DeliveryMode | null {
  const readAnswer = question === 'start' ? getStart : getEnd
  const readOther = question === 'start' ? getEnd : getStart
  const fitting = offered.filter((mode) => readAnswer(mode) === place)
  return fitting.find((mode) => readOther(mode) === readOther(present)) ?? fitting[0] ?? null
}
