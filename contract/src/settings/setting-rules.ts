/** The rule of every setting, for the server and the settings page. Defaults are on the server. */
import * as z from 'zod/mini'
import { loginMethods, signInSides } from '../ground/constants.ts'
import { contentTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, integer, weekday } from '../ground/fields.ts'
import { dateFormats, dateTimeFormats } from '../ground/format.ts'
import { weightGrams } from '../ground/measures.ts'
import { basisPoints, minorAmount, positiveMinorAmount } from '../ground/money.ts'

const line = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))
const optionalLine = (max: number) => z.nullable(z.string().check(z.trim(), z.maxLength(max)))
const timeZones = new Set(Intl.supportedValuesOf('timeZone'))

export const mailgunRegions = ['us', 'eu'] as const
export type MailgunRegion = (typeof mailgunRegions)[number]

const hostName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
/** The host name or address of a mail server, without its port. */
const host = z.nullable(
  z.string().check(z.trim(), z.maxLength(253), z.regex(new RegExp(`${hostName.source}|${z.regexes.ipv6.source}`))),
)
/** The URL of map tiles. Its host has no placeholder, because the content security policy allows exactly that host. */
const tileUrl = z.nullable(
  z.string().check(z.trim(), z.maxLength(500), z.refine<string>(isTileUrl, { params: { rule: 'tileUrl' } })),
)
function isTileUrl(url: string): boolean {
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => url.includes(place))
  return hasPlaces && /^https:\/\/[a-z0-9.-]+(:\d{1,5})?\/[^\s"'<>;,]*$/.test(url) && URL.canParse(url)
}
const secret = z.nullable(z.string().check(z.minLength(1), z.maxLength(400)))

