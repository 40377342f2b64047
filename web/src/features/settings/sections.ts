import { loginMethods, signInSides } from '@waybill/contract/ground/constants'
import { dateFormats, dateTimeFormats } from '@waybill/contract/ground/format'
import { mailgunRegions, mailTransports, type SettingKey } from '@waybill/contract/settings/setting-rules'

/** The kind of input of a setting, and its texts. */
export type Kind =
  | 'text'
  | 'optionalText'
  | 'paragraph'
  | 'secret'
  | 'money'
  | 'percent'
  | 'number'
  | 'optionalNumber'
  | 'weight'
  | 'switch'
  | 'choice'
  | 'charge'
  | 'amounts'
  | 'tiers'
  | 'packages'
  | 'lines'
  | 'checks'
  | 'prohibited'
  | 'logo'
  | 'colour'

export type SettingField = {
  key: SettingKey
  kind: Kind
  /** Key of the label, if the name of the field (`fields.<last part of the key>`) would be ambiguous. */
  label?: string
  /** Key of the help text. */
  help?: string
  /** The values of `choice` and `checks`. Their labels: `settingChoice.<value>`, or else the value itself. */
  choices?: readonly string[]
}

type SettingGroup = {
  title: string
  /** One of several services with the same settings: outside the form, its name precedes theirs. */
  isService?: boolean
  fields: readonly SettingField[]
}

export type SettingSection = { id: string; groups: readonly SettingGroup[] }

const zones = Intl.supportedValuesOf('timeZone')

