import {
  createStation,
  getManagedStation,
  listManagedStations,
  type StationInput,
  updateStation,
} from '@waybill/contract/stations/manage'
import { publicCoverage, publicStations } from '@waybill/contract/stations/stations'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { stationBody } from '../../testing/factories/stations.ts'

let test: TestApp
let token: string
beforeAll(async () => {
  test = await buildTestApp()
  token = (await createStaff(test, { type: 'admin' })).token
})

const daily = Array.from({ length: 7 }, () => ({ open: '09:00', close: '18:00' }))
const range = (postcodeFrom: string, postcodeTo: string, cutOffTime = '16:00') => ({
  postcodeFrom,
  postcodeTo,
  cutOffTime,
})
const input = (code: string, changes: Partial<StationInput> = {}) =>
  stationBody(code, { openingHours: daily, serviceCodes: ['e_parcel.drop_off', 'e_parcel.pickup'], ...changes })
const open = (code: string, changes: Partial<StationInput> = {}) =>
  test.call(createStation, { token, body: input(code, changes) })
const save = (id: string, version: number, code: string, changes: Partial<StationInput> = {}, as = token) => {
  const { code: _, ...content } = input(code, changes)
  return test.call(updateStation, { token: as, params: { id }, body: { ...content, version } })
}
/** Resolves when a process is notified that the network has changed. */
const networkChange = () => new Promise<void>((resolve) => test.deps.live.subscribe('zones', () => resolve()))
const problems = (reply: { error: { errors?: { field: string; message: string }[] } }) => reply.error.errors ?? []

describe('managing stations', () => {
  it('opens a station that the public sees immediately, and changes, closes and reopens it', async () => {
    expect((await test.call(publicStations, { query: {} })).body.total).toBe(0)
    let notice = networkChange()
    const coverage = [range('51000', '51999', '15:00')]
    const created = await open('kul-1', { name: 'Station KUL-1', coverage, state: 'W.P. Kuala Lumpur' })
    expect(created.body).toMatchObject({ code: 'KUL-1', state: 'Kuala Lumpur', coverage, version: 1, editable: true })
    await notice
    const { id } = created.body
    const covering = async () => {
      const { body } = await test.call(publicCoverage, { query: { postcode: '51200' } })
      return body.items.map(({ station }) => station.name)
    }
    expect(await covering()).toEqual(['Station KUL-1'])
    notice = networkChange()
    const renamed = await save(id, 1, 'KUL-1', { name: 'Sentul', coverage })
    expect(renamed.body).toMatchObject({ name: 'Sentul', version: 2 })
    await notice
    expect(await covering()).toEqual(['Sentul'])
    notice = networkChange()
    expect((await save(id, 2, 'KUL-1', { coverage, active: false })).body).toMatchObject({ active: false, version: 3 })
    await notice
    expect(await covering()).toEqual([])
    expect((await test.call(listManagedStations, { token, query: { tab: 'closed' } })).body).toMatchObject({
      total: 1,
      items: [{ code: 'KUL-1', active: false, coverageCount: 1 }],
    })
    notice = networkChange()
    await save(id, 3, 'KUL-1', { coverage })
    await notice
    expect((await test.call(getManagedStation, { token, params: { id } })).body).toMatchObject({
      active: true,
      coverage,
    })
    const log = await listActivities(test, { subject: id })
    expect(log.map(({ action }) => action)).toEqual(['stations.create', ...Array(3).fill('stations.update')])
    expect(log[1]?.detail).toEqual({ code: 'KUL-1', changes: { name: ['Station KUL-1', 'Sentul'] } })
  })

  it('rejects an outdated version with 409 and changes nothing', async () => {
    const { id } = (await open('OLD-1')).body
    await save(id, 1, 'OLD-1', { name: 'New name' })
    const stale = await save(id, 1, 'OLD-1', { name: 'Stale name' })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const unchanged = (await test.call(getManagedStation, { token, params: { id } })).body
    expect(unchanged).toMatchObject({ name: 'New name', version: 2 })
  })

  it.each<[string, Partial<StationInput>, string, RegExp]>([
    ['an invalid latitude', { latitude: 90.01 }, 'latitude', /between -90 and 90/],
    ['an invalid longitude', { longitude: -181 }, 'longitude', /between -180 and 180/],
    ['an unknown postcode', { postcode: '99999' }, 'postcode', /does not exist/],
    ['a state of another postcode', { state: 'Johor' }, 'state', /51200 is in Kuala Lumpur/],
    ['an invalid telephone number', { phone: '+60123456' }, 'phone', /not a valid phone number/],
    ['six opening days', { openingHours: daily.slice(1) }, 'openingHours', /at least 7/],
    [
      'an invalid time',
      { openingHours: [{ open: '25:00', close: '18:00' }, ...daily.slice(1)] },
      'openingHours.0.open',
      /does not have the right format/,
    ],
    [
      'a range that ends before it begins',
      { coverage: [range('52000', '51000')] },
      'coverage.0.postcodeTo',
      /before the start/,
    ],
    [
      'ranges that overlap in one station',
      { coverage: [range('70000', '71000'), range('70500', '70500')] },
      'coverage.1.postcodeFrom',
      /another range of this station/,
    ],
  ])('rejects %s', async (_, changes, field, message) => {
    const reply = await open(`BAD-${newId().slice(-4)}`, changes)
    expect(reply.status).toBe(422)
    expect(problems(reply)).toEqual([{ field, message: expect.stringMatching(message) }])
    const list = await test.call(listManagedStations, { token, query: { search: 'BAD-' } })
    expect(list.body.total).toBe(0)
  })

  it('rejects a code in use', async () => {
    await open('TWICE')
    expect(problems(await open('twice'))).toMatchObject([{ field: 'code' }])
  })

  it('allows a range inside one of another station, but not a partial overlap', async () => {
    await open('JHB-1', { coverage: [range('80000', '80999')] })
    expect((await open('JHB-2', { coverage: [range('80100', '80199')] })).status).toBe(200)
    const problem = { field: 'coverage.0.postcodeFrom', message: expect.stringContaining('JHB-1 serves 80000–80999') }
    expect(problems(await open('JHB-3', { coverage: [range('80500', '81999')] }))).toEqual([problem])
    expect(problems(await open('JHB-3', { coverage: [range('80000', '80999')] }))).toEqual([problem])
    expect((await open('JHB-3', { coverage: [range('80500', '81999')], active: false })).status).toBe(200)
  })

  it('lets an admin of a station change that station only', async () => {
    const own = (await open('OWN-1')).body
    const other = (await open('OTHER-1')).body
    const bound = (await createStaff(test, { type: 'admin', stationId: own.id })).token
    expect((await save(own.id, 1, 'OWN-1', { name: 'Ours' }, bound)).status).toBe(200)
    expect((await save(other.id, 1, 'OTHER-1', { name: 'Theirs' }, bound)).error.code).toBe('forbidden')
    expect((await test.call(createStation, { token: bound, body: input('NEW-1') })).error.code).toBe('forbidden')
    const list = await test.call(listManagedStations, { token: bound, query: { search: '-1', limit: 200 } })
    const editable = list.body.items.filter((station) => station.editable)
    expect(editable.map(({ code }) => code)).toEqual(['OWN-1'])
    expect((await save(newId(), 1, 'NONE')).status).toBe(404)
  })
})
