import * as z from 'zod/mini'
import { contentTypeLabels, labelValues } from '../ground/enums.ts'
import { dateFormats, dateTimeFormats } from '../ground/format.ts'
import { loginMethods } from './settings.ts'

/**
 * The rule of every setting, for the server that writes them and the form that they are written in. Keys are dotted;
 * what a new deployment has stands with the server.
 */

const minor = z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))
const grams = z.number().check(z.int(), z.minimum(1), z.maximum(10_000_000))
const basisPoints = z.number().check(z.int(), z.minimum(0), z.maximum(10_000))
const line = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))
const optionalLine = (max: number) => z.nullable(z.string().check(z.trim(), z.maxLength(max)))
const timeZones = new Set(Intl.supportedValuesOf('timeZone'))

/** A host name or address, as a mail server has. */
const host = z.nullable(
  z.string().check(z.trim(), z.maxLength(253), z.regex(/^[A-Za-z0-9](?:[A-Za-z0-9.:-]*[A-Za-z0-9])?$/)),
)
const secret = z.nullable(z.string().check(z.minLength(1), z.maxLength(400)))

export const settingRules = {
  'app.name': line(60),
  'company.name': line(120),
  'company.logo': optionalLine(2048),
  'company.registrationNumber': optionalLine(40),
  'company.taxNumber': optionalLine(40),
  'company.address': z.string().check(z.maxLength(400)),
  'ui.primaryColour': z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  timezone: z.string().check(z.refine((zone) => timeZones.has(zone), { params: { rule: 'enum' } })),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  countryCode: z.string().check(z.regex(/^[a-z]{2}$/)),
  /** `Name|code` strings; null takes the built-in list. */
  countries: z.nullable(z.array(z.string().check(z.regex(/^[^|]+\|[a-z]{2}$/)))),
  'units.weight': z.enum(['kg', 'lb']),
  'units.dimension': z.enum(['cm', 'in']),
  'format.date': z.enum(dateFormats),
  'format.dateTime': z.enum(dateTimeFormats),
  'auth.methods': z.array(z.enum(loginMethods)).check(z.minLength(1)),
  /** A session that has not been used for so long asks for the password again; none lasts longer than 30 days. */
  'auth.expiryMinutes': z.number().check(z.int(), z.minimum(15), z.maximum(43_200)),
  /** Whether staff sign in with a code of an authenticator app beside the password. */
  'auth.staffSecondFactor': z.enum(['off', 'required']),
  /** The credit terms that a company accepts before monthly billing opens; a new version has to be accepted anew. */
  'billing.termsVersion': line(40),
  /** How long a member's order waits for the owner's decision. */
  'approvals.days': z.number().check(z.int(), z.minimum(1), z.maximum(60)),
  'wallet.creditLabel': line(12),
  'wallet.topUpMinMinor': minor,
  'wallet.topUpMaxMinor': minor,
  /** A top-up of so much or more earns so much beside itself; the largest package that it reaches counts. */
  'wallet.bonusPackages': z.array(z.object({ fromMinor: minor, bonusMinor: minor })).check(z.maxLength(8)),
  'wallet.topUpPresetsMinor': z.array(minor).check(z.maxLength(8)),
  'tracking.prefix': z.string().check(z.regex(/^[A-Z]{2,4}$/)),
  /** The GS1 company prefix in the SSCC of sacks. The one of GS1's own examples until the deployment has its own. */
  'gunny.companyPrefix': z.string().check(z.regex(/^\d{7,10}$/)),
  'weight.maxGrams': grams,
  'weight.maxVolumetricGrams': grams,
  'weight.maxThirdPartyGrams': grams,
  'weight.maxThirdPartyVolumetricGrams': grams,
  'weight.divisor': z.number().check(z.int(), z.minimum(1000), z.maximum(10_000)),
  contentTypes: z.array(z.enum(labelValues(contentTypeLabels))).check(z.minLength(1)),
  /**
   * What is not carried: the contents that a sender writes are looked through for these words. `international`: at home
   * it may travel.
   */
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
   * One special drawing right in minor units of the currency: what decides between CN22 and CN23 (the IMF publishes it
   * daily).
   */
  'customs.sdrMinor': z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000)),
  /** The rate card of everybody who has none of their own. */
  'price.rateCard': line(40),
  'price.serviceCharge': z.object({ type: z.enum(['fixed', 'percentage']), value: minor }),
  'price.fuelBasisPoints': basisPoints,
  'price.pickupFeeMinor': minor,
  /** What calling a parcel back on its way costs, and fetching a delivered one from its receiver; before tax. */
  'price.recallFeeMinor': minor,
  'price.returnFeeMinor': minor,
  /** How long after its delivery a parcel can be sent back. */
  'returns.windowDays': z.number().check(z.int(), z.minimum(0), z.maximum(365)),
  'price.codBasisPoints': basisPoints,
  'price.codMinimumMinor': minor,
  /**
   * The day of the week (1 is Monday) on which senders are paid what recipients paid; null: staff does it when they
   * want.
   */
  'cod.payoutWeekday': z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(7))),
  /** What a payout costs; nothing, where collecting is in the price already. */
  'cod.payoutFeeMinor': minor,
  /** Malaysian service tax on courier services: 6 % since 2024-03-01. */
  'price.taxBasisPoints': basisPoints,
  /** The same of what goes abroad, which Malaysia does not tax. */
  'price.internationalTaxBasisPoints': basisPoints,
  /** Premiums by insured value; above the last tier nothing is insured. */
  'price.insuranceTiers': z.array(z.object({ upToMinor: minor, premiumMinor: minor })).check(z.maxLength(20)),
  /** A scale may say so much more or less than declared before anything follows from it. */
  'weighing.toleranceGrams': z.number().check(z.int(), z.minimum(0), z.maximum(5000)),
  /** How long a sender may contest a weight. */
  'weighing.contestHours': z.number().check(z.int(), z.minimum(1), z.maximum(720)),
  /** What a lighter parcel was paid too much goes back to the wallet. */
  'weighing.refundLighter': z.boolean(),
  /** A moving parcel without a scan for so long comes to its sender's notice. */
  'tracking.silenceHours': z.number().check(z.int(), z.minimum(1), z.maximum(720)),
  /** Attempts to deliver before a parcel goes back. */
  'delivery.maxAttempts': z.number().check(z.int(), z.minimum(1), z.maximum(10)),
  /** After a failed delivery it waits so long for somebody's choice, then it goes back. */
  'delivery.decideDays': z.number().check(z.int(), z.minimum(1), z.maximum(60)),
  /** Fees of what is chosen after a failed delivery, without tax. */
  'delivery.retryFeeMinor': minor,
  'delivery.correctFeeMinor': minor,
  'delivery.divertFeeMinor': minor,
  /** Days that a parcel is kept at the station where it is collected. */
  'collection.holdingDays': z.number().check(z.int(), z.minimum(1), z.maximum(60)),
  'mail.fromName': line(80),
  /** null: the address that the server was started with. */
  'mail.fromAddress': z.nullable(z.string().check(z.trim(), z.maxLength(320), z.email())),
  /**
   * `generic` speaks SMTP with `mail.host`, or with the server's own mail server where that is null; `mailgun` with
   * Mailgun's.
   */
  'mail.transport': z.enum(['generic', 'mailgun']),
  'mail.host': host,
  'mail.port': z.number().check(z.int(), z.minimum(1), z.maximum(65_535)),
  /** TLS from the first byte (port 465); otherwise STARTTLS where the server offers it. */
  'mail.ssl': z.boolean(),
  'mail.user': optionalLine(320),
  'mail.password': secret,
  /** How long the activity log is kept. */
  'retention.activityDays': z.number().check(z.int(), z.minimum(90), z.maximum(3650)),
  /** How long what the payment gateway sent is kept; what still waits for staff stays. */
  'retention.gatewayDays': z.number().check(z.int(), z.minimum(90), z.maximum(3650)),
} as const satisfies Record<string, z.ZodMiniType>

export type SettingKey = keyof typeof settingRules
export type SettingValue<K extends SettingKey> = z.output<(typeof settingRules)[K]>

export const settingKeys = Object.keys(settingRules) as SettingKey[]

/** Settings that are stored encrypted and never answered back. */
export const secretKeys = ['mail.password'] as const satisfies readonly SettingKey[]
export type SecretKey = (typeof secretKeys)[number]
/** Settings that anybody who may see settings may see. */
export type OpenKey = Exclude<SettingKey, SecretKey>

export function isSecretKey(key: SettingKey): key is SecretKey {
  return (secretKeys as readonly SettingKey[]).includes(key)
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingRules, key)
}
