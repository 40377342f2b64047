import { createGunny, emptyGunny, getGunny, staffGunnies } from '@waybill/contract/parcels/gunny'
import { declareLost, scan as scanCall, undoScan } from '@waybill/contract/parcels/scanning'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { fillGunny, findCounterAndHub, sendCheck } from '../../testing/factories/gunnies.ts'
import { parcelNow } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { explainSent } from '../../testing/plans.ts'

describe('gunnies in progress', () => {
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
  const empty = (id: string, version: number) =>
    test.call(emptyGunny, { token: hub.token, params: { id }, body: { version } })

  it('are listed for the station that handles them next, in any of the given statuses', async () => {
    const list = async (stationId: string) => {
      const query = { status: 'open,at_station,in_transit', stationId, limit: 200 }
      const { status, body } = await test.call(staffGunnies, { token: hub.token, query })
      expect(status).toBe(200)
      return new Set(body.items.map(({ id }) => id))
    }
    const { gunny: anywhere } = await fillGunny(test, owner)
    const { gunny: elsewhere } = await fillGunny(test, owner, { stationId: there })
    const { gunny, numbers } = await fillGunny(test, owner, { count: 2 })
    expect([...(await list(here))]).toEqual(expect.arrayContaining([anywhere.id, gunny.id]))
    expect([(await list(here)).has(elsewhere.id), (await list(there)).has(elsewhere.id)]).toEqual([false, true])
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    expect([(await list(here)).has(gunny.id), (await list(there)).has(gunny.id)]).toEqual([true, false])
    await sendCheck(test, counter, gunny.id, 'departed', numbers, { nextStationId: there })
    expect([(await list(here)).has(gunny.id), (await list(there)).has(gunny.id)]).toEqual([false, true])
    const come = await sendCheck(test, hub, gunny.id, 'arrived', numbers)
    await empty(gunny.id, come.body.version)
    expect((await list(there)).has(gunny.id)).toBe(false)
    const wrong = await test.call(staffGunnies, { token: hub.token, query: { status: 'open,lost' } })
    expect(wrong.status).toBe(422)
  })

  it('in progress are found by an index among many that are emptied', async () => {
    await sql`insert into gunnies (account_id, id, created_by, serial, number, sscc, status, station_id)
      select ${owner.accountId}::uuid, gen_random_uuid(), ${owner.userId}::uuid, n, 'old' || n, 'old' || n, 'closed',
        ${here}::uuid
      from generate_series(100000, 120000) n`.execute(test.deps.db)
    await sql`vacuum (analyze) gunnies`.execute(test.deps.db)
    const query = { status: 'open,at_station,in_transit', stationId: here }
    const plans = await explainSent(test, 'from gunnies g', () => test.call(staffGunnies, { token: hub.token, query }))
    for (const plan of plans) expect(plan).toContain('gunnies_status_created')
    await sql`delete from gunnies where number like 'old%'`.execute(test.deps.db)
  })

  it('lose parcels that are handed over alone, and are dissolved when none is left', async () => {
    const { parcels, gunny } = await fillGunny(test, owner, { count: 2 })
    const [first, second] = parcels as [ParcelRow, ParcelRow]
    const view = async () => (await test.call(getGunny, { token: owner.token, params: { id: gunny.id } })).body
    const accept = async ({ tracking_number }: ParcelRow) => {
      const body = { trackingNumber: tracking_number ?? '', event: 'accepted' as const }
      const answer = await test.call(scanCall, { token: counter.token, body })
      expect(answer.status).toBe(200)
      await test.settle()
      return answer.body.id
    }
    await accept(first)
    expect(await view()).toMatchObject({ status: 'open', parcelCount: 1 })
    expect((await parcelNow(test, owner, first.id)).gunnyId).toBeNull()
    const last = await accept(second)
    expect(await view()).toMatchObject({ status: 'dissolved', parcelCount: 0 })
    expect((await parcelNow(test, owner, second.id)).gunnyId).toBeNull()
    // A scan that is undone does not bring the gunny back: the parcel can be packed again.
    expect((await test.call(undoScan, { token: counter.token, params: { id: last } })).status).toBe(200)
    await test.settle()
    expect(await parcelNow(test, owner, second.id)).toMatchObject({ status: 'pending_dropoff', gunnyId: null })
    const body = { numbers: [second.tracking_number ?? ''] }
    expect((await test.call(createGunny, { token: owner.token, body })).status).toBe(200)
  })

  it('can be counted in and unpacked when all their parcels have left them on the way', async () => {
    const { parcels, numbers, gunny } = await fillGunny(test, owner, { count: 2 })
    const [alone, lost] = parcels as [ParcelRow, ParcelRow]
    await sendCheck(test, counter, gunny.id, 'received', numbers)
    await sendCheck(test, counter, gunny.id, 'departed', numbers, { nextStationId: there })
    // With a parcel in it, a gunny that nothing was taken out of was not opened.
    expect((await sendCheck(test, hub, gunny.id, 'arrived', [])).error.code).toBe('validation')
    const takeOver = { reason: 'It lay beside the gunny.' }
    const body = { trackingNumber: alone.tracking_number ?? '', event: 'arrived' as const, takeOver }
    expect((await test.call(scanCall, { token: hub.token, body })).status).toBe(200)
    const supervisor = await createStaff(test, { role: 'admin' })
    const { version } = await parcelNow(test, owner, lost.id)
    const declaration = { version, note: 'It fell out of the gunny.' }
    await test.call(declareLost, { token: supervisor.token, params: { id: lost.id }, body: declaration })
    const arrival = await sendCheck(test, hub, gunny.id, 'arrived', [])
    expect(arrival.body).toMatchObject({ status: 'at_station', parcelCount: 0 })
    expect((await empty(gunny.id, arrival.body.version)).body.status).toBe('closed')
  })
})
