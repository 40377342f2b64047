import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BulkBatch, type BulkRow, bulkFields } from '@waybill/contract/parcels/bulk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { BulkRows, textOfCell } from '../src/features/parcels/bulk-grid/bulk-rows.ts'

/**
 * A batch of three rows on the server. It never accepts the row "refused". As in the contract, it stores all rows of a
 * request or none.
 */
let serverRows: BulkRow[]
let calls: { row: number; version: number; cells: Record<string, string> }[][]
let offline: boolean
let deleted: boolean
/** A page that was read, but is not sent before this. */
let sendPage: Promise<void> | null
let reads: number
let server: Server
const realFetch = globalThis.fetch
const at = bulkFields.indexOf('receiverName')

const row = (number: number): BulkRow => ({
  ...{
    row: number,
    version: 1,
    state: 'good',
    problems: [],
    overrideDuplicate: false,
    overrides: [],
    priceMinor: 700,
    parcelId: null,
  },
  cells: bulkFields.map((field) => (field === 'receiverName' ? `Receiver ${number}` : '')),
})
const batch = () =>
  ({ id: 'b', counts: { read: 3, total: serverRows.length, good: serverRows.length, bad: 0, carted: 0 } }) as BulkBatch

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (offline) return void request.socket.destroy()
    if (deleted) return answer(404, { statusCode: 404, code: 'not_found', message: 'Not found.' })
    if (request.method === 'GET') {
      const page = structuredClone({ batch: batch(), items: serverRows, total: 3, offset: 0, limit: 100 })
      const send = sendPage
      reads++
      await send
      return answer(200, page)
    }
    const { edits } = await readBody(request)
    calls.push(edits)
    const isMissing = (edit: { row: number }) => !serverRows.some((one) => one.row === edit.row)
    if (edits.some(isMissing)) return answer(404, { statusCode: 404, code: 'not_found', message: 'Not found.' })
    const wrong = edits.some(({ cells }: { cells: Record<string, string> }) => cells.receiverName === 'refused')
    if (wrong) return answer(422, { statusCode: 422, code: 'invalid', message: 'Not this one.' })
    const items = edits.map(({ row: number, cells }: { row: number; cells: Record<string, string> }) => {
      const storedRow = serverRows.find((one) => one.row === number) as BulkRow
      storedRow.version += 1
      storedRow.cells = storedRow.cells.map((text, n) => (n === at ? (cells.receiverName ?? text) : text))
      return storedRow
    })
    answer(200, { batch: batch(), items, before: [] })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const apiHost = `http://localhost:${(server.address() as AddressInfo).port}`
  globalThis.fetch = ((input: string, init?: RequestInit) =>
    input === '/settings.json' ? Promise.resolve(Response.json({ apiHost })) : realFetch(input, init)) as typeof fetch
})

afterAll(async () => {
  globalThis.fetch = realFetch
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

beforeEach(() => {
  serverRows = [row(2), row(3), row(4)]
  calls = []
  offline = false
  deleted = false
  sendPage = null
  reads = 0
})
afterEach(() => vi.unstubAllGlobals())

/** The storage that all tabs of a browser share. */
function stubStorage(): Map<string, string> {
  const storage = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  })
  return storage
}

async function openRows(): Promise<BulkRows> {
  const rows = new BulkRows(batch(), undefined)
  rows.need(0, 2)
  await vi.waitFor(() => expect(rows.at(2)).toBeDefined())
  return rows
}
const nameAt = (rows: BulkRows, place: number) => textOfCell(rows.at(place) as BulkRow, 'receiverName')
const write = (rows: BulkRows, ...names: [place: number, name: string][]) =>
  rows.edit(names.map(([place, receiverName]) => ({ place, cells: { receiverName } })))

test('shows edits immediately and sends them together, with the row versions that were read', async () => {
  const rows = await openRows()
  write(rows, [0, 'Nurul'])
  write(rows, [2, 'Siva'])
  expect([nameAt(rows, 0), nameAt(rows, 2), rows.save]).toEqual(['Nurul', 'Siva', 'saving'])
  await vi.waitFor(() => expect(rows.save).toBe('saved'))
  expect(calls.map((edits) => edits.map(({ row: number, version }) => [number, version]))).toEqual([
    [
      [2, 1],
      [4, 1],
    ],
  ])
  expect(rows.at(0)?.version).toBe(2)
  rows.undo()
  await vi.waitFor(() => expect(rows.save).toBe('saved'))
  expect([nameAt(rows, 2), serverRows[2]?.cells[at]]).toEqual(['Receiver 4', 'Receiver 4'])
})

test('says why rows cannot be loaded, and loads them when the connection is back', async () => {
  offline = true
  const rows = new BulkRows(batch(), undefined)
  rows.need(0, 2)
  await vi.waitFor(() => expect(rows.loadError).toMatchObject({ code: 'offline' }))
  rows.need(0, 2)
  offline = false
  rows.reloadFailed()
  await vi.waitFor(() => expect(nameAt(rows, 2)).toBe('Receiver 4'))
  expect([rows.loadError, rows.isGone]).toEqual([null, false])
})

