import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QueueStore } from '../src/lib/send-queue/queue-store.ts'

type Row = { id: string; owner: string }

/** The part of IndexedDB that the store uses. `lose` closes the connections, as a browser does in the background. */
function browserStorage() {
  const rows = new Map<string, Row>()
  const connections: { isOpen: boolean }[] = []
  const state = { works: true }
  const answer = <T>(result: T) => ({ result })
  const table = {
    put: (row: Row) => answer(rows.set(row.id, row)),
    delete: (id: string) => answer(rows.delete(id)),
    index: () => ({ getAll: (owner: string) => answer([...rows.values()].filter((row) => row.owner === owner)) }),
  }
  const indexedDB = {
    open() {
      const connection = { isOpen: true }
      const database = {
        close: () => {
          connection.isOpen = false
        },
        transaction() {
          if (!connection.isOpen) throw new DOMException('The connection is closing.', 'InvalidStateError')
          const transaction = {
            oncomplete: () => undefined,
            objectStore: () => table,
            commit: () => queueMicrotask(() => transaction.oncomplete()),
          }
          return transaction
        },
      }
      const request = {
        result: database,
        error: new DOMException('Not here.', 'UnknownError'),
        onsuccess: () => undefined,
        onerror: () => undefined,
      }
      queueMicrotask(() => {
        if (!state.works) return request.onerror()
        connections.push(connection)
        request.onsuccess()
      })
      return request
    },
  }
  const lose = () => {
    for (const connection of connections) connection.isOpen = false
  }
  return { indexedDB, rows, connections, state, lose }
}

let browser: ReturnType<typeof browserStorage>
let store: QueueStore<Row>
beforeEach(async () => {
  browser = browserStorage()
  vi.stubGlobal('indexedDB', browser.indexedDB)
  vi.resetModules()
  store = (await import('../src/lib/send-queue/queue-store.ts')).indexedStore<Row>()
})
afterEach(() => vi.unstubAllGlobals())

test('keeps entries over one connection', async () => {
  await store.put({ id: '1', owner: 'ann' })
  await store.put({ id: '2', owner: 'bob' })
  await store.remove(['2'])
  expect(await store.list('ann')).toEqual([{ id: '1', owner: 'ann' }])
  expect(await store.list('bob')).toEqual([])
  expect(browser.connections).toHaveLength(1)
})

test('opens a new connection after the browser has closed the first, and loses no entry', async () => {
  await store.put({ id: '1', owner: 'ann' })
  browser.lose()
  await Promise.all([store.put({ id: '2', owner: 'ann' }), store.put({ id: '3', owner: 'ann' })])
  expect(await store.list('ann')).toHaveLength(3)
  expect(browser.connections.filter(({ isOpen }) => isOpen)).toHaveLength(1)
})

test('reports a browser that stores nothing, and stores again once it does', async () => {
  browser.state.works = false
  await expect(store.put({ id: '1', owner: 'ann' })).rejects.toThrow('Not here.')
  browser.state.works = true
  await store.put({ id: '1', owner: 'ann' })
  expect(browser.rows.size).toBe(1)
})
