/** Formats settings for the API. */

import { type Locale, locales } from '@waybill/contract/ground/constants'
import * as enums from '@waybill/contract/ground/enums/enums'
import { enumLabel, type Label, type Labels, labelValues } from '@waybill/contract/ground/enums/labels'
import * as parcelEnums from '@waybill/contract/ground/enums/parcel-enums'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { GeneralSettings, Options } from '@waybill/contract/settings/settings'
import type { Config } from '../../config.ts'
import { countryName, listCountries } from '../../lib/countries.ts'
import { type Settings, tileSource } from './load-settings.ts'
import { presentLoginMethods } from './login-methods.ts'
import type { MethodState } from './payment-methods.ts'
import type { Choice } from './selectors.ts'

/** The URL of the logo: a path of the portal, or on the API's own host if there is one. */
export function logoAddress(settings: Settings, config: Config): string | null {
  const id = settings.get('company.logo')
  return id && `${config.http.apiHost ?? ''}/api/public/logo/${id}`
}

/** Who operates the portal and how to reach them: on public pages and at the end of mails. */
export function readImprint(settings: Settings): GeneralSettings['imprint'] {
  return {
    address: settings.get('company.address'),
    registrationNumber: settings.get('company.registrationNumber'),
    taxNumber: settings.get('company.taxNumber'),
    phone: settings.get('company.phone'),
    email: settings.get('company.email'),
  }
}

/** The settings that every page needs first. */
export function presentGeneral(settings: Settings, config: Config): GeneralSettings {
  return {
    appName: settings.get('app.name'),
    companyName: settings.get('company.name'),
    companyLogo: logoAddress(settings, config),
    imprint: readImprint(settings),
    primaryColour: settings.get('ui.primaryColour'),
    timezone: settings.get('timezone'),
    currency: settings.get('currency'),
    countryCode: settings.get('countryCode'),
    weightUnit: settings.get('units.weight'),
    dimensionUnit: settings.get('units.dimension'),
    ownUnits: settings.get('units.own'),
    dateFormat: settings.get('format.date'),
    dateTimeFormat: settings.get('format.dateTime'),
    ...presentLoginMethods(settings),
    idleMinutes: settings.get('auth.expiryMinutes'),
    creditLabel: settings.get('wallet.creditLabel'),
    languages: [...locales],
    trackingPrefix: settings.get('tracking.prefix'),
    map: tileSource(settings),
    limits: {
      maxWeightGrams: settings.get('weight.maxGrams'),
      maxVolumetricGrams: settings.get('weight.maxVolumetricGrams'),
      maxThirdPartyWeightGrams: settings.get('weight.maxThirdPartyGrams'),
      maxThirdPartyVolumetricGrams: settings.get('weight.maxThirdPartyVolumetricGrams'),
      volumetricDivisor: settings.get('weight.divisor'),
      topUpMinMinor: settings.get('wallet.topUpMinMinor'),
      topUpMaxMinor: settings.get('wallet.topUpMaxMinor'),
      topUpPresetsMinor: settings.get('wallet.topUpPresetsMinor'),
      bonusPackages: settings.get('wallet.bonusPackages'),
    },
    features: { demo: config.demo },
  }
}

type LabelTable = Record<string, Label>

/** `parcelStatusLabels` -> `parcelStatus`: built from all label tables of the contract, so that none is forgotten. */
const enumValues: Options['enums'] = Object.fromEntries(
  Object.entries({ ...enums, ...parcelEnums })
    .filter(([name]) => name.endsWith('Labels'))
    .map(([name, table]) => [
      name.slice(0, -'Labels'.length),
      Object.entries(table as LabelTable).map(([value, [en, cn_zh]]) => ({ value, labels: { en, cn_zh } })),
    ]),
)

/** `Name|code` strings: the deployment's own list, else all of ISO 3166-1. */
function countryList(settings: Settings): readonly string[] {
  return settings.get('countries') ?? listCountries()
}

function splitCountry(country: string): [name: string, code: string] {
  const at = country.lastIndexOf('|')
  return [country.slice(0, at), country.slice(at + 1).toLowerCase()]
}

/**
 * The options of forms. The look-ups of countries are built from the list, with codes in lower case (specification,
 * section 3).
 */
export function presentOptions(settings: Settings, paymentMethods: MethodState[]): Options {
  const countries = countryList(settings)
  const pairs = countries.map(splitCountry)
  return {
    enums: enumValues,
    contentTypes: [...settings.get('contentTypes')],
    countries: [...countries],
    countryCodeByName: Object.fromEntries(pairs),
    countryNameByCode: Object.fromEntries(pairs.map(([name, code]) => [code, name])),
    serviceCharge: settings.get('price.serviceCharge'),
    insuranceTiers: settings.get('price.insuranceTiers'),
    deliveryModes: labelValues(deliveryModeLabels),
    serviceTypes: labelValues(serviceTypeLabels),
    paymentMethods,
  }
}

/**
 * The countries of a drop-down. A name from the deployment's own list is shown unchanged in English and translated
 * otherwise.
 */
export function countryChoices(settings: Settings, locale: Locale): Choice[] {
  const choices = countryList(settings).map((country) => {
    const [name, code] = splitCountry(country)
    return { value: code, label: locale === 'en' ? name : countryName(code, locale) }
  })
  return choices.sort((a, b) => a.label.localeCompare(b.label, locale === 'cn_zh' ? 'zh' : 'en'))
}

/** The values of an enumeration as choices in a language. */
export function labelledChoices<V extends string>(
  labels: Labels<V>,
  locale: Locale,
  values: readonly V[] = labelValues(labels),
): Choice[] {
  return values.map((value) => ({ value, label: enumLabel(labels, value, locale) }))
}
