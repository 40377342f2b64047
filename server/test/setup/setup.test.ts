import { legalKinds, publishLegalText } from '@waybill/contract/legal/legal'
import { createRateCard, publishRateCard, updateRateCard, updateService } from '@waybill/contract/pricing/rate-cards'
import { putSettings } from '@waybill/contract/settings/settings'
import { confirmSetupStep, getSetup, type SetupStep, sendTestMail } from '@waybill/contract/setup/setup'
import { createStation, type StationInput } from '@waybill/contract/stations/manage'
import { createZone } from '@waybill/contract/stations/zones'
import { beforeEach, describe, expect, it } from 'vitest'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { stationBody } from '../testing/factories/stations.ts'
import { startSilentServer } from '../testing/peers/silent-server.ts'
import { startStrictMailServer } from '../testing/peers/strict-mail-server.ts'

let test: TestApp
let token: string
beforeEach(async () => {
  test = await buildTestApp({ DHL_EXPRESS_USERNAME: '', DHL_EXPRESS_PASSWORD: '', DHL_EXPRESS_ACCOUNT: '' })
  token = (await createStaff(test, { type: 'superadmin' })).token
})

const setup = async () => (await test.call(getSetup, { token })).body
const findStep = async (id: SetupStep) => (await setup()).steps.find((step) => step.id === id)
const save = (values: Record<string, unknown>) => test.call(putSettings, { token, body: { values } })
const confirm = (step: 'company' | 'money', as = token) => test.call(confirmSetupStep, { token: as, body: { step } })
const company = {
  'company.address': '1, Jalan Ipoh, 51200 Kuala Lumpur',
  'company.registrationNumber': '202401000001',
  'company.taxNumber': 'W10-2401-32000001',
}

async function openStation(changes: Partial<StationInput>): Promise<void> {
  const body = stationBody(`S${Math.random().toString(36).slice(2, 8)}`, { type: 'warehouse', ...changes })
  expect((await test.call(createStation, { token, body })).status).toBe(200)
}

/** Terms, privacy notice and a contact: each completes a missing step. */
async function publishTexts(): Promise<void> {
  for (const kind of legalKinds) {
    const body = { after: null, text: { en: `Our ${kind}`, cn_zh: null } }
    expect((await test.call(publishLegalText, { token, params: { kind }, body })).status).toBe(200)
    expect((await findStep('legal'))?.gaps).not.toContain(kind)
  }
  expect(await findStep('legal')).toMatchObject({ state: 'missing', gaps: ['contact'] })
  await save({ 'company.email': 'hello@kurier.example' })
  expect(await findStep('legal')).toMatchObject({ state: 'done', gaps: [] })
}

async function publishCard(validFrom: string): Promise<void> {
  const zone = { code: 'MY', name: 'Malaysia', scope: 'domestic' as const }
  const areas = [{ country: 'my', state: null, postcodeFrom: null, postcodeTo: null, remoteSurchargeMinor: 0 }]
  expect((await test.call(createZone, { token, body: { ...zone, areas } })).status).toBe(200)
  const card = (await test.call(createRateCard, { token, body: { code: 'STANDARD', name: 'Standard' } })).body
  expect(card).toMatchObject({ code: 'STANDARD', edition: 1, currency: 'MYR', state: 'draft', lines: [], common: true })
  expect(await findStep('rates')).toMatchObject({ state: 'missing', gaps: ['publishedCard'] })
  const line = {
    scope: 'domestic' as const,
    carrier: 'own' as const,
    serviceType: 'e_parcel' as const,
    originZone: 'MY',
    destinationZone: 'MY',
    minWeightGrams: 1,
    maxWeightGrams: 30_000,
    firstWeightGrams: 1000,
    firstPriceMinor: 600,
    stepWeightGrams: 500,
    stepPriceMinor: 100,
    transitDays: 2,
  }
  const params = { id: card.id }
  const body = { version: card.version, name: card.name, lines: [line] }
  const { version } = (await test.call(updateRateCard, { token, params, body })).body
  expect((await test.call(publishRateCard, { token, params, body: { version, validFrom } })).status).toBe(200)
}

