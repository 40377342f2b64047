/**
 * The effect of each setting: every key has an entry in the table below. An entry writes a value and shows its visible
 * effect, or names the test of a slice that checks it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type SettingKey, settingKeys } from '@waybill/contract/settings/setting-rules'
import { getSettings, putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createViews, type Views } from './views.ts'

/** A value, and a view that must return `gives` after the value is written, but not before. */
type Effect = { to: unknown; see: (views: Views) => Promise<unknown>; gives: unknown }
/** A test in another file: its title, and its path from server/test. A file in its folder names the key. */
type Elsewhere = { file: string; title: string }

/** A word or pattern that the setting adds to a document, a spreadsheet or an email. */
const words = (to: unknown, read: (views: Views) => Promise<string>, pattern: RegExp): Effect => ({
  to,
  see: async (views) => pattern.test(await read(views)),
  gives: true,
})
const line = (kind: string, to: unknown, gives: number | undefined): Effect => ({
  to,
  see: async (views) => (await views.quotedLines())[kind],
  gives,
})
const refusal = (to: unknown, body: Record<string, unknown>, field: string): Effect => ({
  to,
  see: (views) => views.refusedField(body),
  gives: field,
})
const seller = (field: string, to: string): Effect => ({
  to,
  see: async (views) => (await views.seller())[field],
  gives: to,
})
const imprint = (field: 'phone' | 'email', to: string): Effect => ({
  to,
  see: async (views) => (await views.imprint())[field],
  gives: to,
})
const choice = (kind: string, to: number): Effect => ({
  to,
  see: async (views) => (await views.deliveryChoice()).fees[kind],
  // Before tax of 6 %.
  gives: Math.round(to * 1.06),
})

const loginMethods = 'accounts/identity-providers/login-methods.test.ts'
const offered = 'are shown on the sign-in pages with the texts of their buttons'
const signIn = 'accounts/identity-providers/sign-in.test.ts'
const keycloak: Elsewhere = {
  file: signIn,
  title: 'creates an account with Keycloak at the first sign-in, and signs in to it the next time',
}
const together = 'settings/together.test.ts'
const entra: Elsewhere = {
  file: signIn,
  title: 'signs in with Entra by tenant and object id, without an address, with a template as the issuer',
}
const mailgun: Elsewhere = {
  file: 'runtime/mailgun.test.ts',
  title: 'is sent with the settings and the number of its job; the key is stored encrypted',
}
const smtp: Elsewhere = {
  file: 'runtime/mail.test.ts',
  title: 'wait while the mail server is unavailable and are sent once it is back',
}
const testMail: Elsewhere = {
  file: 'setup/setup.test.ts',
  title: 'is sent to the caller, and remains valid until the mail settings change',
}
const mailBrand: Elsewhere = { file: 'runtime/mail.test.ts', title: 'carry the settings of the deployment' }
const payout: Elsewhere = {
  file: 'payments/cod/payouts.test.ts',
  title: 'runs automatically each week if the setting is on, less the fee, and on that day only',
}

