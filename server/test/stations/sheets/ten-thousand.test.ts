import {
  applyCoverageImport,
  applyStationImport,
  exportCoverage,
  exportStations,
  getCoverageImport,
  getStationImport,
  uploadCoverage,
  uploadStations,
} from '@waybill/contract/stations/sheets'
import { dropOffStations, publicCoverage, publicNearby, publicStations } from '@waybill/contract/stations/stations'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { listPostcodes } from '../../../src/domains/stations/postcodes.ts'
import { watchEventLoop } from '../../hostile/event-loop.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { openSheet, type Table, toXlsx } from '../../testing/factories/sheets.ts'

const count = 10_000
/** Far fewer than there are rows, but more than background jobs send in the meantime. */
const manyStatements = 500
const stationCalls = {
  export: exportStations,
  upload: uploadStations,
  preview: getStationImport,
  apply: applyStationImport,
}
const coverageCalls = {
  export: exportCoverage,
  upload: uploadCoverage,
  preview: getCoverageImport,
  apply: applyCoverageImport,
}

let test: TestApp
let stations: ReturnType<typeof openSheet>
let coverage: ReturnType<typeof openSheet>
beforeAll(async () => {
  test = await buildTestApp()
  const { token } = await createStaff(test, { type: 'admin' })
  stations = openSheet(test, stationCalls, token)
  coverage = openSheet(test, coverageCalls, token)
})

const code = (n: number) => `S${String(n).padStart(5, '0')}`
const selangor = listPostcodes({ state: 'Selangor' })

async function manyStations(): Promise<Table> {
  const [header = []] = await stations.table()
  const rows = Array.from({ length: count }, (_, n) => [
    code(n),
    `Station ${n}`,
    'Service centre, tier 1',
    `${n}, Jalan Besar`,
    selangor[n % selangor.length] ?? '',
    'Klang',
    'Selangor',
    'Malaysia',
    3 + (n % 100) / 100,
    101 + Math.floor(n / 100) / 100,
    '+60326942510',
    // Open day and night, so that the result does not depend on the time of the test.
    ...Array.from({ length: 7 }, () => '00:00-00:00'),
    'E-parcel: drop-off; E-parcel: self collection; E-parcel: pickup; E-parcel: delivery',
    'Open',
  ])
  return [header, ...rows]
}

const coverageHeader = ['Station code', 'From postcode', 'To postcode', 'Cut-off time']
const five = (n: number) => String(n).padStart(5, '0')

/** Runs the work and measures the longest block of the event loop, the statements, the heap and the CPU time. */
async function measure<T>(what: string, work: () => Promise<T>) {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const loop = watchEventLoop()
  const [heap, cpu, begin] = [process.memoryUsage().heapUsed, process.cpuUsage(), performance.now()]
  const answer = await work()
  await loop.stop()
  const { user, system } = process.cpuUsage(cpu)
  const figures = {
    blockMs: Math.round(loop.longestMs()),
    statements: query.mock.calls.length,
    heapMb: Math.round((process.memoryUsage().heapUsed - heap) / 1_048_576),
    cpuMs: Math.round((user + system) / 1000),
    wallMs: Math.round(performance.now() - begin),
  }
  query.mockRestore()
  if (process.env.SHOW_FIGURES) process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)
  return { answer, figures }
}