describe('the setup of an empty deployment', () => {
  it('lists what is missing, step by step, until the first parcel can be sent', async () => {
    const empty = await setup()
    expect(empty).toMatchObject({ complete: false, readyFrom: null, company: { name: 'Waybill Express Sdn Bhd' } })
    expect(empty.steps.map(({ id, state, gaps }) => [id, state, gaps])).toEqual([
      ['company', 'missing', ['address', 'registrationNumber', 'taxNumber', 'confirmation']],
      ['money', 'missing', ['confirmation']],
      ['mail', 'missing', ['mailTest']],
      ['legal', 'missing', ['terms', 'privacy', 'contact']],
      ['stations', 'missing', ['station']],
      ['zones', 'missing', ['zone']],
      ['rates', 'missing', ['rateCard']],
      ['carriers', 'done', []],
    ])
    expect(empty.carriers).toEqual([
      { carrier: 'dhl', configured: false },
      { carrier: 'yunda', configured: true },
    ])
    await save(company)
    await confirm('company')
    await confirm('money')
    expect((await test.call(sendTestMail, { token })).body).toMatchObject({ trouble: null })
    await publishTexts()
    await openStation({})
    expect((await findStep('stations'))?.gaps).toEqual(['acceptingStation', 'deliveringStation'])
    await openStation({ serviceCodes: ['e_parcel.delivery', 'e_parcel.pickup'] })
    expect((await findStep('stations'))?.gaps).toEqual(['acceptingStation', 'deliveringStation'])
    const coverage = [{ postcodeFrom: '50000', postcodeTo: '59999', cutOffTime: '16:00' }]
    await openStation({ serviceCodes: ['e_parcel.delivery', 'e_parcel.drop_off'], coverage })
    expect(await findStep('stations')).toMatchObject({ state: 'done', gaps: [] })
    const tomorrow = new Date(test.clock.now().getTime() + 32 * 3_600_000).toISOString().slice(0, 10)
    await publishCard(tomorrow)
    expect(await setup()).toMatchObject({ complete: true, readyFrom: tomorrow })
    test.clock.advance(10 * 86_400_000)
    token = (await createStaff(test, { type: 'superadmin' })).token
    expect((await setup()).readyFrom?.localeCompare(tomorrow)).toBe(1)
    const params = { scope: 'domestic', carrier: 'own', serviceType: 'e_parcel' } as const
    const closed = { version: 1, status: 'closed' as const, deliveryModes: [], cod: false }
    const limits = { maxWeightGrams: null, maxVolumetricGrams: null }
    expect((await test.call(updateService, { token, params, body: { ...closed, ...limits } })).status).toBe(200)
    expect(await findStep('rates')).toMatchObject({ state: 'missing', gaps: ['openService'] })
  })

  it('accepts a confirmation only once the company has the details that an invoice requires', async () => {
    expect((await confirm('company')).error.errors?.map(({ field }) => field)).toEqual([
      'address',
      'registrationNumber',
      'taxNumber',
    ])
    await save({ ...company, 'company.taxNumber': null, 'price.taxBasisPoints': 0 })
    expect((await confirm('company')).body.steps[0]).toMatchObject({ id: 'company', state: 'done' })
    const log = await listActivities(test, { action: 'setup.confirmed' })
    expect(log).toMatchObject([{ subject: 'company', detail: { registrationNumber: '202401000001' } }])
  })

  it('lets an admin confirm the company, but not the money step', async () => {
    const admin = (await createStaff(test, { type: 'admin' })).token
    await save(company)
    expect((await confirm('company', admin)).status).toBe(200)
    expect((await confirm('money', admin)).error.code).toBe('forbidden')
    expect(await findStep('money')).toMatchObject({ state: 'missing' })
  })

  it('rejects a new card without code or name, and a code in use', async () => {
    const reply = await test.call(createRateCard, { token, body: {} })
    expect(reply.error.errors?.map(({ field }) => field)).toEqual(['code', 'name'])
    await test.call(createRateCard, { token, body: { code: 'STANDARD', name: 'Standard' } })
    const again = await test.call(createRateCard, { token, body: { code: 'standard', name: 'Standard' } })
    expect(again.error.errors).toMatchObject([{ field: 'code' }])
  })
})

describe('the test email', () => {
  it('is sent to the caller, and remains valid until the mail settings change', async () => {
    const { to } = (await test.call(sendTestMail, { token })).body
    const mail = await test.mailbox.waitFor((each) => each.to.includes(to))
    expect(mail.subject).toContain('test of the email settings')
    expect(await findStep('mail')).toMatchObject({ state: 'done' })
    test.clock.advance(1000)
    await save({ 'mail.fromName': 'Kurier post' })
    expect(await findStep('mail')).toMatchObject({ state: 'missing', gaps: ['mailTest'] })
  })

  it.each([
    ['login', '5.7.8 Bad credentials'],
    ['sender', '5.7.1 Sender not allowed'],
    ['recipient', 'No such mailbox'],
  ] as const)("reports that the mail server refuses the %s, with the server's own message", async (trouble, answer) => {
    const port = await startStrictMailServer(trouble)
    await save({ 'mail.host': '127.0.0.1', 'mail.port': port, 'mail.user': 'kurier', 'mail.password': 'wrong' })
    const { body } = await test.call(sendTestMail, { token })
    expect(body).toMatchObject({ trouble, answer: expect.stringContaining(answer) })
    expect(await findStep('mail')).toMatchObject({ state: 'missing' })
  })

  it('reports that the address does not respond', async () => {
    const silent = await startSilentServer()
    await silent.stop()
    await save({ 'mail.host': '127.0.0.1', 'mail.port': silent.port })
    expect((await test.call(sendTestMail, { token })).body).toMatchObject({ trouble: 'unreachable' })
  })

  it('reports that the connection cannot be encrypted', async () => {
    const port = await startStrictMailServer('login')
    await save({ 'mail.host': '127.0.0.1', 'mail.port': port, 'mail.ssl': true })
    expect((await test.call(sendTestMail, { token })).body).toMatchObject({ trouble: 'tls' })
  })
})
