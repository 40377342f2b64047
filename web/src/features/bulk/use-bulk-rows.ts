import {
  type BulkBatch,
  type BulkField,
  type BulkRow,
  bulkFields,
  type bulkRowStates,
  editBulk,
  getBulk,
} from '@waybill/contract/bulk'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { notify } from '../../components/notify.tsx'
import { ApiError, call } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { local } from '../../lib/storage.ts'
import { type CellChanges, EditHistory, type Step } from './edit-history.ts'

/** Rows asked for at once. */
const pageSize = 100
const settleMs = 400
const mostEdits = 500
const firstWaitMs = 1_000
const longestWaitMs = 30_000

export type Only = (typeof bulkRowStates)[number] | undefined
/** What is written in a row but not saved yet. */
type Pending = { cells: CellChanges; anyway?: boolean; shipAnyway?: BulkRow['insisted']; remove?: boolean }
/** `waiting`: for a connection; `refused`: the server takes some rows as little the next time. */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused'

const indexOf = new Map(bulkFields.map((field, n) => [field, n]))

/** The text of a cell. */
export const cellOf = (row: BulkRow, field: BulkField) => row.cells[indexOf.get(field) ?? 0] ?? ''

function changed(row: BulkRow, changes: CellChanges): BulkRow {
  const cells = [...row.cells]
  for (const [field, text] of Object.entries(changes)) cells[indexOf.get(field as BulkField) ?? 0] = text
  return { ...row, cells }
}

const storageKey = (id: string) => `bulk-${id}`

function stored(id: string): Map<number, Pending> {
  try {
    return new Map(JSON.parse(local.get(storageKey(id)) ?? '[]') as [number, Pending][])
  } catch {
    return new Map()
  }
}

/**
 * The rows of a batch as the grid needs them: pages as they come into sight, edits shown at once and saved together a moment later. What is not
 * saved is kept in the browser until it is: a lost connection, a reload, an expired session lose nothing.
 */
export class BulkRows {
  readonly id: string
  readonly only: Only
  batch: BulkBatch
  /** Rows in this list, by the filter as it was when it was opened. */
  count: number
  save: SaveState = 'saved'
  version = 0
  private readonly rows = new Map<number, BulkRow>()
  private readonly places = new Map<number, number>()
  private readonly asked = new Set<number>()
  private readonly listeners = new Set<() => void>()
  /** Places of rows that no longer fit the filter on the server: what comes behind them is asked for so much earlier. */
  private readonly gone = new Set<number>()
  private pending: Map<number, Pending>
  private readonly history = new EditHistory()
  /** Rows that the server refused as they are, and why; they stay pending until somebody edits them, tries again, or drops them. */
  private readonly refused = new Map<number, ApiError>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private sending = false
  private stopped = false
  private wait = firstWaitMs

