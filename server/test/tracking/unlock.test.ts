import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { scan } from '@waybill/contract/parcels/scanning'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { readUnlocked, unlockTracking } from '@waybill/contract/tracking/unlock'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTrackingNumber } from '../../src/domains/parcels/tracking-number.ts'
import { hours } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { uploadPhoto } from '../testing/factories/attachments.ts'
import { findCounter, scanned } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createParcel, testReceiver } from '../testing/factories/parcels.ts'

const signature = 'M10,20 L30,40'
/** The receiver of `createParcel`: 10300, +60198765432. */
const receiver = { postcode: '10300', phoneDigits: '5432' }

describe('the unlocking of a parcel by its receiver', () => {
  let test: TestApp
  let customer: TestCustomer
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    customer = await createCustomer(test)
    counter = (await findCounter(test)).counter
    test.clock.freeze()
  })

  const createNumber = async (status: 'delivering' | 'sorting' | 'completed') =>
    (await createParcel(test, customer, { status })).tracking_number ?? ''
  const unlock = (number: string, details: Partial<BodyIn<typeof unlockTracking>> = {}, language?: string) =>
    test.call(unlockTracking, { body: { number, ...receiver, ...details }, language })

  async function deliverWithPhoto(): Promise<string> {
    const number = await createNumber('sorting')
    await scanned(test, counter, number, 'out_for_delivery')
    const { id } = await uploadPhoto(test, counter.token, 'proof_photo')
    const proof = { recipientName: 'Siti binti Ali', signaturePath: signature, photoIds: [id] }
    const body = { trackingNumber: number, event: 'delivered' as const, ...proof }
    expect((await test.call(scan, { token: counter.token, body })).status).toBe(200)
    return number
  }

  it('shows full address, proof, signature and photo, which has a signed link', async () => {
    const number = await deliverWithPhoto()
    const { status, body, raw } = await unlock(number)
    expect(status).toBe(200)
    const { line1, line2, city, state, country, contactName } = testReceiver()
    expect(body.delivery.receiver).toEqual({
      contactName,
      company: null,
      line1,
      line2,
      postcode: '10300',
      city,
      state,
      country,
    })
    expect(body.delivery.proof).toMatchObject({ recipientName: 'Siti binti Ali', signaturePath: signature })
    const link = body.delivery.proof?.photos[0]?.link ?? ''
    expect((await test.app.inject({ url: link })).statusCode).toBe(200)
    const forged = link.replace(/(?<=signature=)./, (first) => (first === 'A' ? 'B' : 'A'))
    expect((await test.app.inject({ url: forged })).statusCode).toBe(404)
    // The response has no phone number or email address, and the token contains none of the input.
    for (const hidden of ['98765432', '@example.test']) expect(raw.toString()).not.toContain(hidden)
    for (const detail of ['10300', '5432']) expect(body.token).not.toContain(detail)

    const { body: again } = await test.call(readUnlocked, { body: { token: body.token } })
    expect(again).toEqual(body.delivery)
  })

  it('hides the proof of a returned parcel from the receiver, and leaves public tracking unchanged', async () => {
    const number = await deliverWithPhoto()
    await test.deps.db.updateTable('parcels').set({ leg: 'return' }).where('tracking_number', '=', number).execute()
    expect((await unlock(number)).body.delivery.proof).toBeNull()
    const { raw } = await test.call(publicTrackGet, { query: { no: number } })
    for (const hidden of ['Siti', signature, '7 Lebuh Pantai']) expect(raw.toString()).not.toContain(hidden)
  })

  it('accepts full-width digits, spaces, and any spelling of the number', async () => {
    const number = await createNumber('delivering')
    const details = { postcode: ' １０３００', phoneDigits: '５４３２' }
    const { status, body } = await unlock(`${number.slice(0, 2).toLowerCase()} ${number.slice(2)}`, details)
    expect(status).toBe(200)
    expect(body.delivery.proof).toBeNull()
  })

  it('returns the same error for a wrong postcode, wrong digits and an unknown number, in both languages', async () => {
    const unknown = makeTrackingNumber('WB', 8_765_432_109)
    for (const language of ['en', 'zh']) {
      const answers = [
        await unlock(await createNumber('delivering'), { postcode: '10301' }, language),
        await unlock(await createNumber('delivering'), { phoneDigits: '5433' }, language),
        await unlock(unknown, {}, language),
        await unlock('hello', {}, language),
      ]
      expect(new Set(answers.map(({ raw }) => raw.toString())).size).toBe(1)
      expect(answers[0]?.error.code).toBe('unlock_wrong')
    }
    for (const phoneDigits of ['543', '54321', 'abcd', '']) {
      const { status, error } = await unlock(unknown, { phoneDigits })
      expect([status, error.errors?.[0]?.field]).toEqual([422, 'phoneDigits'])
    }
  })

  it('allows five attempts an hour per number from any IP address, then refuses even correct input', async () => {
    const number = await createNumber('delivering')
    // Every attempt has a different IP address and a different spelling of the number.
    const from = (n: number, phoneDigits: string) =>
      test.app.inject({
        method: 'POST',
        url: unlockTracking.path,
        remoteAddress: `10.0.0.${n}`,
        payload: {
          number: `${number.slice(0, 5)}${' '.repeat(n % 20)}${number.slice(5)}`,
          postcode: '10300',
          phoneDigits,
        },
      })
    const attempts = await Promise.all(Array.from({ length: 12 }, (_, n) => from(n + 1, '0000')))
    const codes = attempts.map((answer) => answer.json().code)
    expect(codes.filter((code) => code === 'unlock_wrong')).toHaveLength(5)
    expect(codes.filter((code) => code === 'unlock_attempts')).toHaveLength(7)
    const right = await from(99, '5432')
    expect([right.statusCode, right.json().code]).toEqual([429, 'unlock_attempts'])
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(3500)
    expect(right.json().message).toContain('60 min')
    test.clock.advance(hours(1) - 1000)
    expect((await from(99, '5432')).statusCode).toBe(429)
    test.clock.advance(2000)
    expect((await from(99, '5432')).statusCode).toBe(200)
  })

  it('limits attempts on unknown numbers too, which could be recognised otherwise', async () => {
    const unknown = makeTrackingNumber('WB', 7_654_321_098)
    const codes: string[] = []
    for (let n = 0; n < 6; n++) codes.push((await unlock(unknown)).error.code)
    expect(codes).toEqual([...Array(5).fill('unlock_wrong'), 'unlock_attempts'])
  })

  it('expires after a quarter of an hour or with a new receiver, and rejects forged tokens', async () => {
    const read = (token: string) => test.call(readUnlocked, { body: { token } })
    const parcel = await createParcel(test, customer, { status: 'delivering' })
    const other = await createNumber('delivering')
    const { token } = (await unlock(parcel.tracking_number ?? '')).body
    expect((await read(token)).status).toBe(200)
    const [number = '', end = '', mac = ''] = token.split('.')
    const forged = [
      `${other}.${end}.${mac}`,
      `${number}.${Number(end) + 600}.${mac}`,
      `${number}.${end}.`,
      `${number}.${end}.${mac.slice(1)}`,
      'x',
      '..',
    ]
    for (const each of forged) expect((await read(each)).error.code).toBe('unlock_over')
    await test.deps.db
      .updateTable('parcels')
      .set({ receiver: JSON.stringify(testReceiver({ line1: '9 Jalan Baru', phone: '+60198761111' })) })
      .where('id', '=', parcel.id)
      .execute()
    expect((await read(token)).error.code).toBe('unlock_over')

    const later = (await unlock(other)).body
    test.clock.advance(15 * 60_000)
    expect((await read(later.token)).error.code).toBe('unlock_over')
  })
})