describe('ten thousand stations', () => {
  it('are read, previewed and opened without a query for each row', async () => {
    const file = await toXlsx(await manyStations())
    const upload = await measure('upload stations', () => stations.sendBytes(file))
    expect(upload.answer.body.counts).toMatchObject({ new: count, faulty: 0 })
    expect(upload.figures.statements).toBeLessThan(manyStatements)
    expect(upload.figures.blockMs).toBeLessThan(500)
    expect(upload.figures.cpuMs).toBeLessThan(15_000)
    const applied = await measure('apply stations', () => stations.apply(upload.answer.body))
    expect(applied.answer.status, JSON.stringify(applied.answer.error)).toBe(200)
    expect(applied.figures.statements).toBeLessThan(manyStatements)
    expect((await test.call(publicStations, { query: {} })).body.total).toBe(count)
    const again = await measure('upload again', () => stations.sendBytes(file))
    expect(again.answer.body.counts).toMatchObject({ unchanged: count })
  })

  it('are exported in batches and imported again without a change', async () => {
    const exported = await measure('export stations', () => stations.download('xlsx'))
    const { body } = await stations.sendBytes(Uint8Array.from(exported.answer.raw))
    expect(body.counts).toMatchObject({ unchanged: count, changed: 0, new: 0, faulty: 0 })
  })

  it('have every coverage overlap reported with its cell', async () => {
    // Each range partially overlaps its neighbours.
    const rows = Array.from({ length: count }, (_, n) => [code(n), five(n * 5), five(n * 5 + 7), '16:00'])
    const file = await toXlsx([coverageHeader, ...rows])
    const upload = await measure('upload overlapping coverage', () => coverage.sendBytes(file))
    expect(upload.answer.body.counts).toMatchObject({ faulty: count })
    expect(upload.figures.statements).toBeLessThan(manyStatements)
    expect(upload.figures.blockMs).toBeLessThan(500)
    expect(upload.figures.cpuMs).toBeLessThan(15_000)
    const { items } = (await coverage.look(upload.answer.body.id, { only: 'faulty', offset: 5000 })).body
    expect(items[0]?.problems).toMatchObject([
      {
        cell: 'B5002',
        message: expect.stringMatching(/^Row 5002, column “From postcode”: 25000–25002 are also in row 5001, for /),
      },
    ])
  })

  it('are rejected just as fast if all have the same coverage', async () => {
    const rows = Array.from({ length: count }, (_, n) => [code(n), '40000', '40999', '16:00'])
    const file = await toXlsx([coverageHeader, ...rows])
    const upload = await measure('upload equal coverage', () => coverage.sendBytes(file))
    expect(upload.answer.body.counts).toMatchObject({ faulty: count })
    expect(upload.figures.blockMs).toBeLessThan(500)
    expect(upload.figures.cpuMs).toBeLessThan(15_000)
  })

  it('receive coverage, and are found by list, place and postcode', async () => {
    const rows = Array.from({ length: count }, (_, n) => [code(n), five(40_000 + n), five(40_000 + n), '16:00'])
    const file = await toXlsx([coverageHeader, ...rows])
    const { answer } = await measure('upload coverage', () => coverage.sendBytes(file))
    const applied = await measure('apply coverage', () => coverage.apply(answer.body))
    expect(applied.answer.status, JSON.stringify(applied.answer.error)).toBe(200)
    expect(applied.figures.statements).toBeLessThan(manyStatements)
    await measure('first list (reads the network)', () => test.call(publicStations, { query: {} }))
    const calls = {
      list: () => test.call(publicStations, { query: {} }),
      search: () => test.call(publicStations, { query: { search: 'station 4321' } }),
      near: () => test.call(publicStations, { query: { near: '40000' } }),
      openNow: () => test.call(publicStations, { query: { openNow: 'true', sort: '-name' } }),
      nearby: () => test.call(publicNearby, { query: { near: '3.05,101.5' } }),
      cover: () => test.call(publicCoverage, { query: { postcode: '40000' } }),
      everyCoverage: () => test.call(publicCoverage, { query: {} }),
      dropOff: () => test.call(dropOffStations, { query: {} }),
    }
    for (const [name, send] of Object.entries(calls)) {
      await send()
      const { answer: reply, figures } = await measure<{ status: number; body: { items: unknown[] } }>(name, send)
      expect(reply.status, name).toBe(200)
      expect(reply.body.items.length, name).toBeGreaterThan(0)
      expect(reply.body.items.length, name).toBeLessThanOrEqual(50)
      expect(figures.statements, name).toBeLessThan(100)
      expect(figures.blockMs, name).toBeLessThan(1000)
    }
  })
})
