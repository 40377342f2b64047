import {
  type BulkBatch,
  type BulkField,
  type BulkRow,
  bulkFields,
  type bulkRowStates,
  editBulk,
  getBulk,
} from '@waybill/contract/parcels/bulk'
import { type ApiError, call, type NetworkError } from '../../../lib/api.ts'
import { type CellChanges, EditHistory, type Step } from './edit-history.ts'
import { isFinal, maxEdits, RowSaver, type SaveState } from './row-saver.ts'

/** Rows per request. */
const pageSize = 100
/** The pause before pages are loaded again that could not be loaded. */
const reloadMs = 5_000

export type Only = (typeof bulkRowStates)[number] | undefined

const fieldIndex = new Map(bulkFields.map((field, n) => [field, n]))

/** The text of a cell. */
export const textOfCell = (row: BulkRow, field: BulkField) => row.cells[fieldIndex.get(field) ?? 0] ?? ''

function withChanges(row: BulkRow, changes: CellChanges): BulkRow {
  const cells = [...row.cells]
  for (const [field, text] of Object.entries(changes)) cells[fieldIndex.get(field as BulkField) ?? 0] = text
  return { ...row, cells }
}

type BatchChange = { overrideDuplicates?: true; leaveOutTotals?: true; leaveOutHidden?: true; senderAddressId?: string }

/**
 * The rows of a batch for a virtual list. Pages load when they become visible. Edits are shown at once and saved
 * together shortly after (`row-saver.ts`).
 */
export class BulkRows {
  readonly only: Only
  batch: BulkBatch
  /** The number of rows in this list, by the filter at the time it was opened. */
  count: number
  version = 0
  private readonly rows = new Map<number, BulkRow>()
  private readonly places = new Map<number, number>()
  private readonly requestedPages = new Set<number>()
  /** Counts the times that everything was reloaded. */
  private reloads = 0
  private readonly failedPages = new Set<number>()
  /** Why the last page could not be loaded; null once all requested pages are loaded. */
  loadError: ApiError | NetworkError | null = null
  private reloadTimer: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<() => void>()
  /**
   * Indexes of rows that no longer match the filter on the server. The offset of the rows after them is smaller by
   * their number.
   */
  private readonly fixedPlaces = new Set<number>()
  private readonly history = new EditHistory()
  private readonly saver: RowSaver

