import { printRunSheet } from '@waybill/contract/parcels/rider-tasks'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TaskWithParcel } from '../../../src/domains/parcels/scanning/queries-deliveries.ts'
import { toStops } from '../../../src/domains/parcels/scanning/run-sheet.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

describe('the run sheet of a rider', () => {
  let test: TestApp
  let owner: TestCustomer
  let rider: TestStaff
  let colleague: TestStaff
  let here: string
  let there: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    ;({ here, there } = await findCounter(test))
    owner = await createPayer(test)
    rider = await createStaff(test, { stationId: here })
    colleague = await createStaff(test, { stationId: here })
  })

  const takeOut = async (who: TestStaff, overrides: object = {}) => {
    const custody = {
      status: 'inbound' as const,
      holder: 'station' as const,
      station_id: here,
      delivery_mode: 'D2D' as const,
    }
    const { tracking_number } = await createParcel(test, owner, { ...custody, ...overrides })
    await scanned(test, who, tracking_number ?? '', 'out_for_delivery', { stationId: here })
    return tracking_number ?? ''
  }
  const print = async (who: TestStaff, query: object = {}, language?: string) => {
    const answer = await test.call(printRunSheet, { token: who.token, query, ...(language ? { language } : {}) })
    expect(answer.status).toBe(200)
    const { pages } = await openPaper(answer.raw)
    return pages.map(({ text }) => text.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' '))
  }

  it('is empty before the first parcel', async () => {
    expect(await print(rider)).toEqual([expect.stringContaining('No deliveries are under way.')])
  })

  it('has a line for each door, with its parcels, cash and remarks', async () => {
    const door = testReceiver({ contactName: 'Nur Izzati', line1: '5, Jalan Kristal', remarks: 'Ring twice' })
    const cod = { collection_mode: 'cod' as const, cod_amount_minor: 4550 }
    await takeOut(rider, { receiver: door, ...cod })
    await takeOut(rider, { receiver: { ...door, line1: door.line1.toUpperCase() }, ...cod })
    await takeOut(rider, { receiver: testReceiver({ contactName: 'Lim Wei' }) })
    const [page = '', ...others] = await print(rider)
    expect(others).toEqual([])
    expect(page.match(/Nur Izzati/g)).toHaveLength(1)
    expect(page).toContain('Ring twice')
    expect(page).toContain('RM 91.00')
    expect(page).toMatch(/Stops 2 .*Parcels 3/)
    expect((await print(rider, {}, 'zh'))[0]).toContain('派送单')
    // Not another rider's.
    expect(await print(colleague)).toEqual([expect.stringContaining('No deliveries are under way.')])
  })

  it('is printed for each rider of a station, each from a page 1', async () => {
    await takeOut(colleague, { receiver: testReceiver({ contactName: 'Aminah' }) })
    const pages = await print(await createStaff(test, { stationId: here }), { rider: 'all' })
    expect(pages).toHaveLength(2)
    for (const page of pages) expect(page).toMatch(/Page 1\b/)
    expect(pages.filter((page) => page.includes('Aminah'))).toHaveLength(1)
    const other = await createStaff(test, { stationId: there })
    const query = { rider: 'all' as const, stationId: here }
    expect((await test.call(printRunSheet, { token: other.token, query })).error.code).toBe('task_other_station')
  })
})

describe('stops', () => {
  const task = (line1: string, postcode: string, leg = 'outbound') => {
    const [receiver, sender] = [testReceiver({ line1, postcode }), testReceiver({ line1: 'Sender', postcode: '10000' })]
    return { id: line1, leg, receiver, sender } as TaskWithParcel
  }
  it('are in the order of postcode and street; a return goes to its sender', () => {
    const stops = toStops([
      task('9, B', '50000'),
      task('1, A', '50000'),
      task('7, C', '40000'),
      task('x', '9', 'return'),
    ])
    expect(stops.map(({ to }) => to?.line1)).toEqual(['Sender', '7, C', '1, A', '9, B'])
  })
})
