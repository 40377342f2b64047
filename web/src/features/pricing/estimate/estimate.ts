import { intlLocale, locales } from '@waybill/contract/ground/constants'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { postcode } from '@waybill/contract/ground/fields'
import { weightGrams } from '@waybill/contract/ground/measures'
import type { priceServices } from '@waybill/contract/pricing/pricing'
import { getSelector } from '@waybill/contract/settings/settings'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useLanguage } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'

/** The three fields of a price. `to` is a postcode at home, or the name or code of a country. */
export const estimateFields = z.object({
  from: postcode,
  to: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  weightGrams,
})
export type Estimate = z.output<typeof estimateFields>

/** Where a parcel goes. Abroad the country decides, so there is no postcode. */
export type Destination = { country: string; postcode: string | null }

/**
 * The countries that a parcel can go to, by their names in the user's language, and how a text becomes a destination. A
 * text that names no country is a postcode at home. Null before the deployment's settings are loaded.
 */
export function useDestinations(): { names: readonly string[]; find: ((text: string) => Destination) | null } {
  const language = useLanguage()
  const home = useDeployment()?.countryCode
  const { data } = useCall(getSelector, { params: { name: 'countries' }, query: {} }, { staleTime: 3_600_000 })
  return useMemo(() => {
    const codes = (data?.items ?? []).map(({ value }) => value).filter((code) => code !== home)
    const namesIn = (locale: string) => new Intl.DisplayNames(locale, { type: 'region' })
    const own = namesIn(intlLocale(language))
    const byText = new Map(codes.map((code) => [code, code]))
    for (const locale of locales) {
      const names = namesIn(intlLocale(locale))
      for (const code of codes) byText.set((names.of(code.toUpperCase()) ?? code).toLowerCase(), code)
    }
    const { compare } = new Intl.Collator(intlLocale(language))
    return {
      names: codes.map((code) => own.of(code.toUpperCase()) ?? code).sort(compare),
      find:
        home === undefined || !data
          ? null
          : (text) => {
              const country = byText.get(text.trim().toLowerCase())
              return country ? { country, postcode: null } : { country: home, postcode: text.trim() }
            },
    }
  }, [data, home, language])
}

/** The request of a price. `home`: the deployment's country. */
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