  constructor(batch: BulkBatch, only: Only) {
    this.batch = batch
    this.only = only
    this.count = only ? batch.counts[only] : batch.counts.total
    this.saver = new RowSaver(batch.id, {
      getVersion: (row) => this.findRow(row)?.version,
      saved: (now, items) => this.saved(now, items),
      reset: (now) => this.reset(now ?? this.batch),
      notifyListeners: () => this.notifyListeners(),
    })
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  snapshot = () => this.version

  private notifyListeners(): void {
    this.version++
    for (const listener of this.listeners) listener()
  }

  at(place: number): BulkRow | undefined {
    return this.rows.get(place)
  }

  /** Loads the missing pages of these rows. */
  need(from: number, to: number): void {
    for (let page = Math.floor(from / pageSize); page <= Math.floor(Math.min(to, this.count - 1) / pageSize); page++) {
      if (page >= 0 && !this.requestedPages.has(page)) void this.load(page)
    }
  }

  /** Whether all rows of a range are loaded, as far as the list has them. */
  hasRange(from: number, to: number): boolean {
    for (let place = from; place <= Math.min(to, this.count - 1); place++) if (!this.rows.has(place)) return false
    return true
  }

  /** Loads the missing rows of a range, a few pages at a time. False: a page could not be loaded. */
  async loadRange(from: number, to: number): Promise<boolean> {
    const pages: number[] = []
    for (let first = from - (from % pageSize); first <= Math.min(to, this.count - 1); first += pageSize)
      if (!this.hasRange(Math.max(first, from), Math.min(first + pageSize - 1, to))) pages.push(first / pageSize)
    for (let n = 0; n < pages.length; n += 4) {
      const isLoaded = await Promise.all(pages.slice(n, n + 4).map((page) => this.load(page)))
      if (isLoaded.includes(false)) return false
    }
    return true
  }

  private async load(page: number): Promise<boolean> {
    this.requestedPages.add(page)
    const { reloads } = this
    const first = page * pageSize
    const shift = [...this.fixedPlaces].filter((place) => place < first).length
    try {
      const query = { offset: Math.max(0, first - shift), limit: pageSize, ...(this.only ? { only: this.only } : {}) }
      const { items } = await call(getBulk, { params: { id: this.batch.id }, query })
      // The rows may be as they were before the change for which everything is reloaded.
      if (reloads !== this.reloads) return this.load(page)
      for (const [n, row] of items.entries()) {
        const place = first + n
        if (this.rows.has(place)) continue
        this.rows.set(place, withChanges(row, this.saver.getCells(row.row)))
        this.places.set(row.row, place)
      }
      this.failedPages.delete(page)
      if (this.failedPages.size === 0) this.loadError = null
    } catch (error) {
      this.failedPages.add(page)
      this.loadError = error as ApiError | NetworkError
      if (!isFinal(error)) this.reloadTimer ??= setTimeout(() => this.reloadFailed(), reloadMs)
    }
    this.notifyListeners()
    return !this.failedPages.has(page)
  }

  /** Loads the pages again that could not be loaded. */
  reloadFailed(): void {
    clearTimeout(this.reloadTimer)
    this.reloadTimer = undefined
    for (const page of this.failedPages) void this.load(page)
  }

  /** Writes cells. Shown at once; saved shortly after. */
  edit(changes: readonly { place: number; cells: CellChanges }[]): void {
    const step: Step = changes.flatMap(({ place, cells }) => {
      const row = this.rows.get(place)
      if (!row || row.state === 'carted') return []
      const after = Object.fromEntries(
        Object.entries(cells).filter(([field, text]) => text !== textOfCell(row, field as BulkField)),
      ) as CellChanges
      if (Object.keys(after).length === 0) return []
      const before = Object.fromEntries(
        Object.keys(after).map((field) => [field, textOfCell(row, field as BulkField)]),
      ) as CellChanges
      return [{ row: row.row, before, after }]
    })
    if (step.length === 0) return
    this.history.did(step)
    for (const { row, after } of step) this.put(row, { cells: after })
    this.saver.later()
  }

  /** Ships an intended duplicate, or removes the row. */
  mark(row: number, what: { overrideDuplicate: true } | { override: BulkRow['overrides'] } | { remove: true }): void {
    this.put(row, { cells: {}, ...what })
    this.saver.later()
  }

  get canUndo(): boolean {
    return this.history.canUndo
  }

  undo(): void {
    for (const { row, cells } of this.history.undo()) this.put(row, { cells })
    this.saver.later()
  }

  redo(): void {
    for (const { row, cells } of this.history.redo()) this.put(row, { cells })
    this.saver.later()
  }

  /** Appends rows. */
  async add(cells: CellChanges[]): Promise<void> {
    await this.flush()
    for (let at = 0; at < cells.length; at += maxEdits) {
      const { batch } = await call(editBulk, { body: { id: this.batch.id, add: cells.slice(at, at + maxEdits) } })
      this.reset(batch)
    }
  }

  /** Accepts a suggestion in all rows. Can be undone like an edit. */
  async fixAll(code: string, column: BulkField): Promise<void> {
    await this.flush()
    const { batch, before } = await call(editBulk, { body: { id: this.batch.id, fix: { code, column } } })
    this.reset(batch)
    // Records the undo only: the cells that a suggestion writes are unknown here, and it can be accepted again.
    this.history.did(before.map(({ row, cells }) => ({ row, before: cells, after: {} })))
  }

  /** Fills cells in all rows in which they are empty. Can be undone like an edit. */
  async fillAll(cells: CellChanges): Promise<void> {
    await this.flush()
    const { batch, before } = await call(editBulk, { body: { id: this.batch.id, fill: cells } })
    this.reset(batch)
    this.history.did(before.map(({ row, cells: old }) => ({ row, before: old, after: {} })))
  }

  /** Ships all intended duplicates, removes total or hidden rows, or changes the sender. */
  async change(what: BatchChange): Promise<void> {
    await this.flush()
    const { batch } = await call(editBulk, { body: { id: this.batch.id, ...what } })
    this.reset(batch)
  }

  /** Reloads everything. */
  reset(batch: BulkBatch): void {
    this.batch = batch
    this.reloads++
    this.count = this.only ? batch.counts[this.only] : batch.counts.total
    this.rows.clear()
    this.places.clear()
    this.requestedPages.clear()
    this.failedPages.clear()
    this.loadError = null
    this.fixedPlaces.clear()
    this.notifyListeners()
  }

  private put(row: number, more: Parameters<RowSaver['put']>[1]): void {
    this.saver.put(row, more)
    const place = this.places.get(row)
    const present = this.findRow(row)
    if (present && place !== undefined) this.rows.set(place, withChanges(present, more.cells))
  }

  private findRow(row: number): BulkRow | undefined {
    const place = this.places.get(row)
    return place === undefined ? undefined : this.rows.get(place)
  }

  /** Takes over saved rows from the server's response. */
  private saved(batch: BulkBatch | null, items: readonly BulkRow[]): void {
    if (batch) this.batch = batch
    for (const row of items) {
      const place = this.places.get(row.row)
      if (place === undefined) continue
      this.rows.set(place, withChanges(row, this.saver.getCells(row.row)))
      if (this.only === undefined) continue
      if (row.state === this.only) this.fixedPlaces.delete(place)
      else this.fixedPlaces.add(place)
    }
  }

  get save(): SaveState {
    return this.saver.state
  }

  get unsaved(): boolean {
    return this.saver.unsaved
  }

  /** Whether a row has changes that the server refused. */
  isRefused(row: number): boolean {
    return this.saver.isRefused(row)
  }

  /** The number of refused rows, and the message and code of the first one. */
  get refusal(): { rows: number; message: string; code: string } | null {
    return this.saver.refusal
  }

  tryAgain(): void {
    this.saver.tryAgain()
  }

  /** Whether the batch no longer exists. */
  get isGone(): boolean {
    return this.loadError?.code === 'not_found' || this.refusal?.code === 'not_found'
  }

  /** Drops the refused changes: the rows are again as on the server. */
  dropRefused(): void {
    this.saver.dropRefused()
  }

  /** Saves the pending changes now. Returns whether all are saved. */
  flush(): Promise<boolean> {
    return this.saver.flush()
  }

  /** Sends the changes that an earlier visit could not save. */
  start(): void {
    this.saver.start()
  }

  /** Pending changes stay in the browser's storage, and are sent on the next visit. */
  stop(): void {
    clearTimeout(this.reloadTimer)
    this.saver.stop()
  }
}