/** Every setting of the deployment, grouped by subject. A test fails if one is missing. */
export const settingSections: readonly SettingSection[] = [
  {
    id: 'fees',
    groups: [
      {
        title: 'prices',
        fields: [
          { key: 'price.serviceCharge', kind: 'charge' },
          { key: 'price.fuelBasisPoints', kind: 'percent', help: 'settingHelp.fuel' },
          { key: 'price.pickupFeeMinor', kind: 'money', help: 'settingHelp.pickupFee' },
          { key: 'price.rateCard', kind: 'text', help: 'settingHelp.rateCard' },
        ],
      },
      {
        title: 'tax',
        fields: [
          { key: 'price.taxBasisPoints', kind: 'percent' },
          { key: 'price.internationalTaxBasisPoints', kind: 'percent' },
          { key: 'customs.sdrMinor', kind: 'money', help: 'settingHelp.sdr' },
        ],
      },
      {
        title: 'later',
        fields: [
          { key: 'delivery.retryFeeMinor', kind: 'money', help: 'settingHelp.beforeTax' },
          { key: 'delivery.correctFeeMinor', kind: 'money', help: 'settingHelp.beforeTax' },
          { key: 'delivery.divertFeeMinor', kind: 'money', help: 'settingHelp.beforeTax' },
          { key: 'price.recallFeeMinor', kind: 'money', help: 'settingHelp.beforeTax' },
          { key: 'price.returnFeeMinor', kind: 'money', help: 'settingHelp.beforeTax' },
        ],
      },
      {
        title: 'cod',
        fields: [
          { key: 'price.codBasisPoints', kind: 'percent' },
          { key: 'price.codMinimumMinor', kind: 'money' },
          { key: 'cod.payoutFeeMinor', kind: 'money', help: 'settingHelp.beforeTax' },
          {
            key: 'cod.payoutWeekday',
            kind: 'optionalNumber',
            choices: ['1', '2', '3', '4', '5', '6', '7'],
            help: 'settingHelp.payoutWeekday',
          },
        ],
      },
      { title: 'insurance', fields: [{ key: 'price.insuranceTiers', kind: 'tiers', help: 'settingHelp.tiers' }] },
    ],
  },
  {
    id: 'delivery',
    groups: [
      {
        title: 'attempts',
        fields: [
          { key: 'delivery.maxAttempts', kind: 'number' },
          { key: 'delivery.decideDays', kind: 'number' },
          { key: 'collection.holdingDays', kind: 'number' },
          { key: 'returns.windowDays', kind: 'number' },
          { key: 'claims.windowDays', kind: 'number', label: 'settingLabel.claimDays' },
          { key: 'tracking.silenceHours', kind: 'number', help: 'settingHelp.silence' },
          {
            key: 'addresses.linkDays',
            kind: 'number',
            label: 'settingLabel.addressLinkDays',
            help: 'settingHelp.addressLinkDays',
          },
        ],
      },
      {
        title: 'weighing',
        fields: [
          { key: 'weighing.toleranceGrams', kind: 'weight' },
          { key: 'weighing.contestHours', kind: 'number' },
          { key: 'weighing.refundLighter', kind: 'switch' },
        ],
      },
    ],
  },
  {
    id: 'parcels',
    groups: [
      {
        title: 'limits',
        fields: [
          { key: 'weight.maxGrams', kind: 'weight' },
          { key: 'weight.maxVolumetricGrams', kind: 'weight' },
          { key: 'weight.maxThirdPartyGrams', kind: 'weight' },
          { key: 'weight.maxThirdPartyVolumetricGrams', kind: 'weight' },
          { key: 'weight.divisor', kind: 'number', help: 'settingHelp.divisor' },
        ],
      },
      {
        title: 'numbers',
        fields: [
          { key: 'tracking.prefix', kind: 'text', help: 'settingHelp.trackingPrefix' },
          { key: 'gunny.companyPrefix', kind: 'text', help: 'settingHelp.companyPrefix' },
        ],
      },
      {
        title: 'contents',
        fields: [
          { key: 'contentTypes', kind: 'checks' },
          { key: 'contents.prohibited', kind: 'prohibited', help: 'settingHelp.prohibited' },
        ],
      },
    ],
  },
  {
    id: 'wallet',
    groups: [
      {
        title: 'wallet',
        fields: [
          { key: 'wallet.creditLabel', kind: 'text' },
          { key: 'wallet.topUpMinMinor', kind: 'money' },
          { key: 'wallet.topUpMaxMinor', kind: 'money' },
          { key: 'wallet.topUpPresetsMinor', kind: 'amounts' },
          { key: 'wallet.bonusPackages', kind: 'packages', help: 'settingHelp.packages' },
        ],
      },
      {
        title: 'companies',
        fields: [
          { key: 'billing.termsVersion', kind: 'text', help: 'settingHelp.terms' },
          { key: 'approvals.days', kind: 'number', label: 'settingLabel.approvalDays' },
        ],
      },
    ],
  },
  {
    id: 'company',
    groups: [
      {
        title: 'names',
        fields: [
          { key: 'app.name', kind: 'text', label: 'settingLabel.appName' },
          { key: 'company.name', kind: 'text', label: 'fields.companyName' },
          { key: 'company.registrationNumber', kind: 'optionalText' },
          { key: 'company.taxNumber', kind: 'optionalText' },
          { key: 'company.address', kind: 'paragraph' },
          { key: 'company.phone', kind: 'optionalText' },
          { key: 'company.email', kind: 'optionalText' },
          { key: 'company.logo', kind: 'logo', help: 'settingHelp.logo' },
          { key: 'ui.primaryColour', kind: 'colour', help: 'settingHelp.colour' },
        ],
      },
      {
        title: 'place',
        fields: [
          { key: 'timezone', kind: 'choice', choices: zones },
          { key: 'currency', kind: 'text', help: 'settingHelp.currency' },
          { key: 'countryCode', kind: 'text', help: 'settingHelp.countryCode' },
          { key: 'units.weight', kind: 'choice', choices: ['kg', 'lb'], label: 'settingLabel.weightUnit' },
          { key: 'units.dimension', kind: 'choice', choices: ['cm', 'in'] },
          { key: 'units.own', kind: 'switch', label: 'settingLabel.ownUnits', help: 'settingHelp.ownUnits' },
          {
            key: 'format.date',
            kind: 'choice',
            choices: dateFormats,
            label: 'settingLabel.dateFormat',
          },
          {
            key: 'format.dateTime',
            kind: 'choice',
            choices: dateTimeFormats,
          },
          { key: 'countries', kind: 'lines', help: 'settingHelp.countries' },
        ],
      },
      {
        title: 'map',
        fields: [
          { key: 'map.tileUrl', kind: 'optionalText', help: 'settingHelp.tileUrl' },
          { key: 'map.attribution', kind: 'optionalText', help: 'settingHelp.attribution' },
        ],
      },
    ],
  },
  {
    id: 'access',
    groups: [
      {
        title: 'signIn',
        fields: [
          { key: 'auth.methods', kind: 'checks', choices: loginMethods, help: 'settingHelp.methods' },
          { key: 'auth.expiryMinutes', kind: 'number', help: 'settingHelp.expiryMinutes' },
          {
            key: 'auth.staffSecondFactor',
            kind: 'choice',
            choices: ['off', 'required'],
            help: 'settingHelp.staffSecondFactor',
          },
        ],
      },
      {
        title: 'keycloak',
        isService: true,
        fields: [
          {
            key: 'keycloak.issuer',
            kind: 'optionalText',
            label: 'settingLabel.issuer',
            help: 'settingHelp.keycloakIssuer',
          },
          { key: 'keycloak.clientId', kind: 'optionalText', label: 'settingLabel.clientId' },
          { key: 'keycloak.clientSecret', kind: 'secret', label: 'settingLabel.clientSecret' },
          {
            key: 'keycloak.label',
            kind: 'optionalText',
            label: 'settingLabel.buttonName',
            help: 'settingHelp.providerLabel',
          },
          { key: 'keycloak.sides', kind: 'checks', choices: signInSides, label: 'settingLabel.sides' },
        ],
      },
      {
        title: 'ms365',
        isService: true,
        fields: [
          {
            key: 'ms365.issuer',
            kind: 'optionalText',
            label: 'settingLabel.issuer',
            help: 'settingHelp.ms365Issuer',
          },
          { key: 'ms365.clientId', kind: 'optionalText', label: 'settingLabel.applicationId' },
          { key: 'ms365.clientSecret', kind: 'secret', label: 'settingLabel.clientSecret' },
          { key: 'ms365.tenants', kind: 'lines', label: 'settingLabel.tenants', help: 'settingHelp.tenants' },
          {
            key: 'ms365.label',
            kind: 'optionalText',
            label: 'settingLabel.buttonName',
            help: 'settingHelp.providerLabel',
          },
          { key: 'ms365.sides', kind: 'checks', choices: signInSides, label: 'settingLabel.sides' },
        ],
      },
      {
        title: 'mail',
        fields: [
          { key: 'mail.fromName', kind: 'text' },
          { key: 'mail.fromAddress', kind: 'optionalText', help: 'settingHelp.fromAddress' },
          { key: 'mail.transport', kind: 'choice', choices: ['generic', 'mailgun'] },
          { key: 'mail.host', kind: 'optionalText', help: 'settingHelp.host' },
          { key: 'mail.port', kind: 'number' },
          { key: 'mail.ssl', kind: 'switch', help: 'settingHelp.ssl' },
          { key: 'mail.user', kind: 'optionalText' },
          { key: 'mail.password', kind: 'secret' },
          { key: 'mail.mailgunDomain', kind: 'optionalText', help: 'settingHelp.mailgunDomain' },
          { key: 'mail.mailgunRegion', kind: 'choice', choices: mailgunRegions },
          { key: 'mail.mailgunKey', kind: 'secret', help: 'settingHelp.mailgunKey' },
        ],
      },
      {
        title: 'retention',
        fields: [
          { key: 'retention.activityDays', kind: 'number' },
          { key: 'retention.notificationDays', kind: 'number' },
          { key: 'retention.gatewayDays', kind: 'number', help: 'settingHelp.gatewayDays' },
        ],
      },
    ],
  },
]

/** Whether a setting applies with the other values of its form: those of another mail transport do not. */
export function isInUse(key: SettingKey, readKey: (key: SettingKey) => unknown): boolean {
  const transport = readKey('mail.transport')
  return Object.entries(mailTransports).every(
    ([name, { keys }]) => name === transport || !(keys as readonly SettingKey[]).includes(key),
  )
}