/** An issuer has neither query nor fragment. Plain http is accepted on this machine only. */
const issuer = (pattern: RegExp) => z.nullable(z.string().check(z.trim(), z.maxLength(2048), z.regex(pattern)))
const anyIssuer = /^(https:\/\/[^\s/?#@]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?)(\/[^\s?#]*)?$/
/** `common` and `organizations` are not tenants: which tenants may sign in is a separate setting. */
const entraIssuer = /^https:\/\/login\.microsoftonline\.com\/[\w.-]+\/v2\.0$/
const sides = z.array(z.enum(signInSides)).check(z.minLength(1))
const tenant = z.string().check(z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/))

export const settingRules = {
  'app.name': line(60),
  'company.name': line(120),
  /** The id of an attachment with the purpose `logo`. */
  'company.logo': z.nullable(id),
  'company.registrationNumber': optionalLine(40),
  'company.taxNumber': optionalLine(40),
  'company.address': z.string().check(z.maxLength(400)),
  /** How customers reach the company: on the contact page. */
  'company.phone': optionalLine(40),
  'company.email': z.nullable(z.string().check(z.trim(), z.maxLength(320), z.email())),
  'ui.primaryColour': z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  timezone: z.string().check(z.refine((zone) => timeZones.has(zone), { params: { rule: 'enum' } })),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  countryCode: z.string().check(z.regex(/^[a-z]{2}$/)),
  /** `Name|code` strings; null uses the built-in list. */
  countries: z.nullable(z.array(z.string().check(z.regex(/^[^|]+\|[a-z]{2}$/))).check(z.minLength(1))),
  'units.weight': z.enum(['kg', 'lb']),
  'units.dimension': z.enum(['cm', 'in']),
  /** Whether users may choose their own units. Documents keep those of the deployment. */
  'units.own': z.boolean(),
  'format.date': z.enum(dateFormats),
  'format.dateTime': z.enum(dateTimeFormats),
  'auth.methods': z.array(z.enum(loginMethods)).check(z.minLength(1)),
  /** The identity providers. Each is offered once its issuer, client and secret are set. */
  'keycloak.issuer': issuer(anyIssuer),
  'keycloak.clientId': optionalLine(200),
  'keycloak.clientSecret': secret,
  /** The text of the button; null: `Keycloak`. */
  'keycloak.label': optionalLine(40),
  /** Who may sign in with it. */
  'keycloak.sides': sides,
  'ms365.issuer': issuer(entraIssuer),
  'ms365.clientId': optionalLine(200),
  'ms365.clientSecret': secret,
  'ms365.label': optionalLine(40),
  'ms365.sides': sides,
  /** The directory (tenant) ids whose people may sign in; all others are refused. */
  'ms365.tenants': z.nullable(z.array(tenant).check(z.minLength(1), z.maxLength(100))),
  /** A session ends after this time without an action of its user; no session lasts longer than 30 days. */
  'auth.expiryMinutes': integer(15, 43_200),
  /** Whether staff sign in with a code of an authenticator app in addition to the password. */
  'auth.staffSecondFactor': z.enum(['off', 'required']),
  /** The version of the credit terms. A company must accept a new version before it can use monthly billing. */
  'billing.termsVersion': line(40),
  /** How long a member's order waits for the owner's decision. */
  'approvals.days': integer(1, 60),
  /** The number of days in which a receiver can enter their address through a sender's link. */
  'addresses.linkDays': integer(1, 60),
  'wallet.creditLabel': line(12),
  'wallet.topUpMinMinor': minorAmount,
  'wallet.topUpMaxMinor': minorAmount,
  /** The bonus for a top-up of at least `fromMinor`. The largest package that the amount reaches applies. */
  'wallet.bonusPackages': z.array(z.object({ fromMinor: minorAmount, bonusMinor: minorAmount })).check(z.maxLength(8)),
  'wallet.topUpPresetsMinor': z.array(minorAmount).check(z.maxLength(8)),
  'tracking.prefix': z.string().check(z.regex(/^[A-Z]{2,4}$/)),
  /** The GS1 company prefix in the SSCC of gunnies. The default is the one in GS1's own examples. */
  'gunny.companyPrefix': z.string().check(z.regex(/^\d{7,10}$/)),
  'weight.maxGrams': weightGrams,
  'weight.maxVolumetricGrams': weightGrams,
  'weight.maxThirdPartyGrams': weightGrams,
  'weight.maxThirdPartyVolumetricGrams': weightGrams,
  'weight.divisor': integer(1000, 10_000),
  contentTypes: z.array(z.enum(labelValues(contentTypeLabels))).check(z.minLength(1)),
  /** Prohibited contents: descriptions are searched for these words. `international`: prohibited only abroad. */
  'contents.prohibited': z
    .array(
      z.object({
        name: z.object({ en: line(80), cn_zh: line(80) }),
        scope: z.enum(['all', 'international']),
        words: z.array(line(60)).check(z.minLength(1), z.maxLength(100)),
      }),
    )
    .check(z.maxLength(50)),
  /**
   * One special drawing right (SDR) in minor units: the limit between CN22 and CN23 is in SDR. The IMF publishes it
   * daily.
   */
  'customs.sdrMinor': positiveMinorAmount,
  /** The default rate card, for accounts without their own. */
  'price.rateCard': line(40),
  'price.serviceCharge': z.object({ type: z.enum(['fixed', 'percentage']), value: minorAmount }),
  'price.fuelBasisPoints': basisPoints,
  'price.pickupFeeMinor': minorAmount,
  /** The fees, before tax, for recalling a parcel in transit and for picking up a return at its receiver. */
  'price.recallFeeMinor': minorAmount,
  'price.returnFeeMinor': minorAmount,
  /** The number of days after its delivery in which a parcel can be returned. */
  'returns.windowDays': integer(0, 365),
  /** The number of days after its arrival in which a parcel can be claimed for. */
  'claims.windowDays': integer(1, 365),
  'price.codBasisPoints': basisPoints,
  'price.codMinimumMinor': minorAmount,
  /** The weekday (1 is Monday) of COD payouts to senders; null: staff make them manually. */
  'cod.payoutWeekday': z.nullable(weekday),
  /** The fee of a payout; 0 if the COD fee already covers it. */
  'cod.payoutFeeMinor': minorAmount,
  /** Malaysian service tax on courier services: 6 % since 2024-03-01. */
  'price.taxBasisPoints': basisPoints,
  /** The tax on international services; Malaysia does not tax them. */
  'price.internationalTaxBasisPoints': basisPoints,
  /** Premiums by insured value; above the last tier nothing is insured. */
  'price.insuranceTiers': z
    .array(z.object({ upToMinor: minorAmount, premiumMinor: minorAmount }))
    .check(z.maxLength(20)),
  /** A difference between scale and declaration up to this weight is ignored. */
  'weighing.toleranceGrams': integer(0, 5000),
  /** How long a sender may contest a weight. */
  'weighing.contestHours': integer(1, 720),
  /** Whether the difference for a lighter parcel is refunded to the wallet. */
  'weighing.refundLighter': z.boolean(),
  /** The sender is notified of a moving parcel that has had no scan for this long. */
  'tracking.silenceHours': integer(1, 720),
  /** The number of delivery attempts before a parcel is returned. */
  'delivery.maxAttempts': integer(1, 10),
  /** Days to choose after a failed delivery; without a choice the parcel is returned. */
  'delivery.decideDays': integer(1, 60),
  /** Fees of the choices after a failed delivery, before tax. */
  'delivery.retryFeeMinor': minorAmount,
  'delivery.correctFeeMinor': minorAmount,
  'delivery.divertFeeMinor': minorAmount,
  /** Days that a parcel is kept at the station where it is collected. */
  'collection.holdingDays': integer(1, 60),
  'mail.fromName': line(80),
  /** Null: the address in the MAIL_FROM variable. */
  'mail.fromAddress': z.nullable(z.string().check(z.trim(), z.maxLength(320), z.email())),
  /** `generic`: SMTP to `mail.host`, or to the server's SMTP_URL if that is null. `mailgun`: Mailgun's own API. */
  'mail.transport': z.enum(['generic', 'mailgun']),
  'mail.host': host,
  'mail.port': integer(1, 65_535),
  /** TLS from the first byte (port 465); otherwise STARTTLS if the server offers it. */
  'mail.ssl': z.boolean(),
  'mail.user': optionalLine(320),
  'mail.password': secret,
  /** The sending domain at Mailgun, and the region that it was created in. */
  'mail.mailgunDomain': host,
  'mail.mailgunRegion': z.enum(mailgunRegions),
  'mail.mailgunKey': secret,
  /** The tiles of the map of stations: `https://host/{z}/{x}/{y}.png`. Null: a plain background. */
  'map.tileUrl': tileUrl,
  /** The attribution of the map's tiles, in plain text. */
  'map.attribution': optionalLine(200),
  /** How long the activity log is kept. */
  'retention.activityDays': integer(90, 3650),
  'retention.notificationDays': integer(7, 730),
  /** How long posts of the payment gateway are kept. Those that still need a review are kept longer. */
  'retention.gatewayDays': integer(90, 3650),
} as const satisfies Record<string, z.ZodMiniType>

export type SettingKey = keyof typeof settingRules
export type SettingValue<K extends SettingKey> = z.output<(typeof settingRules)[K]>

export const settingKeys = Object.keys(settingRules) as SettingKey[]

/** Settings that are stored encrypted and never returned. */
export const secretKeys = [
  'mail.password',
  'mail.mailgunKey',
  'keycloak.clientSecret',
  'ms365.clientSecret',
] as const satisfies readonly SettingKey[]
export type SecretKey = (typeof secretKeys)[number]
/** Settings that a reader of the settings may see. */
export type OpenKey = Exclude<SettingKey, SecretKey>

export function isSecretKey(key: SettingKey): key is SecretKey {
  return (secretKeys as readonly SettingKey[]).includes(key)
}

/** The settings of each mail transport, and those that it requires. */
export const mailTransports = {
  generic: { keys: ['mail.host', 'mail.port', 'mail.ssl', 'mail.user', 'mail.password'], required: [] },
  mailgun: {
    keys: ['mail.mailgunDomain', 'mail.mailgunRegion', 'mail.mailgunKey'],
    required: ['mail.mailgunDomain', 'mail.mailgunKey'],
  },
} as const satisfies Record<
  SettingValue<'mail.transport'>,
  { keys: readonly SettingKey[]; required: readonly SettingKey[] }
>

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingRules, key)
}

/** Keys that define the meaning of money and numbers; changing them cannot be undone. */
const foundations: readonly SettingKey[] = ['currency', 'countryCode', 'tracking.prefix']

/**
 * The row of the access table that is needed to write a setting. Authentication with its providers, mail, the
 * `foundations` and all secrets are only for the superadmin; the prefixes also cover keys that are added later.
 */
export function settingAccess(key: SettingKey): 'staff.system' | 'staff.settings' {
  const reserved = /^(auth|keycloak|ms365|mail)\./.test(key) || foundations.includes(key) || isSecretKey(key)
  return reserved ? 'staff.system' : 'staff.settings'
}