  constructor(batch: BulkBatch, only: Only) {
    this.id = batch.id
    this.batch = batch
    this.only = only
    this.count = only ? batch.counts[only] : batch.counts.total
    this.pending = stored(batch.id)
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  snapshot = () => this.version

  private tell(): void {
    this.version++
    for (const listener of this.listeners) listener()
  }

  at(place: number): BulkRow | undefined {
    return this.rows.get(place)
  }

  /** Asks for what of these places is not there yet. */
  need(from: number, to: number): void {
    for (let page = Math.floor(from / pageSize); page <= Math.floor(Math.min(to, this.count - 1) / pageSize); page++) {
      if (page >= 0 && !this.asked.has(page)) void this.load(page)
    }
  }

  private async load(page: number): Promise<void> {
    this.asked.add(page)
    const first = page * pageSize
    const shifted = [...this.gone].filter((place) => place < first).length
    try {
      const query = { offset: Math.max(0, first - shifted), limit: pageSize, ...(this.only ? { only: this.only } : {}) }
      const { items } = await call(getBulk, { params: { id: this.id }, query })
      for (const [n, row] of items.entries()) {
        const place = first + n
        if (this.rows.has(place)) continue
        this.rows.set(place, changed(row, this.pending.get(row.row)?.cells ?? {}))
        this.places.set(row.row, place)
      }
    } catch {
      // Asked again when it comes into sight the next time.
      this.asked.delete(page)
    }
    this.tell()
  }

  /** Writes cells. Shown at once; saved a moment later. */
  edit(changes: readonly { place: number; cells: CellChanges }[]): void {
    const step: Step = changes.flatMap(({ place, cells }) => {
      const row = this.rows.get(place)
      if (!row || row.state === 'carted') return []
      const after = Object.fromEntries(
        Object.entries(cells).filter(([field, text]) => text !== cellOf(row, field as BulkField)),
      ) as CellChanges
      if (Object.keys(after).length === 0) return []
      const before = Object.fromEntries(
        Object.keys(after).map((field) => [field, cellOf(row, field as BulkField)]),
      ) as CellChanges
      return [{ row: row.row, before, after }]
    })
    if (step.length === 0) return
    this.history.did(step)
    for (const { row, after } of step) this.put(row, { cells: after })
    this.later()
  }

  /** The same parcel is meant to go again; or the row is not wanted. */
  mark(row: number, what: { anyway: true } | { shipAnyway: BulkRow['insisted'] } | { remove: true }): void {
    this.put(row, { cells: {}, ...what })
    this.later()
  }

  get canUndo(): boolean {
    return this.history.canUndo
  }

  undo(): void {
    for (const { row, cells } of this.history.undo()) this.put(row, { cells })
    this.later()
  }

  redo(): void {
    for (const { row, cells } of this.history.redo()) this.put(row, { cells })
    this.later()
  }

  /** New rows behind the last one. */
  async add(cells: CellChanges[]): Promise<void> {
    await this.flush()
    for (let at = 0; at < cells.length; at += mostEdits) {
      const { batch } = await call(editBulk, { body: { id: this.id, add: cells.slice(at, at + mostEdits) } })
      this.reset(batch)
    }
  }

  /** Takes a suggestion in every row; can be undone like an edit. */
  async fixAll(code: string, column: BulkField): Promise<void> {
    await this.flush()
    const { batch, before } = await call(editBulk, { body: { id: this.id, fix: { code, column } } })
    this.reset(batch)
    // What a suggestion wrote is not known here; it can be taken again.
    this.history.did(before.map(({ row, cells }) => ({ row, before: cells, after: {} })))
  }

  /** Every duplicate may go; another sender. */
  async change(what: { anyway?: true; senderAddressId?: string }): Promise<void> {
    await this.flush()
    const { batch } = await call(editBulk, { body: { id: this.id, ...what } })
    this.reset(batch)
  }

  /** Asks for everything anew. */
  reset(batch: BulkBatch): void {
    this.batch = batch
    this.count = this.only ? batch.counts[this.only] : batch.counts.total
    this.rows.clear()
    this.places.clear()
    this.asked.clear()
    this.gone.clear()
    this.tell()
  }

  private put(row: number, more: Pending): void {
    const known = this.pending.get(row)
    this.pending.set(row, { ...known, ...more, cells: { ...known?.cells, ...more.cells } })
    this.refused.delete(row)
    const place = this.places.get(row)
    const shown = place === undefined ? undefined : this.rows.get(place)
    if (shown && place !== undefined) this.rows.set(place, changed(shown, more.cells))
    this.keep()
  }

  private keep(): void {
    if (this.pending.size === 0) local.remove(storageKey(this.id))
    else local.set(storageKey(this.id), JSON.stringify([...this.pending]))
  }

  private later(): void {
    this.save = 'saving'
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flush(), settleMs)
    this.tell()
  }

  get unsaved(): boolean {
    return this.pending.size > 0
  }

  /** Whether a row has changes that the server refused. */
  isRefused(row: number): boolean {
    return this.refused.has(row)
  }

  /** Rows that were refused, and what the first one was refused for. */
  get refusal(): { rows: number; message: string } | null {
    const [first] = this.refused.values()
    return first ? { rows: this.refused.size, message: first.message } : null
  }

  tryAgain(): void {
    this.refused.clear()
    this.later()
  }

  /** Forgets the changes that were refused: the rows are again as the server has them. */
  dropRefused(): void {
    for (const row of this.refused.keys()) this.pending.delete(row)
    this.refused.clear()
    this.keep()
    this.save = this.pending.size > 0 ? 'saving' : 'saved'
    this.reset(this.batch)
    if (this.pending.size > 0) this.later()
  }

