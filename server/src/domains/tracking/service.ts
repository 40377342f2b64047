// Public tracking by number.
import { groupNumbersIn, numberSeparators, postalTracking } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import type { TrackingAnswer } from '@waybill/contract/tracking/tracking'
import type { Deps } from '../../deps.ts'
import { validationError } from '../../http/errors.ts'
import { JsonText } from '../../http/json-text.ts'
import { findOwnNumbers } from '../parcels/carrier-handover/bookings.ts'
import { findJourneys, type Journey } from '../parcels/timeline/service.ts'
import { type ParcelNumber, parseParcelNumber } from '../parcels/tracking-number.ts'
import { presentPublic } from './present.ts'

/** The maximum number of tracking numbers in one call or stream. */
const most = 30

/** The live topic of a number. */
export const trackingTopic = (trackingNumber: string) => `tracking:${trackingNumber}`

/** The numbers of a link (`A,B C`). Throws validation for none, and for more than thirty. */
export function parseNumberList(no: string): string[] {
  const numbers = no.split(numberSeparators).filter((part) => part.trim() !== '')
  if (numbers.length === 0) throw validationError({ field: 'no', rule: 'required' })
  if (numbers.length > most) throw validationError({ field: 'no', rule: 'maxItems', vars: { max: most } })
  return numbers
}

/**
 * Tracks numbers for the public: parcels in the order of the request, each once, and the reason for each other number.
 * Invalid numbers are not looked up. All others take one query.
 */
export async function track(deps: Deps, numbers: readonly string[], t: Translate): Promise<JsonText<TrackingAnswer>> {
  const prefix = deps.settings.get('tracking.prefix')
  const readings = new Map<string, ParcelNumber>()
  for (const input of numbers) {
    const reading = parseParcelNumber(input, prefix)
    readings.set(reading.number, reading)
  }
  const validNumbers = [...readings.values()].filter(({ problem }) => problem === null).map(({ number }) => number)
  const byCarrierNumber = await findOwnNumbers(deps, validNumbers)
  const trackingNumbers = [...new Set(validNumbers.map((number) => byCarrierNumber.get(number) ?? number))]
  const journeys = new Map(
    (await findJourneys(deps, trackingNumbers)).map((journey) => [journey.trackingNumber, journey]),
  )
  const parcels = new Set<Journey>()
  const notFound: TrackingAnswer['notFound'] = []
  for (const { number, problem, suggestion } of readings.values()) {
    const journey = journeys.get(byCarrierNumber.get(number) ?? number)
    if (journey) {
      // The request may contain both numbers of a parcel.
      parcels.add(journey)
    } else {
      const reason = problem ?? 'unknown'
      const key = reason === 'slip' && suggestion ? 'slipMeant' : reason
      const link = reason === 'postal' ? postalTracking : null
      const message = groupNumbersIn(t(`tracking.${key}`, { number, suggestion }))
      notFound.push({ number, reason, suggestion, link, message })
    }
  }
  const texts = [...parcels].map((journey) => {
    journey.publicText ??= JSON.stringify(presentPublic(journey))
    return journey.publicText
  })
  const rest = JSON.stringify({ notFound, timezone: deps.settings.get('timezone') })
  return new JsonText(`{"found":[${texts.join(',')}],${rest.slice(1)}`)
}

/** The valid numbers among these, as our own tracking numbers. */
export async function listFollowableNumbers(deps: Deps, numbers: readonly string[]): Promise<string[]> {
  const prefix = deps.settings.get('tracking.prefix')
  const readings = numbers.map((input) => parseParcelNumber(input, prefix))
  const validNumbers = readings.filter(({ problem }) => problem === null).map(({ number }) => number)
  const byCarrierNumber = await findOwnNumbers(deps, validNumbers)
  return [...new Set(validNumbers.map((number) => byCarrierNumber.get(number) ?? number))]
}