test('a page that was read before a change is not shown after it', async () => {
  const rows = new BulkRows(batch(), undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  sendPage = promise
  rows.need(0, 2)
  await vi.waitFor(() => expect(reads).toBe(1))
  sendPage = null
  serverRows = serverRows.map((one) => ({ ...one, cells: one.cells.map(() => 'New') }))
  rows.reset(batch())
  resolve()
  await vi.waitFor(() => expect(nameAt(rows, 2)).toBe('New'))
  expect([0, 1, 2].map((place) => nameAt(rows, place))).toEqual(['New', 'New', 'New'])
})

test('a batch that was deleted elsewhere is gone', async () => {
  deleted = true
  const rows = new BulkRows(batch(), undefined)
  rows.need(0, 2)
  await vi.waitFor(() => expect(rows.isGone).toBe(true))
})

test('marks a refused row and saves the other rows', async () => {
  const rows = await openRows()
  write(rows, [0, 'Nurul'], [1, 'refused'], [2, 'Siva'])
  await rows.flush()
  expect([rows.save, rows.isRefused(3)]).toEqual(['refused', true])
  expect(rows.refusal).toEqual({ rows: 1, message: 'Not this one.', code: 'invalid' })
  expect(serverRows.map(({ cells }) => cells[at])).toEqual(['Nurul', 'Receiver 3', 'Siva'])
  expect(nameAt(rows, 1)).toBe('refused')
  rows.dropRefused()
  rows.need(0, 2)
  await vi.waitFor(() => expect(rows.at(1) && nameAt(rows, 1)).toBe('Receiver 3'))
  expect([rows.save, rows.unsaved]).toEqual(['saved', false])
})

test('keeps edits while there is no connection and sends them with the next attempt', async () => {
  const rows = await openRows()
  offline = true
  write(rows, [0, 'Nurul'])
  await rows.flush()
  expect([rows.save, rows.unsaved, nameAt(rows, 0)]).toEqual(['waiting', true, 'Nurul'])
  offline = false
  await rows.flush()
  expect([rows.save, rows.unsaved, serverRows[0]?.cells[at]]).toEqual(['saved', false, 'Nurul'])
})

test('a save before adding to the cart includes edits made during another save, and reports refused ones', async () => {
  const rows = await openRows()
  write(rows, [0, 'First'])
  const first = rows.flush()
  write(rows, [1, 'Second'])
  expect(await rows.flush()).toBe(true)
  expect(serverRows.map(({ cells }) => cells[at])).toEqual(['First', 'Second', 'Receiver 4'])
  expect(await first).toBe(true)
  write(rows, [2, 'refused'])
  expect(await rows.flush()).toBe(false)
})

test('saves the other rows if a row was removed elsewhere, and no longer shows that row', async () => {
  const rows = await openRows()
  serverRows = serverRows.filter((one) => one.row !== 3)
  write(rows, [0, 'Nurul'], [1, 'Late'], [2, 'Siva'])
  expect(await rows.flush()).toBe(true)
  expect([rows.save, rows.refusal, rows.count]).toEqual(['saved', null, 2])
  expect(serverRows.map(({ cells }) => cells[at])).toEqual(['Nurul', 'Siva'])
  rows.need(0, 1)
  await vi.waitFor(() => expect(rows.at(1) && nameAt(rows, 1)).toBe('Siva'))
})

test('discards the edit of a row that was removed elsewhere', async () => {
  const rows = await openRows()
  serverRows = serverRows.filter((one) => one.row !== 4)
  write(rows, [2, 'Late'])
  expect(await rows.flush()).toBe(true)
  expect([rows.save, rows.unsaved, rows.count]).toEqual(['saved', false, 2])
})

/** Closes a tab, and waits for its last attempt to save. */
async function close(rows: BulkRows): Promise<void> {
  rows.stop()
  await rows.flush()
}
const serverNames = () => serverRows.map(({ cells }) => cells[at])

test('two tabs store their unsaved edits beside each other, and the next visit sends both', async () => {
  const storage = stubStorage()
  const tabs = [await openRows(), await openRows()] as const
  offline = true
  write(tabs[0], [0, 'Nurul'])
  write(tabs[1], [2, 'Siva'])
  for (const tab of tabs) await close(tab)
  offline = false
  const visit = await openRows()
  expect([nameAt(visit, 0), nameAt(visit, 1), nameAt(visit, 2)]).toEqual(['Nurul', 'Receiver 3', 'Siva'])
  expect(await visit.flush()).toBe(true)
  expect(serverNames()).toEqual(['Nurul', 'Receiver 3', 'Siva'])
  expect(storage.size).toBe(0)
})

test('a tab that has saved its edits removes only these, and keeps those of another tab', async () => {
  const storage = stubStorage()
  const [first, second] = [await openRows(), await openRows()]
  offline = true
  write(first, [0, 'Nurul'])
  write(second, [2, 'Siva'])
  await close(second)
  offline = false
  expect(await first.flush()).toBe(true)
  expect(serverNames()).toEqual(['Nurul', 'Receiver 3', 'Receiver 4'])
  calls = []
  const visit = await openRows()
  expect(await visit.flush()).toBe(true)
  expect(calls.map((edits) => edits.map(({ row: number }) => number))).toEqual([[4]])
  expect(serverNames()).toEqual(['Nurul', 'Receiver 3', 'Siva'])
  expect(storage.size).toBe(0)
})