  /** Saves what is pending, some hundreds of rows at a time, until nothing is but what was refused. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    while (!this.stopped) {
      const ready = [...this.pending].filter(([row]) => !this.refused.has(row)).slice(0, mostEdits)
      if (ready.length === 0 || this.sending) break
      this.sending = true
      try {
        await this.sendOrRefuse(ready)
        this.wait = firstWaitMs
      } catch {
        this.save = 'waiting'
        this.timer = setTimeout(() => void this.flush(), this.wait)
        this.wait = Math.min(this.wait * 2, longestWaitMs)
        return
      } finally {
        this.sending = false
        this.tell()
      }
    }
    if (this.sending) return
    this.save = this.refused.size > 0 ? 'refused' : this.pending.size > 0 ? 'saving' : 'saved'
    this.tell()
  }

  /** What can't be saved as it is stays pending and is marked, and does not hold back the others. Throws what may be better later. */
  private async sendOrRefuse(ready: readonly (readonly [number, Pending])[]): Promise<void> {
    try {
      await this.send(new Map(ready))
    } catch (error) {
      const final = error instanceof ApiError && error.statusCode < 500 && ![401, 408, 429].includes(error.statusCode)
      if (!final) throw error
      if (ready.length > 1 && error.statusCode === 422) {
        const half = Math.ceil(ready.length / 2)
        await this.sendOrRefuse(ready.slice(0, half))
        await this.sendOrRefuse(ready.slice(half))
        return
      }
      for (const [row, what] of ready) if (this.pending.get(row) === what) this.refused.set(row, error)
    }
  }

  private async send(sent: Map<number, Pending>): Promise<void> {
    let versions = await this.versionsOf([...sent.keys()])
    for (let tries = 0; ; tries++) {
      const edits = [...sent].flatMap(([row, { cells, anyway, shipAnyway, remove }]) => {
        const version = versions.get(row)
        if (version === undefined) return []
        const more = {
          ...(anyway ? { anyway } : {}),
          ...(shipAnyway ? { shipAnyway } : {}),
          ...(remove ? { remove } : {}),
        }
        return [{ row, version, cells, ...more }]
      })
      if (edits.length === 0) {
        this.done(sent, [])
        return
      }
      try {
        const { batch, items } = await call(editBulk, { body: { id: this.id, edits } })
        this.batch = batch
        this.done(sent, items)
        if ([...sent.values()].some(({ remove }) => remove)) this.reset(batch)
        return
      } catch (error) {
        // Somebody else wrote the same rows: theirs are read, and our cells are put over them.
        if (!(error instanceof ApiError) || error.code !== 'version_conflict' || tries > 2) throw error
        versions = await this.versionsOf([...sent.keys()], true)
        notify.info(t('bulk.changedElsewhere'))
      }
    }
  }

  /** Versions of rows: of those in sight as they are known, else (or `anew`) as the server says. Rows in the cart have none. */
  private async versionsOf(numbers: readonly number[], anew = false): Promise<Map<number, number>> {
    const versions = new Map<number, number>()
    const unknown: number[] = []
    for (const number of numbers) {
      const place = this.places.get(number)
      const row = place === undefined ? undefined : this.rows.get(place)
      if (row && !anew) versions.set(number, row.version)
      else unknown.push(number)
    }
    for (let at = 0; at < unknown.length; at += 200) {
      const rows = unknown.slice(at, at + 200).join(',')
      const { items } = await call(getBulk, { params: { id: this.id }, query: { rows, limit: 200 } })
      for (const row of items) if (row.state !== 'carted') versions.set(row.row, row.version)
    }
    return versions
  }

  private done(sent: Map<number, Pending>, items: readonly BulkRow[]): void {
    for (const [row, what] of sent) if (this.pending.get(row) === what) this.pending.delete(row)
    this.keep()
    for (const row of items) {
      const place = this.places.get(row.row)
      if (place === undefined) continue
      this.rows.set(place, changed(row, this.pending.get(row.row)?.cells ?? {}))
      if (this.only === undefined) continue
      if (row.state === this.only) this.gone.delete(place)
      else this.gone.add(place)
    }
  }

  /** The page is there: what an earlier visit could not save goes out. */
  start(): void {
    this.stopped = false
    if (this.pending.size > 0) void this.flush()
  }

  /** The page is left: what is pending is in the browser's store, and goes out the next time. */
  stop(): void {
    void this.flush()
    this.stopped = true
    clearTimeout(this.timer)
  }
}

/** `BulkRows` of a batch under a filter; renders again when something of them changes. */
export function useBulkRows(batch: BulkBatch, only: Only): BulkRows {
  const [held, setHeld] = useState(() => new BulkRows(batch, only))
  // Another filter begins with the latest counts.
  const rows = held.only === only ? held : new BulkRows(held.batch, only)
  if (rows !== held) setHeld(rows)
  useSyncExternalStore(rows.subscribe, rows.snapshot)
  useEffect(() => {
    rows.start()
    return () => rows.stop()
  }, [rows])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (rows.unsaved) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [rows])
  return rows
}
