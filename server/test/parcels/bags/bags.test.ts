import { groupNumbersIn } from '@waybill/contract/ground/tracking-number'
import { scan as scanCall } from '@waybill/contract/parcels/scanning'
import {
  bagByNumber,
  bagLabel,
  bagLimit,
  createBag,
  emptyBag,
  fillBag,
  listBags,
  openBag,
  sealBag,
  takeFromBag,
} from '@waybill/contract/parcels/transport/bags'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { fillGunny, findCounterAndHub, getNumbers, sendCheck } from '../../testing/factories/gunnies.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { createAtStation, fillNewBag, loadNewTrip } from '../../testing/factories/trips.ts'
import { openPaper, scan } from '../../testing/paper.ts'

describe('bags', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let hub: TestStaff
  let here: string
  let there: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    ;({ here, there, counter, hub } = await findCounterAndHub(test))
  })

  const create = (body: { stationId?: string; toStationId: string }, by = counter, key?: string) =>
    test.call(createBag, { token: by.token, body, headers: key ? { 'idempotency-key': key } : {} })
  const fill = (id: string, trackingNumber: string, by = counter) =>
    test.call(fillBag, { token: by.token, params: { id }, body: { trackingNumber } })
  const seal = (id: string, version: number, by = counter) =>
    test.call(sealBag, { token: by.token, params: { id }, body: { version, sealNumber: ' S-1 ' } })
  const open = (id: string, version: number, by = counter) =>
    test.call(openBag, { token: by.token, params: { id }, body: { version } })
  const empty = (id: string, version: number, by = counter) =>
    test.call(emptyBag, { token: by.token, params: { id }, body: { version } })
  const createNumbers = async (count: number) => getNumbers(await createAtStation(test, owner, here, count))
  const refusal = (answer: { status: number; error: { code: string } }) => [answer.status, answer.error.code]

  it('take parcels of several senders to another station', async () => {
    const stranger = await createCustomer(test)
    const [one] = await createNumbers(1)
    const [other] = getNumbers(await createAtStation(test, stranger, here))
    const bag = await fillNewBag(test, counter, there, [one ?? '', other ?? ''])
    expect(bag).toMatchObject({ status: 'open', parcelCount: 2, weightGrams: 2400, sealNumber: null })
    expect(bag.number).toMatch(/^BG\d{9}$/)
    expect(bag.sscc).toMatch(/^00614141\d{10}$/)
    expect([bag.station.id, bag.toStation.id, bag.nextStation]).toEqual([here, there, null])
    expect(bag.parcels.map(({ trackingNumber }) => trackingNumber)).toEqual([other, one])
    const { gunny } = await fillGunny(test, owner)
    expect(gunny.sscc).not.toBe(bag.sscc)
    const bySscc = await test.call(bagByNumber, { token: counter.token, params: { no: `]C100${bag.sscc}` } })
    expect(bySscc.body.id).toBe(bag.id)
    const list = await test.call(listBags, { token: counter.token, query: { status: 'open', stationId: here } })
    expect(list.body.items.map(({ id }) => id)).toContain(bag.id)
    const elsewhere = await test.call(listBags, { token: counter.token, query: { stationId: there } })
    expect(elsewhere.body.items.map(({ id }) => id)).not.toContain(bag.id)
  })

  it('are opened once, even if the request is repeated', async () => {
    const first = await create({ toStationId: there }, counter, 'bag-once-1')
    expect((await create({ toStationId: there }, counter, 'bag-once-1')).body).toEqual(first.body)
  })

  it('are opened only at the own station, for another one', async () => {
    expect(refusal(await create({ stationId: there, toStationId: here }))).toEqual([403, 'task_other_station'])
    const same = await create({ toStationId: here })
    expect([same.status, same.error.errors?.map(({ field }) => field)]).toEqual([422, ['toStationId']])
  })

  it('take only parcels that may depart from here, each once', async () => {
    const [number] = await createNumbers(1)
    const bag = await fillNewBag(test, counter, there, [number ?? ''])
    const again = await fill(bag.id, number ?? '')
    expect([again.status, again.body.changed]).toEqual([200, false])
    expect(again.body.bag).toMatchObject({ parcelCount: 1, version: bag.version })
    const other = await fillNewBag(test, counter, there, [])
    const twice = await fill(other.id, number ?? '')
    expect(refusal(twice)).toEqual([409, 'parcel_in_bag'])
    expect(twice.error.message).toContain(groupNumbersIn(bag.number))
    const waiting = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    expect(refusal(await fill(bag.id, waiting.tracking_number ?? ''))).toEqual([409, 'transition_forbidden'])
    const [away] = getNumbers(await createAtStation(test, owner, there))
    expect(refusal(await fill(bag.id, away ?? ''))).toEqual([409, 'custody_refused'])
    const { gunny, numbers } = await fillGunny(test, owner)
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    expect(refusal(await fill(bag.id, numbers[0] ?? ''))).toEqual([409, 'custody_refused'])
    expect(refusal(await fill(bag.id, 'WB99999999999'))).toEqual([422, 'tracking_number_slip'])
    expect(refusal(await fill(bag.id, number ?? '', hub))).toEqual([403, 'task_other_station'])
    const now = await test.call(bagByNumber, { token: counter.token, params: { no: bag.number } })
    expect(now.body.parcelCount).toBe(1)
  })

  it('do not take a parcel that is on a vehicle', async () => {
    const [number = ''] = await createNumbers(1)
    const trip = await loadNewTrip(test, counter, there, [number])
    const bag = await fillNewBag(test, counter, there, [])
    const refused = await fill(bag.id, number)
    expect(refusal(refused)).toEqual([409, 'trip_other'])
    expect(refused.error.message).toContain(groupNumbersIn(trip.number))
  })

  it('do not contain what was scanned on its own since', async () => {
    const [one, two] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [one ?? '', two ?? ''])
    const body = { trackingNumber: one ?? '', event: 'departed' as const, nextStationId: there }
    expect((await test.call(scanCall, { token: counter.token, body })).status).toBe(200)
    const now = await test.call(bagByNumber, { token: counter.token, params: { no: bag.number } })
    expect(now.body.parcels.map(({ trackingNumber }) => trackingNumber)).toEqual([two])
  })

  it('are sealed with parcels, opened again, changed and emptied', async () => {
    const [one, two] = await createNumbers(2)
    const bare = await fillNewBag(test, counter, there, [])
    expect(refusal(await seal(bare.id, bare.version))).toEqual([409, 'bag_without_parcels'])
    const bag = await fillNewBag(test, counter, there, [one ?? ''])
    expect(refusal(await seal(bag.id, bag.version - 1))).toEqual([409, 'version_conflict'])
    expect(refusal(await seal(bag.id, bag.version, hub))).toEqual([403, 'task_other_station'])
    const sealed = await seal(bag.id, bag.version)
    expect(sealed.body).toMatchObject({ status: 'sealed', sealNumber: 'S-1' })
    const late = await fill(bag.id, two ?? '')
    expect(refusal(late)).toEqual([409, 'bag_state'])
    expect(late.error.message).toContain('Sealed')
    const opened = await open(bag.id, sealed.body.version)
    expect(opened.body).toMatchObject({ status: 'open', sealNumber: null })
    const params = { id: bag.id, parcelId: opened.body.parcels[0]?.id ?? '' }
    const lighter = await test.call(takeFromBag, { token: counter.token, params })
    expect(lighter.body.parcelCount).toBe(0)
    expect((await test.call(takeFromBag, { token: counter.token, params })).status).toBe(404)
    const filled = await fill(bag.id, two ?? '')
    expect(filled.body).toMatchObject({ changed: true, parcel: { trackingNumber: two }, bag: { parcelCount: 1 } })
    const emptied = await empty(bag.id, filled.body.bag.version)
    expect(emptied.body).toMatchObject({ status: 'emptied', parcelCount: 0 })
    expect(refusal(await empty(bag.id, emptied.body.version))).toEqual([409, 'bag_state'])
    // Its parcels are at the station, as before.
    expect((await fillNewBag(test, counter, there, [two ?? ''])).parcelCount).toBe(1)
  })

  it('stay sealed while they are loaded on a trip', async () => {
    const bag = await fillNewBag(test, counter, there, await createNumbers(1), 'S-2')
    const trip = await loadNewTrip(test, counter, there, [bag.number])
    for (const answer of [await open(bag.id, bag.version), await empty(bag.id, bag.version)]) {
      expect(refusal(answer)).toEqual([409, 'bag_on_trip'])
      expect(answer.error.message).toContain(groupNumbersIn(trip.number))
    }
  })

  it(`hold at most ${bagLimit} parcels`, async () => {
    const [first, last] = await createNumbers(2)
    const bag = await fillNewBag(test, counter, there, [first ?? ''])
    const parcels = (await createAtStation(test, owner, here, 1)) as [ParcelRow]
    // Copies of a parcel, because creating hundreds one by one takes long.
    await sql`
      insert into parcels
      select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'tracking_number', 'WBX' || n))).*
      from parcels p, generate_series(1, ${bagLimit - 1}::int) n
      where p.id = ${parcels[0].id}::uuid`.execute(test.deps.db)
    await sql`
      insert into bag_parcels (bag_id, account_id, parcel_id, added_by, added_at)
      select ${bag.id}::uuid, account_id, id, ${counter.userId}::uuid, now()
      from parcels where tracking_number like 'WBX%'`.execute(test.deps.db)
    const full = await fill(bag.id, last ?? '')
    expect(refusal(full)).toEqual([409, 'bag_full'])
    expect((await fill(bag.id, first ?? '')).body.bag.parcelCount).toBe(bagLimit)
  })

  it('have a label with an SSCC that a scanner reads', async () => {
    const bag = await fillNewBag(test, counter, there, await createNumbers(2), 'SEAL-77')
    const params = { id: bag.id }
    const label = await test.call(bagLabel, { token: counter.token, params, query: { format: 'a6' } })
    expect(label.headers['content-type']).toBe('application/pdf')
    const { pages } = await openPaper(label.raw)
    const codes = await scan(await (pages[0] as (typeof pages)[0]).raster(203))
    expect(codes.map(({ text }) => text.replace(/\D/g, ''))).toEqual([`00${bag.sscc}`])
    for (const text of ['BAG', 'Bag number', 'SEAL-77', bag.toStation.name]) expect(pages[0]?.text).toContain(text)
    expect(pages[0]?.text).not.toMatch(/gunny|hand over/i)
    const zpl = await test.call(bagLabel, { token: counter.token, params, query: { format: 'zpl' } })
    expect(zpl.raw.toString()).toContain(`>;>800${bag.sscc}`)
  })

  it('are told apart from other codes', async () => {
    const find = (no: string) => test.call(bagByNumber, { token: counter.token, params: { no } })
    const bag = await fillNewBag(test, counter, there, [])
    const slip = `${bag.number.slice(0, -1)}${(Number(bag.number.at(-1)) + 1) % 10}`
    expect(refusal(await find(slip))).toEqual([422, 'bag_number_slip'])
    expect(refusal(await find('GY000000013'))).toEqual([404, 'bag_unknown'])
    expect((await find(bag.number.toLowerCase())).body.id).toBe(bag.id)
  })
})
