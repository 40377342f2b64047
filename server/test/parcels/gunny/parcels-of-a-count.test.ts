import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { type checkGunny, emptyGunny } from '@waybill/contract/parcels/gunny'
import { recentScans, scan, undoScan } from '@waybill/contract/parcels/scanning'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import { enforceCollectionDays } from '../../../src/domains/parcels/self-collection/holding.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { fillGunny, findCounterAndHub, sendCheck } from '../../testing/factories/gunnies.ts'
import { parcelNow } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { labelByCarrier } from '../../testing/factories/parcels.ts'

describe('a parcel that is counted with its gunny', () => {
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

  /** A parcel in a gunny that its sender has packed, for self-collection at a station. */
  const packParcel = async (stationId: string) => {
    const parcel = { delivery_mode: 'P2P', self_collection_station_id: stationId } as const
    const { parcels, numbers, gunny } = await fillGunny(test, owner, { parcel })
    const count = async (by: TestStaff, event: BodyIn<typeof checkGunny>['event'], nextStationId?: string) => {
      const answer = await sendCheck(test, by, gunny.id, event, numbers, nextStationId ? { nextStationId } : {})
      expect(answer.status).toBe(200)
    }
    return { parcelId: parcels[0]?.id ?? '', number: numbers[0] ?? '', count }
  }

  it('stays with its station: staff of another one neither count nor unpack the gunny', async () => {
    const { numbers, gunny } = await fillGunny(test, owner, {})
    const send = (by: TestStaff, event: BodyIn<typeof checkGunny>['event'], more = {}) =>
      sendCheck(test, by, gunny.id, event, numbers, more)
    expect((await send(hub, 'received', { stationId: here })).error.code).toBe('task_other_station')
    const { version } = (await send(counter, 'received')).body
    const empty = (by: TestStaff) =>
      test.call(emptyGunny, { token: by.token, params: { id: gunny.id }, body: { version: version + 2 } })
    const departure = await send(hub, 'departed', { nextStationId: here })
    expect([departure.status, departure.error.code]).toEqual([409, 'gunny_elsewhere'])
    expect((await send(counter, 'departed', { nextStationId: there })).status).toBe(200)
    expect((await send(hub, 'arrived')).status).toBe(200)
    expect((await empty(counter)).error.code).toBe('task_other_station')
    expect((await empty(hub)).status).toBe(200)
  })

  it('is announced at its self-collection station, and has no last day once it leaves', async () => {
    const { parcelId, number, count } = await packParcel(there)
    const countMails = () =>
      [owner.email, 'ahmad@example.test'].map(
        (to) => test.mailbox.mails().filter((mail) => mail.to.includes(to) && mail.subject.includes(number)).length,
      )
    await count(counter, 'received')
    await count(counter, 'departed', there)
    await test.settle()
    expect((await parcelNow(test, owner, parcelId)).collectUntil).toBeNull()
    expect(countMails()).toEqual([0, 0])

    await count(hub, 'arrived')
    await test.settle()
    const { collectUntil } = await parcelNow(test, owner, parcelId)
    expect(Date.parse(collectUntil ?? '')).toBeGreaterThan(test.clock.now().getTime())
    const tracked = await test.call(publicTrackGet, { query: { no: number } })
    expect(tracked.body.found[0]?.collectUntil).toBe(collectUntil)
    expect(countMails()).toEqual([1, 1])

    // The last day is over when it leaves, but the job has not run yet.
    await test.deps.db.updateTable('parcels').set({ collect_until: '2020-01-01' }).where('id', '=', parcelId).execute()
    await count(hub, 'departed', here)
    await count(counter, 'arrived')
    await enforceCollectionDays(test.deps)
    expect(await parcelNow(test, owner, parcelId)).toMatchObject({ status: 'inbound', collectUntil: null })
  })

  it('is counted by the label of its carrier', async () => {
    const { parcels, numbers, gunny } = await fillGunny(test, owner, { count: 2 })
    const [number, missing] = numbers as [string, string]
    const dhl = '1234567891'
    await labelByCarrier(test, owner, { id: parcels[0]?.id ?? '', number }, 'dhl', dhl)
    const answer = await sendCheck(test, counter, gunny.id, 'received', ['1234 5678 91', number])
    expect(answer.body.checks[0]).toMatchObject({ expected: 2, moved: 1, missing: [missing], extra: [], unknown: [] })
  })

  it('is announced at once if its sender drops it off at its self-collection station', async () => {
    const { parcelId, count } = await packParcel(here)
    await count(counter, 'received')
    expect((await parcelNow(test, owner, parcelId)).collectUntil).not.toBeNull()
  })

  it('cannot be taken out of the count by an undo', async () => {
    const { number, count } = await packParcel(there)
    const { token } = counter
    await count(counter, 'received')
    const [latest] = (await test.call(recentScans, { token })).body.items
    expect(latest).toMatchObject({ trackingNumber: number, undoUntil: null })
    const repeated = await test.call(scan, { token, body: { trackingNumber: number, event: 'accepted' } })
    expect(repeated.body).toMatchObject({ repeated: { byYou: true }, undoUntil: null })
    const undone = await test.call(undoScan, { token, params: { id: latest?.id ?? '' } })
    expect([undone.status, undone.error.code]).toEqual([409, 'undo_impossible'])
  })
})
