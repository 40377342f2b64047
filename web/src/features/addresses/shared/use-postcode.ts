import { getPostcode } from '@waybill/contract/addresses/addresses'
import { postcode as postcodeRule } from '@waybill/contract/ground/fields'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useCall } from '../../../lib/query.ts'

const settleMs = 250
/**
 * The length of Malaysian postcodes. Elsewhere lengths differ; a postcode that is too short only costs one useless
 * request.
 */
const wholeLength: Record<string, number> = { my: 5 }

type Place = { postcode: string; state: string; cities: readonly string[] }

type PostcodePlace = {
  /** The place of the postcode; null until the response has arrived. */
  place: Place | null
  /** The server's message for an unknown postcode. */
  error: string | undefined
  searching: boolean
}

/** Cities and state of a postcode, requested as soon as it is complete. */
export function usePostcode(postcode: string, country: string): PostcodePlace {
  const input = postcode.trim()
  const [stableInput, setStableInput] = useState(input)
  useEffect(() => {
    const timer = setTimeout(() => setStableInput(input), settleMs)
    return () => clearTimeout(timer)
  }, [input])
  const whole = stableInput.length >= (wholeLength[country] ?? 3) && postcodeRule.safeParse(stableInput).success
  const { data, error, isFetching } = useCall(
    getPostcode,
    { body: { postcode: stableInput, country } },
    { enabled: whole, staleTime: 3_600_000 },
  )
  const present = whole && stableInput === input
  const isUnknown = present && error instanceof ApiError && error.statusCode === 422
  return {
    place: present && data ? { postcode: stableInput, state: data.state, cities: data.cities } : null,
    error: isUnknown ? getMessage(error) : undefined,
    searching: present && isFetching,
  }
}

const getMessage = ({ errors: [first], message }: ApiError) => first?.message ?? message

/** The server's message if the address fields have found that the postcode is unknown. Sends no request. */
export function useUnknownPostcode(postcode: string, country: string): string | undefined {
  const { error } = useCall(getPostcode, { body: { postcode: postcode.trim(), country } }, { enabled: false })
  return error instanceof ApiError && error.statusCode === 422 ? getMessage(error) : undefined
}

type PlaceValues = { place: Place | null; country: string; city: string; state: string }

/**
 * Contradictions to the postcode, by field, as soon as they are typed: at the end of the form the user would have to
 * go back. Values that the postcode has filled in are not compared.
 */
export function useContradictions({ place, country, city, state }: PlaceValues): ReadonlyMap<string, string> {
  const input = JSON.stringify({ city: city.trim(), state: state.trim() })
  const [stableValues, setStableValues] = useState(input)
  useEffect(() => {
    const timer = setTimeout(() => setStableValues(input), settleMs)
    return () => clearTimeout(timer)
  }, [input])
  const fits = place === null || place.state === '' || (place.state === state && place.cities.includes(city))
  const { data } = useCall(
    getPostcode,
    { body: { postcode: place?.postcode ?? '', country, ...JSON.parse(stableValues) } },
    { enabled: !fits && stableValues === input && city.trim() !== '' && state.trim() !== '', staleTime: 3_600_000 },
  )
  const contradictions = fits ? [] : (data?.contradictions ?? [])
  return new Map(contradictions.map(({ field, message }) => [field, message]))
}
