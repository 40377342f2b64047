// Checkpoints in an unusual order, with times in the future, or with texts that the database refuses.
import { listNotifications } from '@waybill/contract/notifications/notifications'
import { declareLost } from '@waybill/contract/parcels/scanning'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import type { TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import type { DhlExpressPeer } from '../testing/peers/dhl-express.ts'
import {
  findCarrierNumber,
  freshToken,
  pass,
  readDetail,
  reportByDhl,
  sendParcel,
  startWithDhl,
} from './carrier-parcels.ts'

describe('unusual checkpoints of a carrier', () => {
  let test: TestApp
  let dhl: DhlExpressPeer
  let customer: TestCustomer
  beforeAll(async () => {
    const started = await startWithDhl()
    test = started.test
    dhl = started.dhl
    customer = await createCustomer(test)
  })

  const getNumber = (row: ParcelRow) => findCarrierNumber(test, customer, row)
  const getDetail = (row: ParcelRow) => readDetail(test, customer, row)
  const look = () => pass(test, 30, 'parcels:track-carriers')
  const report = (number: string, code: string, ago?: number, overrides?: object) =>
    reportByDhl(test, dhl, number, code, ago, overrides)

  it('notifies the sender of one delivery, whatever the carrier reports about the parcel afterwards', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    for (const [code, ago] of [
      ['PU', 10],
      ['OK', 5],
      ['ZZ', 4],
      ['OH', 3],
    ] as const)
      report(number, code, ago)
    await sql`delete from notifications`.execute(test.deps.db)
    await look()
    const { items } = (await test.call(listNotifications, { token: await freshToken(test, customer) })).body
    expect(items.filter(({ kind }) => kind === 'parcel_delivered')).toMatchObject([{ items: 1 }])
  })

  it('applies a delivery after newer checkpoints that changed nothing', async () => {
    for (const [code, ago] of [
      ['IC', -20 * 60],
      ['ZZ', 1],
    ] as const) {
      const row = await sendParcel(test, customer, { carrier: 'dhl' })
      const number = await getNumber(row)
      report(number, 'PU', 20)
      report(number, 'WC', 10)
      await look()
      report(number, code, ago)
      await look()
      expect((await getDetail(row)).status).toBe('delivering')
      report(number, 'OK', 32)
      await look()
      expect((await getDetail(row)).status, code).toBe('completed')
    }
  })

  it('applies the checkpoints after one whose time was in the future', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    report(number, 'PU', 20)
    report(number, 'WC', -8 * 60)
    await look()
    report(number, 'NH', -10)
    await look()
    expect((await getDetail(row)).status).toBe('fail-to-deliver')
  })

  it('applies a delivery that is older than the latest change, but not to a return that began later', async () => {
    const rows = [
      await sendParcel(test, customer, { carrier: 'dhl' }),
      await sendParcel(test, customer, { carrier: 'dhl' }),
    ]
    const [late, returned] = rows as [ParcelRow, ParcelRow]
    for (const row of rows) {
      report(await getNumber(row), 'PU', 40)
      report(await getNumber(row), 'WC', 10)
    }
    report(await getNumber(returned), 'RT', 5)
    await look()
    for (const row of rows) report(await getNumber(row), 'OK', 45)
    await look()
    expect((await getDetail(late)).status).toBe('completed')
    expect((await getDetail(returned)).status).toBe('recall')
  })

  it('finds a parcel that was declared lost, asking once a day for a limited time', async () => {
    const boss = await createStaff(test, { type: 'superadmin' })
    const lose = async () => {
      const row = await sendParcel(test, customer, { carrier: 'dhl' })
      const number = await getNumber(row)
      report(number, 'PU', 20)
      await look()
      const token = await freshToken(test, boss)
      const body = { version: (await getDetail(row)).version, note: 'DHL cannot find it.' }
      expect((await test.call(declareLost, { token, params: { id: row.id }, body })).status).toBe(200)
      // The request that was planned before the loss.
      await look()
      return { row, number }
    }
    const { row, number } = await lose()
    report(number, 'OK', 1, { signedBy: 'Lim' })
    await pass(test, 22 * 60, 'parcels:track-carriers')
    expect((await getDetail(row)).status).toBe('lost')
    await pass(test, 3 * 60, 'parcels:track-carriers')
    const { status, events } = await getDetail(row)
    expect(status).toBe('completed')
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['lost', 'arrived', 'delivered']))
    // The notice waits until a scan could no longer be undone.
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db)
    await test.settle()
    const { items } = (await test.call(listNotifications, { token: await freshToken(test, customer) })).body
    expect(items.map(({ kind }) => kind)).toContain('parcel_found')

    const second = await lose()
    await pass(test, 91 * 24 * 60, 'parcels:track-carriers')
    report(second.number, 'OK', 1)
    await pass(test, 3 * 24 * 60, 'parcels:track-carriers')
    expect((await getDetail(second.row)).status).toBe('lost')
  })

  it("shortens a carrier's texts between characters, and removes what the database refuses", async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl' })
    const number = await getNumber(row)
    const halved = [59, 199].map((length) => `${'x'.repeat(length)}😀`)
    for (const [index, description] of [...halved, 'nul \0 and half \ud83d'].entries())
      report(number, 'ZZ', 20 - index, { description, place: `${'y'.repeat(79)}😀` })
    report(number, 'OK', 1, { signedBy: `${'z'.repeat(119)}😀` })
    await look()
    const { events, proof, status } = await getDetail(row)
    expect(status).toBe('completed')
    const notes = events.filter(({ event }) => event === 'carrier_note')
    expect(notes.map(({ note }) => note)).toEqual(['nul and half \ufffd', 'x'.repeat(199), halved[0]])
    expect(notes[0]?.place).toBe('y'.repeat(79))
    expect(proof?.recipientName).toBe('z'.repeat(119))
  })
})
