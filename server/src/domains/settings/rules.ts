import { contentTypeLabels, valuesOf } from '@waybill/contract/enums'
import * as z from 'zod/mini'
import { prohibitedContents } from './prohibited-rules.ts'

const minor = z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))
const grams = z.number().check(z.int(), z.minimum(1), z.maximum(10_000_000))
const basisPoints = z.number().check(z.int(), z.minimum(0), z.maximum(10_000))
const line = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))
const optionalLine = (max: number) => z.nullable(z.string().check(z.trim(), z.maxLength(max)))
const timeZones = new Set(Intl.supportedValuesOf('timeZone'))

type Definition = { schema: z.ZodMiniType; default: unknown; secret?: true }

/** A host name or address, as a mail server has. */
const host = z.nullable(
  z.string().check(z.trim(), z.maxLength(253), z.regex(/^[A-Za-z0-9](?:[A-Za-z0-9.:-]*[A-Za-z0-9])?$/)),
)
const secret = z.nullable(z.string().check(z.minLength(1), z.maxLength(400)))

/** Every setting with its rule and the value of a new deployment. Keys are dotted; secrets are stored encrypted and never answered back. */
export const settingDefinitions = {
  'app.name': { schema: line(60), default: 'Waybill' },
  'company.name': { schema: line(120), default: 'Waybill Express Sdn Bhd' },
  'company.logo': { schema: optionalLine(2048), default: null },
  'company.registrationNumber': { schema: optionalLine(40), default: null },
  'company.taxNumber': { schema: optionalLine(40), default: null },
  'company.address': { schema: z.string().check(z.maxLength(400)), default: '' },
  'ui.primaryColour': { schema: z.string().check(z.regex(/^#[0-9a-f]{6}$/)), default: '#e82023' },
  timezone: {
    schema: z.string().check(z.refine((zone) => timeZones.has(zone), { params: { rule: 'enum' } })),
    default: 'Asia/Kuala_Lumpur',
  },
  currency: { schema: z.string().check(z.regex(/^[A-Z]{3}$/)), default: 'MYR' },
  countryCode: { schema: z.string().check(z.regex(/^[a-z]{2}$/)), default: 'my' },
  /** `Name|code` strings; null takes the built-in list. */
  countries: { schema: z.nullable(z.array(z.string().check(z.regex(/^[^|]+\|[a-z]{2}$/)))), default: null },
  'units.weight': { schema: z.enum(['kg', 'lb']), default: 'kg' },
  'units.dimension': { schema: z.enum(['cm', 'in']), default: 'cm' },
  'format.date': { schema: z.enum(['DD/MM/YYYY', 'YYYY-MM-DD', 'MM/DD/YYYY', 'DD MMM YYYY']), default: 'DD MMM YYYY' },
  'format.dateTime': {
    schema: z.enum(['DD/MM/YYYY HH:mm', 'YYYY-MM-DD HH:mm', 'MM/DD/YYYY HH:mm', 'DD MMM YYYY HH:mm']),
    default: 'DD MMM YYYY HH:mm',
  },
  'auth.methods': { schema: z.array(z.enum(['local', 'keycloak', 'ms365'])).check(z.minLength(1)), default: ['local'] },
  /** A session that has not been used for so long asks for the password again. */
  'auth.expiryMinutes': { schema: z.number().check(z.int(), z.minimum(15), z.maximum(525_600)), default: 43_200 },
  /** The credit terms that a company accepts before monthly billing opens; a new version has to be accepted anew. */
  'billing.termsVersion': { schema: line(40), default: '2026-01' },
  /** How long a member's order waits for the owner's decision. */
  'approvals.days': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(60)), default: 7 },
  'wallet.creditLabel': { schema: line(12), default: 'LP' },
  'wallet.topUpMinMinor': { schema: minor, default: 1000 },
  'wallet.topUpMaxMinor': { schema: minor, default: 500_000 },
  /** A top-up of so much or more earns so much beside itself; the largest package that it reaches counts. */
  'wallet.bonusPackages': {
    schema: z.array(z.object({ fromMinor: minor, bonusMinor: minor })).check(z.maxLength(8)),
    default: [],
  },
  /** iPay88 charges nobody who is not there: on only with a contract for recurring payments. */
  'wallet.autoTopUpAllowed': { schema: z.boolean(), default: false },
  'wallet.topUpPresetsMinor': { schema: z.array(minor).check(z.maxLength(8)), default: [5000, 10_000, 20_000, 50_000] },
  'tracking.prefix': { schema: z.string().check(z.regex(/^[A-Z]{2,4}$/)), default: 'WB' },
  /** The GS1 company prefix in the SSCC of sacks. The one of GS1's own examples until the deployment has its own. */
  'gunny.companyPrefix': { schema: z.string().check(z.regex(/^\d{7,10}$/)), default: '0614141' },
  'weight.maxGrams': { schema: grams, default: 30_000 },
  'weight.maxVolumetricGrams': { schema: grams, default: 30_000 },
  'weight.maxThirdPartyGrams': { schema: grams, default: 70_000 },
  'weight.maxThirdPartyVolumetricGrams': { schema: grams, default: 70_000 },
  'weight.divisor': { schema: z.number().check(z.int(), z.minimum(1000), z.maximum(10_000)), default: 5000 },
  contentTypes: {
    schema: z.array(z.enum(valuesOf(contentTypeLabels))).check(z.minLength(1)),
    default: valuesOf(contentTypeLabels),
  },
  /** What is not carried: the contents that a sender writes are looked through for these words. `international`: at home it may travel. */
  'contents.prohibited': {
    schema: z
      .array(
        z.object({
          name: z.object({ en: line(80), cn_zh: line(80) }),
          scope: z.enum(['all', 'international']),
          words: z.array(line(60)).check(z.minLength(1), z.maxLength(100)),
        }),
      )
      .check(z.maxLength(50)),
    default: prohibitedContents,
  },
  /** One special drawing right in minor units of the currency: what decides between CN22 and CN23 (the IMF publishes it daily). */
  'customs.sdrMinor': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000)), default: 580 },
  /** The rate card of everybody who has none of their own. */
  'price.rateCard': { schema: line(40), default: 'STANDARD' },
  'price.serviceCharge': {
    schema: z.object({ type: z.enum(['fixed', 'percentage']), value: minor }),
    default: { type: 'fixed', value: 50 },
  },
  'price.fuelBasisPoints': { schema: basisPoints, default: 500 },
  'price.pickupFeeMinor': { schema: minor, default: 200 },
  /** What calling a parcel back on its way costs, and fetching a delivered one from its receiver; before tax. */
  'price.recallFeeMinor': { schema: minor, default: 500 },
  'price.returnFeeMinor': { schema: minor, default: 800 },
  /** How long after its delivery a parcel can be sent back. */
  'returns.windowDays': { schema: z.number().check(z.int(), z.minimum(0), z.maximum(365)), default: 14 },
  'price.codBasisPoints': { schema: basisPoints, default: 200 },
  'price.codMinimumMinor': { schema: minor, default: 300 },
  /** The day of the week (1 is Monday) on which senders are paid what recipients paid; null: staff does it when they want. */
  'cod.payoutWeekday': { schema: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(7))), default: null },
  /** What a payout costs; nothing, where collecting is in the price already. */
  'cod.payoutFeeMinor': { schema: minor, default: 0 },
  /** Malaysian service tax on courier services: 6 % since 2024-03-01. */
  'price.taxBasisPoints': { schema: basisPoints, default: 600 },
  /** The same of what goes abroad, which Malaysia does not tax. */
  'price.internationalTaxBasisPoints': { schema: basisPoints, default: 0 },
  /** Premiums by insured value; above the last tier nothing is insured. */
  'price.insuranceTiers': {
    schema: z.array(z.object({ upToMinor: minor, premiumMinor: minor })).check(z.maxLength(20)),
    default: [
      { upToMinor: 20_000, premiumMinor: 100 },
      { upToMinor: 50_000, premiumMinor: 250 },
      { upToMinor: 100_000, premiumMinor: 500 },
      { upToMinor: 300_000, premiumMinor: 1500 },
    ],
  },
  /** A scale may say so much more or less than declared before anything follows from it. */
  'weighing.toleranceGrams': { schema: z.number().check(z.int(), z.minimum(0), z.maximum(5000)), default: 50 },
  /** How long a sender may contest a weight. */
  'weighing.contestHours': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(720)), default: 72 },
  /** What a lighter parcel was paid too much goes back to the wallet. */
  'weighing.refundLighter': { schema: z.boolean(), default: true },
  /** A moving parcel without a scan for so long comes to its sender's notice. */
  'tracking.silenceHours': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(720)), default: 36 },
  /** Attempts to deliver before a parcel goes back. */
  'delivery.maxAttempts': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(10)), default: 3 },
  /** After a failed delivery it waits so long for somebody's choice, then it goes back. */
  'delivery.decideDays': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(60)), default: 5 },
  /** Fees of what is chosen after a failed delivery, without tax. */
  'delivery.retryFeeMinor': { schema: minor, default: 0 },
  'delivery.correctFeeMinor': { schema: minor, default: 200 },
  'delivery.divertFeeMinor': { schema: minor, default: 0 },
  /** Days that a parcel is kept at the station where it is collected. */
  'collection.holdingDays': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(60)), default: 7 },
  'mail.fromName': { schema: line(80), default: 'Waybill' },
  /** null: the address that the server was started with. */
  'mail.fromAddress': { schema: z.nullable(z.string().check(z.trim(), z.maxLength(320), z.email())), default: null },
  /** `generic` speaks SMTP with `mail.host`, or with the server's own mail server where that is null; `mailgun` with Mailgun's. */
  'mail.transport': { schema: z.enum(['generic', 'mailgun']), default: 'generic' },
  'mail.host': { schema: host, default: null },
  'mail.port': { schema: z.number().check(z.int(), z.minimum(1), z.maximum(65_535)), default: 587 },
  /** TLS from the first byte (port 465); otherwise STARTTLS where the server offers it. */
  'mail.ssl': { schema: z.boolean(), default: false },
  'mail.user': { schema: optionalLine(320), default: null },
  'mail.password': { schema: secret, default: null, secret: true },
} as const satisfies Record<string, Definition>

export type SettingKey = keyof typeof settingDefinitions
export type SettingValue<K extends SettingKey> = z.output<(typeof settingDefinitions)[K]['schema']>

export const settingKeys = Object.keys(settingDefinitions) as SettingKey[]

/** Settings that are stored encrypted and never answered back. */
export type SecretKey = {
  [K in SettingKey]: (typeof settingDefinitions)[K] extends { secret: true } ? K : never
}[SettingKey]
/** Settings that anybody who may see settings may see. */
export type OpenKey = Exclude<SettingKey, SecretKey>

export function isSecretKey(key: SettingKey): key is SecretKey {
  return 'secret' in settingDefinitions[key]
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key)
}
