import { pickupSlots } from '@waybill/contract/pickups/slots'
import { priceServices } from '@waybill/contract/pricing/pricing'
import { addHoliday, listHolidays, removeHolidays } from '@waybill/contract/stations/holidays'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { testParty, testReceiver } from '../../testing/factories/parcels.ts'
import { workingDay } from '../../testing/factories/working-day.ts'
import { secondProcess } from '../../testing/second-process.ts'

describe('the calendar', () => {
  let test: TestApp
  let token: string
  let customer: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    token = (await createStaff(test, { role: 'it_executive' })).token
    customer = (await createCustomer(test)).token
  })

  const add = (day: string, states: string[] = [], overrides: { name?: string; country?: string } = {}) =>
    test.call(addHoliday, { token, body: { country: 'my', day, name: 'Feast', states, ...overrides } })
  const year = async (day: string, country?: string) =>
    (
      await test.call(listHolidays, {
        token,
        query: { year: Number(day.slice(0, 4)), ...(country ? { country } : {}) },
      })
    ).body
  const slotsOn = async (day: string) => {
    const query = { postcode: testParty().postcode, country: 'my' }
    const { items } = (await test.call(pickupSlots, { token: customer, query })).body
    return items.filter(({ date }) => date === day).map(({ closed }) => closed)
  }
  /** The expected delivery date of a parcel that is handed over now. */
  const expected = async () => {
    const { body } = await test.call(priceServices, {
      body: { sender: testParty(), receiver: testReceiver(), weightGrams: 1000, deliveryMode: 'P2D' } as never,
    })
    return body.items.find(({ carrier, serviceType }) => carrier === 'own' && serviceType === 'e_parcel')?.expectedDate
  }

  it('shows the holidays of a year, with those of several states as one', async () => {
    const calendar = await year('2026-01-01')
    expect(calendar.countries).toContain('my')
    expect(calendar.states).toContain('Sabah')
    const thaipusam = calendar.items.find(({ name }) => name === 'Thaipusam')
    expect(thaipusam?.states).toEqual(expect.arrayContaining(['Johor', 'Selangor']))
    expect(thaipusam?.ids).toHaveLength(thaipusam?.states.length ?? 0)
    expect(calendar.items.find(({ name }) => name === 'Labour Day')).toMatchObject({ day: '2026-05-01', states: [] })
    expect(calendar.items.map(({ day }) => day)).toEqual(calendar.items.map(({ day }) => day).sort())
  })

  it('closes pickups and postpones expected dates on a new holiday, until it is removed', async () => {
    const before = await expected()
    const day = workingDay(test, 2)
    expect(await slotsOn(day)).toEqual([null, null, null])
    const added = await add(day)
    expect(added.body).toMatchObject({ day, name: 'Feast', states: [], ids: [expect.any(String)] })
    expect(await slotsOn(day)).toEqual(['rest_day', 'rest_day', 'rest_day'])
    await test.call(removeHolidays, { token, body: { ids: added.body.ids } })
    expect(await slotsOn(day)).toEqual([null, null, null])
    const due = before ?? ''
    const late = await add(due)
    expect(late.status).toBe(200)
    await expect.poll(expected).not.toBe(before)
    await test.call(removeHolidays, { token, body: { ids: late.body.ids } })
    await expect.poll(expected).toBe(before)
  })

  it('is updated in other processes immediately', async () => {
    const other = await secondProcess(test)
    const body = { sender: testParty(), receiver: testReceiver(), weightGrams: 1000, deliveryMode: 'P2D' }
    const there = async () => {
      const answer = await other.inject({ method: 'POST', url: priceServices.path, payload: body })
      const { items } = answer.json() as { items: { carrier: string; serviceType: string; expectedDate: string }[] }
      return items.find(({ carrier, serviceType }) => carrier === 'own' && serviceType === 'e_parcel')?.expectedDate
    }
    const before = await there()
    const { ids } = (await add(before ?? '')).body
    await expect.poll(there).not.toBe(before)
    await test.call(removeHolidays, { token, body: { ids } })
    await expect.poll(there).toBe(before)
  })

  it('adds a holiday for some states only, by any of their names, without duplicates', async () => {
    const day = workingDay(test, 40)
    const some = await add(day, ['Penang', 'Johor'])
    expect(some.body.states).toEqual(['Johor', 'Pulau Pinang'])
    expect((await year(day)).items.find((one) => one.day === day)).toEqual(some.body)
    const fields = (answer: { status: number; error: { errors?: { field: string; message: string }[] } }) => [
      answer.status,
      ...(answer.error.errors?.map(({ field }) => field) ?? []),
    ]
    const again = await add(day, ['Johor'])
    expect(fields(again)).toEqual([422, 'day'])
    expect(again.error.errors?.[0]?.message).toContain('Feast')
    expect(fields(await add(day))).toEqual([422, 'day'])
    expect((await add(day, ['Sabah'], { name: 'Another one' })).status).toBe(200)
    expect(fields(await add(workingDay(test, 45), ['Atlantis']))).toEqual([422, 'states'])
    expect(fields(await add(workingDay(test, 45), ['Johor'], { country: 'sg' }))).toEqual([422, 'states'])
    const abroad = await add(day, [], { country: 'sg' })
    expect(abroad.status).toBe(200)
    const singapore = await year(day, 'sg')
    expect(singapore.items).toContainEqual(abroad.body)
    expect(singapore.states).toEqual([])
    const concurrentAnswers = await Promise.all([1, 2].map(() => add(workingDay(test, 50))))
    expect(concurrentAnswers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('keeps past holidays unchanged, and records who changed what', async () => {
    expect((await add('2026-01-05')).error.errors?.[0]?.field).toBe('day')
    const old = (await year('2026-01-01')).items.find(({ name }) => name === 'Labour Day')
    const refusal = await test.call(removeHolidays, { token, body: { ids: old?.ids ?? [] } })
    expect([refusal.status, refusal.error.errors?.[0]?.field]).toEqual([422, 'day'])
    const unknown = await test.call(removeHolidays, { token, body: { ids: [newId()] } })
    expect(unknown.status).toBe(404)
    const day = workingDay(test, 60)
    const { ids } = (await add(day, ['Sabah'])).body
    await test.call(removeHolidays, { token, body: { ids } })
    const [removed, added] = (await year(day)).changes
    expect(removed).toMatchObject({ what: 'removed', day, name: 'Feast', states: ['Sabah'], by: expect.any(String) })
    expect(added).toMatchObject({ what: 'added', day, states: ['Sabah'] })
  })
})
