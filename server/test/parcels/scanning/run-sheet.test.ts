import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { printRunSheet } from '@waybill/contract/parcels/rider-tasks'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TaskWithParcel } from '../../../src/domains/parcels/scanning/queries-deliveries.ts'
import { renderRunSheets, toStops } from '../../../src/domains/parcels/scanning/run-sheet.ts'
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
  beforeEach(async () => {
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
  const printPages = async (who: TestStaff, query: object = {}, language?: string) => {
    const answer = await test.call(printRunSheet, { token: who.token, query, ...(language ? { language } : {}) })
    expect(answer.status).toBe(200)
    return (await openPaper(answer.raw)).pages.map(({ text }) => text)
  }
  const print = async (...request: Parameters<typeof printPages>) =>
    (await printPages(...request)).map((text) => text.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' '))

  it('is empty without deliveries', async () => {
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

  it('has the amount of each parcel of a stop, and no line within a number', async () => {
    const receiver = testReceiver({ line1: '5, Jalan Kristal', phone: '+60123456700' })
    const cod = { receiver, collection_mode: 'cod' as const }
    const first = await takeOut(rider, { ...cod, cod_amount_minor: 4550 })
    const second = await takeOut(rider, { ...cod, cod_amount_minor: 1200 })
    const paid = await takeOut(rider, { receiver })
    const [page = ''] = await print(rider)
    const numbers = [first, second, paid].map(groupTrackingNumber).join(' ')
    expect(page).toContain(`${numbers} Total RM 45.50 RM 12.00 – RM 57.50`)
    const [raw = ''] = await printPages(rider)
    expect(raw).toContain('+60\u00a012\u00a0345\u00a06700')
    for (const number of [first, second, paid])
      expect(raw).toContain(groupTrackingNumber(number).replaceAll(' ', '\u00a0'))
  })

  it('has the remarks on a line of their own, and no line that begins with a dot', async () => {
    const receiver = testReceiver({
      contactName: 'Puan Faridah binti Abdul Rahman',
      company: 'Syarikat Perniagaan Bumi Hijau Sdn Bhd',
      line1: 'Unit 23A-12-8, Menara Kiara Residensi Fasa Dua',
      line2: 'Lorong Setiawangsa 3, Taman Setiawangsa Indah Permai',
      remarks: 'Ring twice',
    })
    await takeOut(rider, { receiver })
    const [raw = ''] = await printPages(rider)
    const lines = raw.split(/\r?\n/)
    expect(lines).toContain('Ring twice')
    expect(lines.filter((line) => /^\s*·/.test(line))).toEqual([])
  })

  it('has room for a name and a signature at every stop', async () => {
    for (let n = 1; n <= 14; n += 1) {
      const receiver = testReceiver({ contactName: 'Lim Wei', line1: `${n} Lebuh Pantai`, line2: null, remarks: null })
      await takeOut(rider, { receiver })
    }
    expect(await print(rider)).toHaveLength(2)
  })

  it('is printed for each rider of a station, each from a page 1', async () => {
    await takeOut(rider, { receiver: testReceiver({ contactName: 'Lim Wei' }) })
    await takeOut(colleague, { receiver: testReceiver({ contactName: 'Aminah' }) })
    const pages = await print(await createStaff(test, { stationId: here }), { rider: 'all' })
    expect(pages).toHaveLength(2)
    for (const page of pages) expect(page).toMatch(/Page 1\b/)
    expect(pages.filter((page) => page.includes('Aminah'))).toHaveLength(1)
    const other = await createStaff(test, { stationId: there })
    const query = { rider: 'all' as const, stationId: here }
    expect((await test.call(printRunSheet, { token: other.token, query })).error.code).toBe('task_other_station')
  })

  it('has every stop, even if a delivery ends while it is read', async () => {
    const count = 501
    for (let n = 1; n <= count; n += 1) {
      const receiver = testReceiver({ line1: `${n} Lebuh Pantai` })
      await createParcel(test, owner, { status: 'delivering', rider_id: rider.userId, receiver })
    }
    await sql`
      insert into delivery_tasks (account_id, id, parcel_id, status, rider_id)
      select account_id, gen_random_uuid(), id, 'open', ${rider.userId}::uuid from parcels`.execute(test.deps.db)
    const endOne = sql`
      update delivery_tasks set status = 'completed'
      where id = (select min(id::text)::uuid from delivery_tasks)`
    const db = test.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'parcel_status' in row)) await endOne.execute(test.deps.db)
        return result
      },
    })
    const { userId } = rider
    const who = { staffType: 'staff', staffRole: null, userStatus: 'active', stationId: here } as const
    const caller = { kind: 'staff', userId, sessionId: userId, ...who } as const
    const language = { locale: 'en', t: test.deps.translations('en') } as const
    const { pdf } = await renderRunSheets({ ...test.deps, db }, caller, { rider: 'me' }, language)
    expect((await openPaper(pdf)).pages.at(-1)?.text).toMatch(new RegExp(`Stops\\s+${count}\\b`))
    const completed = test.deps.db.selectFrom('delivery_tasks').select('id').where('status', '=', 'completed')
    expect(await completed.execute()).toHaveLength(1)
  })
})

describe('stops', () => {
  const task = (line1: string, postcode: string, leg = 'outbound') => {
    const [receiver, sender] = [testReceiver({ line1, postcode }), testReceiver({ line1: 'Sender', postcode: '10000' })]
    return { id: line1, leg, receiver, sender } as TaskWithParcel
  }
  const sort = (...tasks: TaskWithParcel[]) => toStops(tasks).map(({ to }) => to?.line1)

  it('are in the order of postcode and street; a return goes to its sender', () => {
    const stops = sort(task('1, B', '50000'), task('9, A', '50000'), task('7, C', '40000'), task('x', '9', 'return'))
    expect(stops).toEqual(['Sender', '7, C', '9, A', '1, B'])
  })

  it('are in the order of numbers in a street, however these are written', () => {
    const street = ['No. 1, Jalan A', '2 jalan A', '2A, Jalan A', 'Lot 5 Jalan A', 'no.10 Jalan A', '12-3A, Jalan A']
    const others = ['1st Avenue', ...street, 'A-3-1, Jalan B', 'Taman C', '3, Taman C', '1 Taman 2', '1 Taman 10']
    const order = ['1st Avenue', ...street, 'A-3-1, Jalan B', '1 Taman 2', '1 Taman 10', 'Taman C', '3, Taman C']
    expect(sort(...others.toReversed().map((line1) => task(line1, '50000')))).toEqual(order)
  })

  it('have their street in the second line, if the first has only a number', () => {
    const lines = [
      ['No. 9', 'Jalan A'],
      ['2', 'Jalan B'],
      ['10', 'Jalan B'],
    ] as const
    const tasks = lines.map(([line1, line2], n) => {
      const receiver = testReceiver({ line1, line2 })
      return { id: String(n), leg: 'outbound', receiver, sender: receiver } as TaskWithParcel
    })
    expect(sort(...tasks.toReversed())).toEqual(['No. 9', '2', '10'])
  })
})