const effects: { readonly [K in SettingKey]: Effect | Elsewhere } = {
  'app.name': words('Parcel Place', (views) => views.mailHtml(), /Parcel Place/),
  'company.name': seller('name', 'Kurier Sdn Bhd'),
  'company.logo': {
    file: 'attachments/printed-logo.test.ts',
    title: 'prints the logo on consignment notes, invoices and credit notes, which stay readable',
  },
  'company.registrationNumber': seller('registrationNumber', '202601000001'),
  'company.taxNumber': seller('taxNumber', 'W10-2026-1'),
  'company.address': seller('address', '1 Jalan Besar\n50000 Kuala Lumpur'),
  'company.phone': imprint('phone', '+60312345678'),
  'company.email': imprint('email', 'hello@kurier.example'),
  'ui.primaryColour': words('#0050b5', (views) => views.mailHtml(), /#0050b5/),
  timezone: { to: 'Asia/Tokyo', see: (views) => views.printedHours(), gives: 9 },
  currency: { file: together, title: 'change the currency only while nothing is booked' },
  countryCode: { to: 'sg', see: (views) => views.states(), gives: [] },
  countries: { to: ['Malaysia|my'], see: async (views) => (await views.options()).countries, gives: ['Malaysia|my'] },
  'units.weight': words('lb', (views) => views.noteText(), /\d\slb\b/),
  'units.dimension': words('in', (views) => views.templateHeaders(), /\(in\)/),
  'units.own': { file: '../../web/test/own-units.test.ts', title: 'uses own units only if the setting allows it' },
  'format.date': words('YYYY-MM-DD', (views) => views.invoiceText(), /\b20\d\d-\d\d-\d\d\b/),
  'format.dateTime': words('YYYY-MM-DD HH:mm', (views) => views.pickupListText(), /\b20\d\d-\d\d-\d\d \d\d:\d\d\b/),
  'auth.methods': { file: loginMethods, title: offered },
  'keycloak.issuer': keycloak,
  'keycloak.clientId': keycloak,
  'keycloak.clientSecret': keycloak,
  'keycloak.label': { file: loginMethods, title: offered },
  'keycloak.sides': {
    file: signIn,
    title: 'offers each provider only to the users that it is set up for',
  },
  'ms365.issuer': entra,
  'ms365.clientId': entra,
  'ms365.clientSecret': entra,
  'ms365.label': { file: loginMethods, title: offered },
  'ms365.sides': { file: loginMethods, title: offered },
  'ms365.tenants': entra,
  'auth.expiryMinutes': {
    file: 'accounts/sign-in/sessions.test.ts',
    title: 'ends when it is idle for as long as the setting says',
  },
  'auth.staffSecondFactor': {
    file: signIn,
    title: 'asks staff for the second factor if it is required',
  },
  'billing.termsVersion': { to: '2027-01', see: (views) => views.termsVersion(), gives: '2027-01' },
  'approvals.days': { to: 3, see: (views) => views.approvalDays(), gives: 3 },
  'addresses.linkDays': { file: 'addresses/requests.test.ts', title: 'is valid for the number of days in the setting' },
  'wallet.creditLabel': words('CR', (views) => views.statementHeaders(), /\(CR\)/),
  'wallet.topUpMinMinor': { to: 2000, see: (views) => views.topUp(1500), gives: 422 },
  'wallet.topUpMaxMinor': { to: 50_000, see: (views) => views.topUp(50_001), gives: 422 },
  'wallet.bonusPackages': {
    file: 'wallet/preferences.test.ts',
    title: 'add their bonus to a top-up once, as a separate entry',
  },
  'wallet.topUpPresetsMinor': {
    file: '../../web/test/top-up-presets.test.ts',
    title: 'offers the amounts of the settings',
  },
  'tracking.prefix': { to: 'ZX', see: (views) => views.newNumber(), gives: 'ZX' },
  'gunny.companyPrefix': { to: '9512345', see: (views) => views.companyOfSack(), gives: '9512345' },
  'weight.maxGrams': refusal(900, {}, 'weightGrams'),
  'weight.maxVolumetricGrams': refusal(900, {}, 'dimensions'),
  'weight.maxThirdPartyGrams': refusal(900, { carrier: 'dhl' }, 'weightGrams'),
  'weight.maxThirdPartyVolumetricGrams': refusal(900, { carrier: 'dhl' }, 'dimensions'),
  'weight.divisor': { to: 6000, see: (views) => views.volumetricGrams(), gives: 1000 },
  contentTypes: refusal(['books'], {}, 'contentType'),
  'contents.prohibited': refusal(
    [{ name: { en: 'Cheese', cn_zh: '奶酪' }, scope: 'all', words: ['cheese'] }],
    { contentDescription: 'Two wheels of cheese' },
    'contentDescription',
  ),
  'customs.sdrMinor': { to: 10, see: (views) => views.customsForm(), gives: 'CN 23' },
  'price.rateCard': { file: together, title: 'take the common rate card only if it has a version that is valid today' },
  'price.serviceCharge': line('service_charge', { type: 'fixed', value: 777 }, 777),
  'price.fuelBasisPoints': line('fuel', 1000, 60),
  'price.pickupFeeMinor': { to: 900, see: (views) => views.pickupFee(), gives: 954 },
  'price.recallFeeMinor': { to: 1000, see: async (views) => (await views.fees()).recall, gives: 1060 },
  'price.returnFeeMinor': { to: 2000, see: async (views) => (await views.fees()).return, gives: 2120 },
  'returns.windowDays': { to: 30, see: async (views) => (await views.fees()).returnDays, gives: 30 },
  'claims.windowDays': {
    file: 'tickets/claims.test.ts',
    title: 'are possible for as many days after the arrival as the setting says',
  },
  'price.codBasisPoints': line('cod', 1000, 1000),
  'price.codMinimumMinor': line('cod', 4000, 4000),
  'cod.payoutWeekday': payout,
  'cod.payoutFeeMinor': payout,
  'price.taxBasisPoints': line('tax', 0, undefined),
  'price.internationalTaxBasisPoints': { to: 1000, see: (views) => views.taxAbroad(), gives: 200 },
  'price.insuranceTiers': line('insurance', [{ upToMinor: 20_000, premiumMinor: 321 }], 321),
  'weighing.toleranceGrams': { to: 5000, see: async (views) => (await views.weighed(2200)).differenceMinor, gives: 0 },
  'weighing.contestHours': { to: 5, see: async (views) => (await views.weighed(5200)).contestHours, gives: 5 },
  'weighing.refundLighter': { to: false, see: async (views) => (await views.weighed(100)).differenceMinor, gives: 0 },
  'tracking.silenceHours': { to: 5, see: (views) => views.silenceHours(), gives: 5 },
  'delivery.maxAttempts': { to: 5, see: async (views) => (await views.deliveryChoice()).attempts, gives: 5 },
  'delivery.decideDays': { to: 9, see: async (views) => (await views.deliveryChoice()).decideDays, gives: 9 },
  'delivery.retryFeeMinor': choice('retry', 300),
  'delivery.correctFeeMinor': choice('correct', 500),
  'delivery.divertFeeMinor': choice('divert', 700),
  'collection.holdingDays': { to: 21, see: (views) => views.collectionDays(), gives: 21 },
  'mail.fromName': mailgun,
  'mail.fromAddress': mailBrand,
  'mail.transport': mailgun,
  'mail.host': smtp,
  'mail.port': smtp,
  'mail.ssl': { file: 'setup/setup.test.ts', title: 'reports that the connection cannot be encrypted' },
  'mail.user': testMail,
  'mail.password': testMail,
  'mail.mailgunDomain': mailgun,
  'mail.mailgunRegion': { file: 'runtime/mailgun.test.ts', title: 'is sent to the servers of its region' },
  'mail.mailgunKey': mailgun,
  'map.tileUrl': {
    file: 'settings/map.test.ts',
    title: 'allow images from the host of the map tiles in every process, and from no other host',
  },
  'map.attribution': {
    file: 'settings/map.test.ts',
    title: 'allow images from the host of the map tiles in every process, and from no other host',
  },
  'retention.activityDays': { to: 90, see: (views) => views.oldActivity(), gives: 0 },
  'retention.notificationDays': { to: 30, see: (views) => views.oldNotifications(), gives: 0 },
  'retention.gatewayDays': { to: 90, see: (views) => views.oldGatewayMessages(), gives: 0 },
}

const isElsewhere = (entry: Effect | Elsewhere): entry is Elsewhere => 'file' in entry
const entries = settingKeys.map((key) => [key, effects[key]] as const)
const here = entries.flatMap(([key, entry]) => (entry && !isElsewhere(entry) ? [[key, entry] as const] : []))
const elsewhere = entries.flatMap(([key, entry]) => (entry && isElsewhere(entry) ? [[key, entry] as const] : []))

describe('each setting', () => {
  let test: TestApp
  let token: string
  let views: Views
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    token = (await createStaff(test, { type: 'superadmin' })).token
    views = await createViews(test)
  })
  const save = (key: SettingKey, value: unknown) =>
    test.call(putSettings, { token, body: { values: { [key]: value } } })

  it('has an entry that shows its effect', () => {
    expect(settingKeys.filter((key) => !effects[key])).toEqual([])
    expect(here.length).toBeGreaterThan(elsewhere.length)
  })

  it.each(here)('%s takes effect immediately', async (key, { to, see, gives }) => {
    const { values } = (await test.call(getSettings, { token })).body
    expect(await see(views)).not.toEqual(gives)
    const answer = await save(key, to)
    expect([answer.status, answer.error?.errors]).toEqual([200, undefined])
    try {
      expect(await see(views)).toEqual(gives)
    } finally {
      await save(key, values[key])
    }
  })

  it.each(elsewhere)('%s is covered by a test of its slice', (key, { file, title }) => {
    const path = join(import.meta.dirname, '..', file)
    expect([file, existsSync(path)]).toEqual([file, true])
    const source = readFileSync(path, 'utf8')
    // A test that is skipped or renamed checks nothing.
    const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    expect(source).toMatch(new RegExp(`^ *(it|test)(\\.each\\([^\\n]*\\))?\\(\\s*['"\`]${quoted}['"\`]`, 'm'))
    // Its slice may keep the values in a helper.
    const folder = dirname(path)
    const sources = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
    expect(sources.some((name) => readFileSync(name, 'utf8').includes(key))).toBe(true)
  })
})
