import { intlLocale, locales } from '@waybill/contract/ground/constants'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { postcode } from '@waybill/contract/ground/fields'
import { weightGrams } from '@waybill/contract/ground/measures'
import type { priceServices } from '@waybill/contract/pricing/pricing'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useCountries } from '../../../lib/settings/countries.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'

/** The three fields of a price estimate. `to` is a domestic postcode, or the name or code of a country. */
export const estimateFields = z.object({
  from: postcode,
  to: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  weightGrams,
})
export type Estimate = z.output<typeof estimateFields>

/** The destination of a parcel. Abroad the price depends on the country, so there is no postcode. */
export type Destination = { country: string; postcode: string | null }

/**
 * The possible destination countries, by their names in the user's language, and a function that turns a text into a
 * destination. A text that is not a country is a domestic postcode. Null before the deployment's settings are loaded.
 */
export function useDestinations(): { names: readonly string[]; find: ((text: string) => Destination) | null } {
  const home = useDeployment()?.countryCode
  const countries = useCountries()
  return useMemo(() => {
    const abroad = (countries ?? []).filter(({ value }) => value !== home)
    const byText = new Map(abroad.map(({ value }) => [value, value]))
    for (const locale of locales) {
      const names = new Intl.DisplayNames(intlLocale(locale), { type: 'region' })
      for (const { value } of abroad) byText.set((names.of(value.toUpperCase()) ?? value).toLowerCase(), value)
    }
    for (const { value, label } of abroad) byText.set(label.toLowerCase(), value)
    return {
      names: abroad.map(({ label }) => label),
      find:
        home === undefined || !countries
          ? null
          : (text) => {
              const country = byText.get(text.trim().toLowerCase())
              return country ? { country, postcode: null } : { country: home, postcode: text.trim() }
            },
    }
  }, [countries, home])
}

/** The request of a price estimate. `home`: the deployment's country. */
export function toPriceRequest(
  { from, weightGrams: grams }: Omit<Estimate, 'to'>,
  to: Destination,
  home: string,
): BodyIn<typeof priceServices> {
  return {
    scope: to.country === home ? 'domestic' : 'international',
    sender: { postcode: from, country: home },
    // International prices depend on the country only.
    receiver: { postcode: to.postcode ?? '0', country: to.country },
    weightGrams: grams,
  }
}
