import { numberSeparators, postalTracking } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import type { TrackingAnswer } from '@waybill/contract/tracking/tracking'
import type { Deps } from '../../deps.ts'
import { validationError } from '../../http/errors.ts'
import { findOwnNumbers } from '../parcels/carrier-handover/bookings.ts'
import { findJourneys } from '../parcels/service.ts'
import { type ParcelNumber, parseParcelNumber } from '../parcels/tracking-number.ts'
import { presentPublic } from './present.ts'

/** Numbers in one call, page and stream. */
const most = 30

/** The live topic of a number. */
export const trackingTopic = (trackingNumber: string) => `tracking:${trackingNumber}`

/** `A,B C` of a link -> its numbers. Throws validation for none and for more than thirty. */
export function parseNumberList(no: string): string[] {
  const numbers = no.split(numberSeparators).filter((part) => part.trim() !== '')
  if (numbers.length === 0) throw validationError({ field: 'no', rule: 'required' })
  if (numbers.length > most) throw validationError({ field: 'no', rule: 'maxItems', vars: { max: most } })
  return numbers
}

/**
 * Follows numbers for anybody: found ones in the order asked for, each once, and beside them why the others were not.
 * Numbers that can't be right are never looked up. All in one query.
 */
export async function track(deps: Deps, numbers: readonly string[], t: Translate): Promise<TrackingAnswer> {
  const prefix = deps.settings.get('tracking.prefix')
  const readings = new Map<string, ParcelNumber>()
  for (const input of numbers) {
    const reading = parseParcelNumber(input, prefix)
    readings.set(reading.number, reading)
  }
  const wanted = [...readings.values()].filter(({ problem }) => problem === null).map(({ number }) => number)
  // A carrier's number stands for ours.
  const ours = await findOwnNumbers(deps, wanted)
  const journeys = new Map(
    (await findJourneys(deps, [...new Set(wanted.map((number) => ours.get(number) ?? number))])).map((journey) => [
      journey.trackingNumber,
      journey,
    ]),
  )
  const answer: TrackingAnswer = { found: [], notFound: [], timezone: deps.settings.get('timezone') }
  for (const { number, problem, suggestion } of readings.values()) {
    const journey = journeys.get(ours.get(number) ?? number)
    if (journey) {
      // Asked for by both of its numbers, it is shown once.
      const shown = answer.found.some(({ trackingNumber }) => trackingNumber === journey.trackingNumber)
      if (!shown) answer.found.push(presentPublic(journey))
    } else {
      const reason = problem ?? 'unknown'
      const key = reason === 'slip' && suggestion ? 'slipMeant' : reason
      const link = reason === 'postal' ? postalTracking : null
      answer.notFound.push({ number, reason, suggestion, link, message: t(`tracking.${key}`, { number, suggestion }) })
    }
  }
  return answer
}

/** The numbers among these that a parcel may have, a carrier's as ours; what a stream listens for. */
export async function listFollowableNumbers(deps: Deps, numbers: readonly string[]): Promise<string[]> {
  const prefix = deps.settings.get('tracking.prefix')
  const readings = numbers.map((input) => parseParcelNumber(input, prefix))
  const right = readings.filter(({ problem }) => problem === null).map(({ number }) => number)
  const ours = await findOwnNumbers(deps, right)
  return [...new Set(right.map((number) => ours.get(number) ?? number))]
}
