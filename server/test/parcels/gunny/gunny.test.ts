import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { groupNumbersIn } from '@waybill/contract/ground/tracking-number'
import {
  type checkGunny,
  createGunny,
  dissolveGunny,
  emptyGunny,
  getGunny,
  gunnyLabel,
  gunnyManifest,
  listGunnies,
  missingFromGunnies,
  staffGunnies,
  staffGunnyByNumber,
  updateGunny,
} from '@waybill/contract/parcels/gunny'
import { generateNotes } from '@waybill/contract/parcels/labels'
import { scan as scanCall } from '@waybill/contract/parcels/scanning'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { makeTrackingNumber } from '../../../src/domains/parcels/tracking-number.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { createUnpacked, fillGunny, findCounterAndHub, getNumbers, sendCheck } from '../../testing/factories/gunnies.ts'
import { parcelNow } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, type ParcelDefaults } from '../../testing/factories/parcels.ts'
import { openPaper, scan } from '../../testing/paper.ts'

describe('gunnies', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let hub: TestStaff
  let here: string
  let there: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test, { name: 'Harmoni Books 和谐书店' })
    ;({ here, there, counter, hub } = await findCounterAndHub(test))
  })

  const waiting = (count: number, overrides: ParcelDefaults = {}, by = owner) =>
    createUnpacked(test, by, count, overrides)
  const pack = (numbers: string[], more: Partial<BodyIn<typeof createGunny>> = {}, token = owner.token, key?: string) =>
    test.call(createGunny, { token, body: { numbers, ...more }, headers: key ? { 'idempotency-key': key } : {} })
  const createPacked = (count: number, more: { sealNumber?: string } = {}) => fillGunny(test, owner, { count, ...more })
  const check = (
    id: string,
    event: BodyIn<typeof checkGunny>['event'],
    numbers: string[],
    more: Partial<BodyIn<typeof checkGunny>> = {},
    by = counter,
  ) => sendCheck(test, by, id, event, numbers, more)
  const empty = (id: string, version: number, by = hub) =>
    test.call(emptyGunny, { token: by.token, params: { id }, body: { version } })
  const getStatus = async ({ id }: ParcelRow) => (await parcelNow(test, owner, id)).status
  const problems = (answer: { error: { errors?: { field: string }[] } }) =>
    answer.error.errors?.map(({ field }) => field)

  it('group parcels of one drop-off station under a unique number and SSCC', async () => {
    const { parcels, gunny } = await createPacked(3, { sealNumber: ' S-1 ' })
    expect(gunny.number).toMatch(/^GY\d{9}$/)
    expect(gunny.sscc).toMatch(/^00614141\d{10}$/)
    expect(gunny).toMatchObject({
      status: 'open',
      parcelCount: 3,
      weightGrams: 3600,
      sealNumber: 'S-1',
      differs: false,
    })
    expect(gunny.parcels.map(({ trackingNumber }) => trackingNumber).sort()).toEqual(getNumbers(parcels).sort())
    const list = await test.call(listGunnies, { token: owner.token, query: { search: gunny.number.slice(-5) } })
    expect(list.body.items.map(({ id }) => id)).toContain(gunny.id)
    expect(list.body.counts).toEqual({ open: 1 })
    // The tabs keep the counts of the others.
    const query = { search: gunny.number, status: 'closed' } as const
    const closed = await test.call(listGunnies, { token: owner.token, query })
    expect(closed.body).toMatchObject({ total: 0, counts: { open: 1 } })
    const other = await createPacked(1)
    expect(other.gunny.sscc).not.toBe(gunny.sscc)
  })

  it('are created once, even if the request is repeated', async () => {
    const numbers = getNumbers(await waiting(2))
    const first = await pack(numbers, {}, owner.token, 'gunny-once')
    const again = await pack(numbers, {}, owner.token, 'gunny-once')
    expect(again.body).toEqual(first.body)
  })

  it('contain a parcel only once across open gunnies, even with concurrent requests', async () => {
    const numbers = getNumbers(await waiting(2))
    const answers = await Promise.all([pack(numbers), pack(numbers), pack(numbers)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  it('refuse invalid numbers, with the position and reason of each', async () => {
    const [good, twice] = await waiting(2)
    const stranger = await createCustomer(test)
    const [foreign] = await waiting(1, {}, stranger)
    const draft = await createParcel(test, owner)
    const delivered = await createParcel(test, owner, { status: 'completed', delivery_mode: 'P2D' })
    const { gunny } = await createPacked(1)
    const goodNumber = good?.tracking_number ?? ''
    const slip = `${goodNumber.slice(0, -1)}${(Number(goodNumber.at(-1)) + 1) % 10}`
    const again = twice?.tracking_number ?? ''
    const answer = await pack([
      goodNumber,
      again,
      again,
      slip,
      foreign?.tracking_number ?? '',
      delivered.tracking_number ?? '',
      gunny.parcels[0]?.trackingNumber ?? '',
      draft.id,
    ])
    expect([answer.status, answer.error.code]).toEqual([422, 'validation'])
    expect(problems(answer)).toEqual(['numbers.2', 'numbers.3', 'numbers.4', 'numbers.5', 'numbers.6', 'numbers.7'])
    for (const { message } of answer.error.errors ?? []) expect(message).not.toMatch(/validation\.|\{\{/)
    expect(answer.error.errors?.[4]?.message).toContain(groupNumbersIn(gunny.number))
    // No parcel was packed.
    expect((await pack([goodNumber, again])).status).toBe(200)
  })

  it('contain only parcels of one drop-off station', async () => {
    const [a] = await waiting(1, { drop_off_station_id: here })
    const [b] = await waiting(1, { drop_off_station_id: there })
    const [anywhere] = await waiting(1)
    const mixed = await pack(getNumbers([a, b, anywhere] as ParcelRow[]))
    expect(problems(mixed)).toHaveLength(1)
    expect((await pack(getNumbers([a] as ParcelRow[]), { stationId: there })).status).toBe(422)
    const fine = await pack(getNumbers([a, anywhere] as ParcelRow[]))
    expect(fine.body.dropOffStation?.id).toBe(here)
    expect((await pack(getNumbers([b] as ParcelRow[]), { stationId: a?.id ?? '' })).status).toBe(422)
  })

  it('can be changed until handover, with the current version only', async () => {
    const { parcels, gunny } = await createPacked(2)
    const [more] = await waiting(1)
    const change = (body: Partial<BodyIn<typeof updateGunny>>, token = owner.token) =>
      test.call(updateGunny, { token, params: { id: gunny.id }, body: { version: gunny.version, ...body } })
    const first = getNumbers(parcels)[0] ?? ''
    const changed = await change({ add: getNumbers([more] as ParcelRow[]), remove: [first], sealNumber: 'S-9' })
    expect(changed.body).toMatchObject({ parcelCount: 2, sealNumber: 'S-9', version: gunny.version + 1 })
    expect((await change({ sealNumber: 'S-8' })).error.code).toBe('version_conflict')
    const { version } = changed.body
    expect(problems(await change({ version, remove: [first] }))).toEqual(['remove'])
    expect(problems(await change({ version, add: getNumbers([more] as ParcelRow[]) }))).toEqual(['add.0'])
    // A removed parcel can go into another gunny.
    expect((await pack([first])).status).toBe(200)
    const stranger = await createCustomer(test)
    expect((await change({ version }, stranger.token)).status).toBe(404)
  })

  it('return 404 to other accounts', async () => {
    const { gunny } = await createPacked(1)
    const stranger = await createCustomer(test)
    const params = { id: gunny.id }
    const { token } = stranger
    for (const endpoint of [getGunny, gunnyLabel, gunnyManifest, dissolveGunny] as const) {
      expect((await test.call(endpoint, { token, params })).status).toBe(404)
    }
    expect((await test.call(listGunnies, { token })).body.total).toBe(0)
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, company, ['parcels.create'])
    const [parcel] = await waiting(1, {}, company)
    expect(problems(await pack(getNumbers([parcel] as ParcelRow[]), {}, member.token))).toEqual(['numbers.0'])
    expect((await pack(getNumbers([parcel] as ParcelRow[]), {}, company.token)).status).toBe(200)
    expect((await test.call(listGunnies, { token: member.token })).body.total).toBe(0)
  })

  it('have a label in every format with an SSCC that a scanner reads, and a manifest of all parcels', async () => {
    const { gunny, parcels } = await createPacked(2, { sealNumber: 'SEAL-2026-000042' })
    const params = { id: gunny.id }
    for (const format of ['a6', '4x6'] as const) {
      const label = await test.call(gunnyLabel, { token: owner.token, params, query: { format } })
      expect(label.headers['content-type']).toBe('application/pdf')
      const { pages } = await openPaper(label.raw)
      const codes = await scan(await (pages[0] as (typeof pages)[0]).raster(203))
      expect(codes.map(({ text }) => text.replace(/\D/g, ''))).toEqual([`00${gunny.sscc}`])
      expect(pages[0]?.text).toContain('Harmoni Books 和谐书店')
      expect(pages[0]?.text).toContain('SEAL-2026-000042')
    }
    const zpl = await test.call(gunnyLabel, { token: owner.token, params, query: { format: 'zpl' } })
    expect(zpl.headers['content-type']).toContain('application/zpl')
    expect(zpl.raw.toString()).toContain(`>;>800${gunny.sscc}`)
    const wrong = await test.call(gunnyLabel, { token: owner.token, params, query: { format: 'a4' as never } })
    expect(wrong.status).toBe(422)
    const manifest = await openPaper((await test.call(gunnyManifest, { token: owner.token, params })).raw)
    const manifestText = manifest.pages[0]?.text ?? ''
    for (const number of getNumbers(parcels)) expect(manifestText.replace(/\s/g, '')).toContain(number)
    expect(manifestText).toContain('SEAL-2026-000042')
    const note = await test.call(generateNotes, { token: owner.token, query: { ids: parcels[0]?.id ?? '' } })
    const { pages } = await openPaper(note.raw)
    expect(pages[0]?.text.replace(/\s/g, '')).toContain(gunny.number)
  })

  it('are received at a counter with a list of differences; only present parcels are accepted', async () => {
    const { gunny, parcels } = await createPacked(3)
    const [extra] = await waiting(1)
    const cancelled = await createParcel(test, owner, {
      status: 'cancel',
      delivery_mode: 'P2D',
      tracking_number: makeTrackingNumber('WB', 9_000_001),
    } as never)
    const [one, two, lost] = parcels as [ParcelRow, ParcelRow, ParcelRow]
    const lookup = await test.call(staffGunnyByNumber, { token: counter.token, params: { no: `]C100${gunny.sscc}` } })
    expect(lookup.body).toMatchObject({ id: gunny.id, nextCheck: 'received', accountName: 'Harmoni Books 和谐书店' })
    expect(lookup.body.expected.sort()).toEqual(getNumbers(parcels).sort())
    const unknown = makeTrackingNumber('WB', 9_000_000)
    const answer = await check(gunny.id, 'received', [
      ...getNumbers([one, two, extra as ParcelRow, one]),
      cancelled.tracking_number ?? '',
      unknown,
    ])
    expect(answer.status).toBe(200)
    expect(answer.body.status).toBe('at_station')
    expect(answer.body.checks[0]).toMatchObject({
      event: 'received',
      expected: 3,
      moved: 3,
      missing: [lost.tracking_number],
      extra: [extra?.tracking_number],
      refused: [{ number: cancelled.tracking_number, status: 'cancel' }],
      unknown: [unknown],
    })
    expect(await Promise.all([one, two, extra as ParcelRow, lost].map(getStatus))).toEqual(
      'inbound inbound inbound pending_dropoff'.split(' '),
    )
    // The sender sees the difference too, and may pack the missing parcel again.
    const view = await test.call(getGunny, { token: owner.token, params: { id: gunny.id } })
    expect(view.body).toMatchObject({ differs: true, parcelCount: 3 })
    expect((await pack(getNumbers([lost]))).status).toBe(200)
    // A second receipt is refused because of the gunny's status.
    const again = await check(gunny.id, 'received', getNumbers([one]))
    expect([again.status, again.error.code]).toEqual([409, 'gunny_state'])
    expect(again.error.message).toContain('At a station')
    expect((await test.call(dissolveGunny, { token: owner.token, params: { id: gunny.id } })).status).toBe(409)
  })

  it('are received once if several counters scan them at the same time', async () => {
    const { gunny, parcels } = await createPacked(2)
    const answers = await Promise.all([1, 2, 3].map(() => check(gunny.id, 'received', getNumbers(parcels))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  it('travel to the next station sealed or counted, arrive there, and are emptied', async () => {
    const { gunny, parcels } = await createPacked(3, { sealNumber: 'S-77' })
    const [one, two, late] = parcels as [ParcelRow, ParcelRow, ParcelRow]
    const wrong = await check(gunny.id, 'received', [], { sealed: true, sealNumber: 'S-78' })
    expect([wrong.status, wrong.error.code]).toEqual([409, 'seal_differs'])
    const right = await check(gunny.id, 'received', [], { sealed: true, sealNumber: 'S-77' })
    expect(right.body.checks[0]).toMatchObject({ sealed: true, moved: 3 })
    expect(problems(await check(gunny.id, 'departed', [], { sealed: true, sealNumber: 'S-77' }))).toEqual([
      'nextStationId',
    ])
    const elsewhere = await check(gunny.id, 'departed', getNumbers(parcels), { nextStationId: here }, hub)
    expect([elsewhere.status, elsewhere.error.code]).toEqual([409, 'gunny_elsewhere'])
    const departure = await check(gunny.id, 'departed', getNumbers([one, two]), { nextStationId: there })
    expect(departure.body).toMatchObject({ status: 'in_transit', nextStation: { id: there }, parcelCount: 2 })
    expect(departure.body.checks[0]).toMatchObject({ missing: [late.tracking_number] })
    expect(await Promise.all(parcels.map(getStatus))).toEqual(['outbound', 'outbound', 'inbound'])
    const come = await check(gunny.id, 'arrived', [], { sealed: true, sealNumber: 'S-77' }, hub)
    expect(come.body).toMatchObject({ status: 'at_station', station: { id: there }, differs: false })
    const stale = await empty(gunny.id, 1)
    expect(stale.error.code).toBe('version_conflict')
    const result = await empty(gunny.id, come.body.version)
    expect(result.body).toMatchObject({ status: 'closed', nextCheck: null })
    expect(await getStatus(one)).toBe('inbound')
    const closed = await test.call(staffGunnies, { token: hub.token, query: { status: 'closed' } })
    expect(closed.body.items[0]).toMatchObject({ id: gunny.id, accountName: 'Harmoni Books 和谐书店' })
  })

  it('hide the number of another account’s parcel from the sender', async () => {
    const { gunny, parcels } = await createPacked(1)
    const stranger = await createCustomer(test)
    const [foreign] = await waiting(1, {}, stranger)
    const answer = await check(gunny.id, 'received', getNumbers([...parcels, foreign as ParcelRow]))
    expect(answer.body.checks[0]?.extra).toEqual([foreign?.tracking_number])
    const view = await test.call(getGunny, { token: owner.token, params: { id: gunny.id } })
    expect(JSON.stringify(view.body)).not.toContain(foreign?.tracking_number)
    expect((await parcelNow(test, stranger, foreign?.id ?? '')).status).toBe('inbound')
  })

  it('expect only waiting parcels: one that was accepted separately is not missing', async () => {
    const { gunny, parcels } = await createPacked(2)
    const [alone, rest] = parcels as [ParcelRow, ParcelRow]
    const body = { trackingNumber: alone.tracking_number ?? '', event: 'accepted' as const }
    expect((await test.call(scanCall, { token: counter.token, body })).status).toBe(200)
    const answer = await check(gunny.id, 'received', getNumbers([rest]))
    expect(answer.body.checks[0]).toMatchObject({ expected: 1, moved: 1, missing: [], refused: [] })
  })

  it('are not found by an unknown number; a typing error gets a separate message', async () => {
    const { gunny } = await createPacked(1)
    const look = (no: string) => test.call(staffGunnyByNumber, { token: counter.token, params: { no } })
    const slipped = `${gunny.sscc.slice(0, -1)}${(Number(gunny.sscc.at(-1)) + 1) % 10}`
    expect((await look(slipped)).error.code).toBe('gunny_number_slip')
    expect((await look('GY999999995')).status).toBeGreaterThanOrEqual(404)
    expect((await look('nonsense')).error.code).toBe('gunny_unknown')
    expect((await check(gunny.id, 'received', ['WB12345678904'])).status).toBe(422)
    expect(problems(await check(gunny.id, 'received', []))).toEqual(['numbers'])
  })

  it('release their parcels when they are dissolved', async () => {
    const { gunny, parcels } = await createPacked(2)
    expect((await test.call(dissolveGunny, { token: owner.token, params: { id: gunny.id } })).status).toBe(200)
    expect((await check(gunny.id, 'received', getNumbers(parcels))).error.code).toBe('gunny_state')
    expect((await pack(getNumbers(parcels))).status).toBe(200)
  })

  it('list a missing parcel until it is scanned anywhere, even after they are emptied', async () => {
    const missingNumbers = async (stationId = here) => {
      const answer = await test.call(missingFromGunnies, { token: hub.token, query: { stationId, limit: 200 } })
      expect(answer.status).toBe(200)
      return answer.body.items.map(({ trackingNumber }) => trackingNumber)
    }
    const { parcels, gunny } = await createPacked(2)
    const [present, lost] = getNumbers(parcels) as [string, string]
    expect((await check(gunny.id, 'received', [present])).status).toBe(200)
    const received = await test.call(staffGunnyByNumber, { token: counter.token, params: { no: gunny.number } })
    await empty(gunny.id, received.body.version, counter)
    expect(await missingNumbers()).toContain(lost)
    expect(await missingNumbers()).not.toContain(present)
    expect(await missingNumbers(there)).not.toContain(lost)
    const body = { trackingNumber: lost, event: 'accepted', stationId: here } as never
    const scanned = await test.call(scanCall, { token: counter.token, body })
    expect(scanned.status).toBe(200)
    expect(await missingNumbers()).not.toContain(lost)
  })
})
