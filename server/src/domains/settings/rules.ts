/** Defaults of the settings, and which values contradict each other. Pure. */
import { contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import type { OpenKey, SettingKey, SettingValue } from '@waybill/contract/settings/setting-rules'
import type { FieldProblem } from '../../http/errors.ts'
import { prohibitedContents } from './rules-prohibited.ts'

/** The default of every setting; the rules are in the contract. */
export const settingDefaults: { readonly [K in SettingKey]: SettingValue<K> } = {
  'app.name': 'Waybill',
  'company.name': 'Waybill Express Sdn Bhd',
  'company.logo': null,
  'company.registrationNumber': null,
  'company.taxNumber': null,
  'company.address': '',
  'company.phone': null,
  'company.email': null,
  'ui.primaryColour': '#e82023',
  timezone: 'Asia/Kuala_Lumpur',
  currency: 'MYR',
  countryCode: 'my',
  countries: null,
  'units.weight': 'kg',
  'units.dimension': 'cm',
  'units.own': false,
  'format.date': 'DD MMM YYYY',
  'format.dateTime': 'DD MMM YYYY HH:mm',
  'auth.methods': ['local'],
  'keycloak.issuer': null,
  'keycloak.clientId': null,
  'keycloak.clientSecret': null,
  'keycloak.label': null,
  'keycloak.sides': ['customer', 'staff'],
  'ms365.issuer': 'https://login.microsoftonline.com/organizations/v2.0',
  'ms365.clientId': null,
  'ms365.clientSecret': null,
  'ms365.label': null,
  'ms365.sides': ['customer', 'staff'],
  'ms365.tenants': null,
  'auth.expiryMinutes': 43_200,
  'auth.staffSecondFactor': 'off',
  'billing.termsVersion': '2026-01',
  'approvals.days': 7,
  'addresses.linkDays': 7,
  'wallet.creditLabel': 'LP',
  'wallet.topUpMinMinor': 1000,
  'wallet.topUpMaxMinor': 500_000,
  'wallet.bonusPackages': [],
  'wallet.topUpPresetsMinor': [5000, 10_000, 20_000, 50_000],
  'tracking.prefix': 'WB',
  'gunny.companyPrefix': '0614141',
  'weight.maxGrams': 30_000,
  'weight.maxVolumetricGrams': 30_000,
  'weight.maxThirdPartyGrams': 70_000,
  'weight.maxThirdPartyVolumetricGrams': 70_000,
  'weight.divisor': 5000,
  contentTypes: labelValues(contentTypeLabels),
  'contents.prohibited': prohibitedContents,
  'customs.sdrMinor': 580,
  'price.rateCard': 'STANDARD',
  'price.serviceCharge': { type: 'fixed', value: 50 },
  'price.fuelBasisPoints': 500,
  'price.pickupFeeMinor': 200,
  'price.recallFeeMinor': 500,
  'price.returnFeeMinor': 800,
  'returns.windowDays': 14,
  'claims.windowDays': 30,
  'price.codBasisPoints': 200,
  'price.codMinimumMinor': 300,
  'cod.payoutWeekday': null,
  'cod.payoutFeeMinor': 0,
  'price.taxBasisPoints': 600,
  'price.internationalTaxBasisPoints': 0,
  'price.insuranceTiers': [
    { upToMinor: 20_000, premiumMinor: 100 },
    { upToMinor: 50_000, premiumMinor: 250 },
    { upToMinor: 100_000, premiumMinor: 500 },
    { upToMinor: 300_000, premiumMinor: 1500 },
  ],
  'weighing.toleranceGrams': 50,
  'weighing.contestHours': 72,
  'weighing.refundLighter': true,
  'tracking.silenceHours': 36,
  'delivery.maxAttempts': 3,
  'delivery.decideDays': 5,
  'delivery.retryFeeMinor': 0,
  'delivery.correctFeeMinor': 200,
  'delivery.divertFeeMinor': 0,
  'collection.holdingDays': 7,
  'mail.fromName': 'Waybill',
  'mail.fromAddress': null,
  'mail.transport': 'generic',
  'mail.host': null,
  'mail.port': 587,
  'mail.ssl': false,
  'mail.user': null,
  'mail.password': null,
  'mail.mailgunDomain': null,
  'mail.mailgunRegion': 'us',
  'mail.mailgunKey': null,
  'map.tileUrl': null,
  'map.attribution': null,
  'retention.activityDays': 730,
  'retention.notificationDays': 90,
  'retention.gatewayDays': 400,
}

/** The value of a setting after the change. */
export type ReadSetting = <K extends OpenKey>(key: K) => SettingValue<K>

type Problem = Omit<FieldProblem, 'field'> & { field?: OpenKey }
type Rule = { keys: readonly OpenKey[]; find: (read: ReadSetting) => Problem | null }

const hasTwice = (values: readonly unknown[]) => new Set(values).size < values.length
const wholeBasisPoints = 10_000

/** A rule concerns `keys`. Its problem is reported at the first of them that is changed, unless it names a field. */
const rules: readonly Rule[] = [
  {
    keys: ['wallet.topUpMinMinor', 'wallet.topUpMaxMinor'],
    find: (read) =>
      read('wallet.topUpMinMinor') > read('wallet.topUpMaxMinor')
        ? { field: 'wallet.topUpMaxMinor', rule: 'beforeMinimum' }
        : null,
  },
  {
    keys: ['wallet.topUpPresetsMinor', 'wallet.topUpMinMinor', 'wallet.topUpMaxMinor'],
    find: (read) => {
      const [min, max] = [read('wallet.topUpMinMinor'), read('wallet.topUpMaxMinor')]
      const isOutside = read('wallet.topUpPresetsMinor').some((amount) => amount < min || amount > max)
      return isOutside && min <= max ? { rule: 'presetRange' } : null
    },
  },
  {
    keys: ['wallet.bonusPackages'],
    find: (read) => {
      const packages = read('wallet.bonusPackages')
      if (hasTwice(packages.map(({ fromMinor }) => fromMinor))) return { rule: 'bonusTwice' }
      return packages.some(({ fromMinor, bonusMinor }) => bonusMinor > fromMinor) ? { rule: 'bonusTooLarge' } : null
    },
  },
  {
    keys: ['countries', 'countryCode'],
    find: (read) => {
      const codes = read('countries')?.map((country) => country.slice(-2))
      if (!codes) return null
      if (hasTwice(codes)) return { rule: 'countryTwice' }
      const code = read('countryCode')
      return codes.includes(code) ? null : { rule: 'ownCountry', vars: { code } }
    },
  },
  {
    keys: ['price.serviceCharge'],
    find: (read) => {
      const { type, value } = read('price.serviceCharge')
      return type === 'percentage' && value > wholeBasisPoints ? { rule: 'max', vars: { max: '100 %' } } : null
    },
  },
  {
    keys: ['price.insuranceTiers'],
    find: (read) => {
      const tiers = read('price.insuranceTiers')
      if (hasTwice(tiers.map(({ upToMinor }) => upToMinor))) return { rule: 'tierTwice' }
      return tiers.some(({ upToMinor, premiumMinor }) => premiumMinor > upToMinor) ? { rule: 'premiumTooLarge' } : null
    },
  },
]

/** The contradictions that a change of these keys would cause. */
export function findSettingConflicts(changedKeys: ReadonlySet<string>, read: ReadSetting): FieldProblem[] {
  return rules.flatMap(({ keys, find }) => {
    const field = keys.find((key) => changedKeys.has(key))
    const problem = field && find(read)
    return problem ? [{ field, ...problem }] : []
  })
}
