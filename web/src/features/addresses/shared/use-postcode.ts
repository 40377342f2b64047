import { getPostcode } from '@waybill/contract/addresses/addresses'
import { postcode as postcodeRule } from '@waybill/contract/ground/fields'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useCall } from '../../../lib/query.ts'

const settleMs = 250
/**
 * The length of Malaysian postcodes. Elsewhere lengths differ, and too short a postcode only costs one useless request.
 */
const wholeLength: Record<string, number> = { my: 5 }

type PostcodePlace = {
  /** The place of the postcode; null until the response is there. */
  place: { postcode: string; state: string; cities: readonly string[] } | null
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
    error: isUnknown ? (error.errors[0]?.message ?? error.message) : undefined,
    searching: present && isFetching,
  }
}
