/** Settings of the deployment: public ones, options of forms, and those that staff edit. */
import * as z from 'zod/mini'
import { identityProviders, locales, loginMethods, signInSides } from '../ground/constants.ts'
import { endpoint } from '../ground/endpoint.ts'
import { contentTypeLabels, paymentMethodLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { deliveryModeLabels, serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import { change, integer } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { generalSettingsRequest } from './requests.ts'

/** The settings that every page needs first; no sign-in needed. */
export const generalSettings = z.object({
  appName: z.string(),
  companyName: z.string(),
  companyLogo: z.nullable(z.string()),
  /** Who runs the portal and how to reach them. */
  imprint: z.object({
    address: z.string(),
    registrationNumber: z.nullable(z.string()),
    taxNumber: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
  primaryColour: z.string(),
  timezone: z.string(),
  currency,
  countryCode: z.string(),
  weightUnit: z.enum(['kg', 'lb']),
  dimensionUnit: z.enum(['cm', 'in']),
  /** Whether users may choose their own units. */
  ownUnits: z.boolean(),
  dateFormat: z.string(),
  dateTimeFormat: z.string(),
  /** The methods in use. A provider that is not set up is never among them. */
  loginMethods: z.array(z.enum(loginMethods)),
  /** The identity providers among them: the name on their button, and on which sign-in pages they are offered. */
  loginProviders: z.array(
    z.object({ provider: z.enum(identityProviders), label: z.string(), sides: z.array(z.enum(signInSides)) }),
  ),
  /** A session ends after this time without an action of its user. */
  idleMinutes: z.number(),
  creditLabel: z.string(),
  languages: z.array(z.enum(locales)),
  trackingPrefix: z.string(),
  /** Tiles of the map of stations; null without them. */
  map: z.nullable(z.object({ tileUrl: z.string(), attribution: z.string() })),
  limits: z.object({
    maxWeightGrams: z.number(),
    maxVolumetricGrams: z.number(),
    maxThirdPartyWeightGrams: z.number(),
    maxThirdPartyVolumetricGrams: z.number(),
    volumetricDivisor: z.number(),
    topUpMinMinor: z.number(),
    topUpMaxMinor: z.number(),
    topUpPresetsMinor: z.array(z.number()),
    bonusPackages: z.array(z.object({ fromMinor: z.number(), bonusMinor: z.number() })),
  }),
  features: z.object({ demo: z.boolean() }),
})
export type GeneralSettings = z.infer<typeof generalSettings>

const labelled = z.object({ value: z.string(), labels: z.object({ en: z.string(), cn_zh: z.string() }) })

export const options = z.object({
  /** Every enumeration by name, with labels in both languages. */
  enums: z.record(z.string(), z.array(labelled)),
  contentTypes: z.array(z.enum(labelValues(contentTypeLabels))),
  /** `Name|code`, as in the specification, and two look-ups built from it. */
  countries: z.array(z.string()),
  countryCodeByName: z.record(z.string(), z.string()),
  countryNameByCode: z.record(z.string(), z.string()),
  serviceCharge: z.object({ type: z.enum(['fixed', 'percentage']), value: z.number() }),
  insuranceTiers: z.array(z.object({ upToMinor: z.number(), premiumMinor: z.number() })),
  deliveryModes: z.array(z.enum(labelValues(deliveryModeLabels))),
  serviceTypes: z.array(z.enum(labelValues(serviceTypeLabels))),
  /** Every method; a closed one has a reason, a translation key under `paymentClosed.`. */
  paymentMethods: z.array(
    z.object({ method: z.enum(labelValues(paymentMethodLabels)), open: z.boolean(), reason: z.nullable(z.string()) }),
  ),
})
export type Options = z.infer<typeof options>

export const getGeneralSettings = endpoint({ ...generalSettingsRequest, response: generalSettings })

export const getOptions = endpoint({
  id: 'settings.options',
  method: 'GET',
  path: '/api/customer/settings/options',
  access: 'public',
  summary: 'Every enumeration with its labels, and what forms choose from',
  response: options,
})

export const selectorNames = [
  'countries',
  'states',
  'cities',
  'postcodes',
  'stations',
  'service-types',
  'delivery-modes',
  'payment-methods',
  'content-types',
  'parcel-statuses',
  'banks',
  'corporate-users',
] as const

export const getSelector = endpoint({
  id: 'settings.selector',
  method: 'GET',
  path: '/api/customer/selectors/:name',
  access: 'public',
  summary: 'The choices of a drop-down; an unknown name is 404',
  params: z.object({ name: z.string().check(z.maxLength(40)) }),
  query: z.object({
    country: z.optional(z.string().check(z.maxLength(2))),
    state: z.optional(z.string().check(z.maxLength(80))),
    city: z.optional(z.string().check(z.maxLength(80))),
    search: z.optional(z.string().check(z.maxLength(80))),
  }),
  response: z.object({ items: z.array(z.object({ value: z.string(), label: z.string() })) }),
})

export const getSettings = endpoint({
  id: 'settings.get',
  method: 'GET',
  path: '/api/settings',
  access: 'staff.settings',
  summary: 'All current settings by key; for a secret only whether it is set',
  response: z.object({
    values: z.record(z.string(), z.unknown()),
    secretsSet: z.record(z.string(), z.boolean()),
    /** The version of each setting; one that is absent was never changed. */
    versions: z.record(z.string(), z.number()),
    /** When each was last written, and by whom. */
    changed: z.record(z.string(), change),
  }),
})

export const putSettings = endpoint({
  id: 'settings.put',
  method: 'PUT',
  path: '/api/settings',
  access: 'staff.settings',
  summary: 'Writes setting keys; each is validated, audited and effective at once. Some are only for the superadmin',
  body: z.object({
    values: z.record(z.string().check(z.maxLength(80)), z.unknown()),
    /** The versions that the caller saw, by key (0: never written). A key that has changed since is a conflict. */
    versions: z.optional(z.record(z.string().check(z.maxLength(80)), integer(0))),
  }),
  response: z.object({ changed: z.array(z.string()) }),
})

export const settingsHistory = endpoint({
  id: 'settings.history',
  method: 'GET',
  path: '/api/settings/history',
  access: 'staff.settings',
  summary: 'The latest changes of the settings, newest first: what, from what to what, who and when',
  query: z.object({ key: z.optional(z.string().check(z.maxLength(80))) }),
  response: z.object({
    items: z.array(
      z.extend(change, {
        key: z.string(),
        /** Null for a secret. */
        from: z.unknown(),
        to: z.unknown(),
      }),
    ),
  }),
})
