import { type BulkBatch, type BulkRow, editBulk, getBulk } from '@waybill/contract/parcels/bulk'
import { notify } from '../../../components/feedback/notify.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { local } from '../../../lib/browser/storage.ts'
import { t } from '../../../lib/i18n.ts'
import type { CellChanges } from './edit-history.ts'

/** The maximum number of rows in one request. */
export const maxEdits = 500
const settleMs = 400
const firstWaitMs = 1_000
const longestWaitMs = 30_000

/** The unsaved changes of a row. */
type Pending = { cells: CellChanges; overrideDuplicate?: boolean; override?: BulkRow['overrides']; remove?: boolean }
/** `waiting`: for a connection; `refused`: the server would refuse some rows again. */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused'

const storageKey = (id: string) => `bulk-${id}`

function readStoredEdits(id: string): Map<number, Pending> {
  try {
    return new Map(JSON.parse(local.get(storageKey(id)) ?? '[]') as [number, Pending][])
  } catch {
    return new Map()
  }
}

/** Whether the same request would get the same error again. */
export const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.statusCode < 500 && ![401, 408, 429].includes(error.statusCode)

/** The list that the saver saves. */
type Rows = {
  /** The version of a loaded row. */
  getVersion: (row: number) => number | undefined
  saved: (batch: BulkBatch | null, items: readonly BulkRow[]) => void
  /** Reloads everything; null keeps the batch's values. */
  reset: (batch: BulkBatch | null) => void
  notifyListeners: () => void
}

/**
 * Saves the edits of a batch, some hundreds of rows at a time. Unsaved edits are kept in the browser, so that a lost
 * connection, a reload or an expired session loses nothing.
 */
export class RowSaver {
  state: SaveState = 'saved'
  private readonly id: string
  private readonly rows: Rows
  private readonly pending: Map<number, Pending>
  /** Rows edited in this tab. The stored edits also contain rows of other tabs, which must be kept. */
  private readonly ownRows: Set<number>
  /** Rows that the server refused, with the reason. They stay pending until the user edits, retries or drops them. */
  private readonly refused = new Map<number, ApiError>()
  private timer: ReturnType<typeof setTimeout> | undefined
  /** The save in progress. */
  private saving: Promise<void> | null = null
  private stopped = false
  private wait = firstWaitMs

  constructor(id: string, rows: Rows) {
    this.id = id
    this.rows = rows
    this.pending = readStoredEdits(id)
    this.ownRows = new Set(this.pending.keys())
  }

  /** The unsaved cells of a row. */
  getCells(row: number): CellChanges {
    return this.pending.get(row)?.cells ?? {}
  }

  /** Adds a pending change of a row. `later` or `flush` saves it. */
  put(row: number, more: Pending): void {
    const present = this.pending.get(row)
    this.pending.set(row, { ...present, ...more, cells: { ...present?.cells, ...more.cells } })
    this.refused.delete(row)
    this.ownRows.add(row)
    this.keep()
  }

  private keep(): void {
    const others = [...readStoredEdits(this.id)].filter(([row]) => !this.ownRows.has(row))
    const edits = [...others, ...this.pending]
    if (edits.length === 0) local.remove(storageKey(this.id))
    else local.set(storageKey(this.id), JSON.stringify(edits))
  }

  /** Saves after a pause in typing. */
  later(): void {
    this.state = 'saving'
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flush(), settleMs)
    this.rows.notifyListeners()
  }

  get unsaved(): boolean {
    return this.pending.size > 0
  }

  isRefused(row: number): boolean {
    return this.refused.has(row)
  }

  get refusal(): { rows: number; message: string; code: string } | null {
    const [first] = this.refused.values()
    return first ? { rows: this.refused.size, message: first.message, code: first.code } : null
  }

  tryAgain(): void {
    this.refused.clear()
    this.later()
  }

  dropRefused(): void {
    for (const row of this.refused.keys()) this.pending.delete(row)
    this.refused.clear()
    this.keep()
    this.state = this.pending.size > 0 ? 'saving' : 'saved'
    this.rows.reset(null)
    if (this.pending.size > 0) this.later()
  }

  /**
   * Saves pending changes after any save in progress. Returns whether all are saved: some may be refused, or wait for a
   * connection.
   */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer)
    while (this.saving) await this.saving
    this.saving = this.saveAll()
    await this.saving
    this.saving = null
    return this.pending.size === 0
  }

  /** Saves pending changes, some hundreds of rows at a time, until only refused ones remain. */
  private async saveAll(): Promise<void> {
    while (!this.stopped) {
      const ready = [...this.pending].filter(([row]) => !this.refused.has(row)).slice(0, maxEdits)
      if (ready.length === 0) break
      try {
        await this.sendOrRefuse(ready)
        this.wait = firstWaitMs
      } catch {
        this.state = 'waiting'
        this.timer = setTimeout(() => void this.flush(), this.wait)
        this.wait = Math.min(this.wait * 2, longestWaitMs)
        return
      } finally {
        this.rows.notifyListeners()
      }
    }
    this.state = this.refused.size > 0 ? 'refused' : this.pending.size > 0 ? 'saving' : 'saved'
    this.rows.notifyListeners()
  }

  /**
   * Rows that cannot be saved are marked and stay pending, and do not block the others. Throws errors that a retry may
   * solve.
   */
  private async sendOrRefuse(ready: readonly (readonly [number, Pending])[]): Promise<void> {
    try {
      await this.send(new Map(ready))
    } catch (error) {
      if (!isFinal(error)) throw error
      if (ready.length > 1 && error.statusCode === 422) {
        const half = Math.ceil(ready.length / 2)
        await this.sendOrRefuse(ready.slice(0, half))
        await this.sendOrRefuse(ready.slice(half))
        return
      }
      for (const [row, what] of ready) if (this.pending.get(row) === what) this.refused.set(row, error)
    }
  }

  private async send(batchEdits: Map<number, Pending>): Promise<void> {
    let versions = await this.getVersions([...batchEdits.keys()])
    for (let tries = 0; ; tries++) {
      const edits = [...batchEdits].flatMap(([row, { cells, overrideDuplicate, override, remove }]) => {
        const version = versions.get(row)
        if (version === undefined) return []
        const more = {
          ...(overrideDuplicate ? { overrideDuplicate } : {}),
          ...(override ? { override } : {}),
          ...(remove ? { remove } : {}),
        }
        return [{ row, version, cells, ...more }]
      })
      if (edits.length === 0) {
        this.done(batchEdits, null, [])
        this.rows.reset(null)
        return
      }
      try {
        const { batch, items } = await call(editBulk, { body: { id: this.id, edits } })
        this.done(batchEdits, batch, items)
        const missing = edits.length < batchEdits.size
        if (missing || edits.some(({ remove }) => remove)) this.rows.reset(batch)
        return
      } catch (error) {
        // Another user changed or removed some of the rows. Their versions are loaded, and our cells are written over
        // them; removed rows have none and are left out.
        if (!(error instanceof ApiError) || tries > 2) throw error
        const removed = error.code === 'not_found'
        if (!removed && error.code !== 'version_conflict') throw error
        versions = await this.getVersions([...batchEdits.keys()], true)
        notify.info(t(removed ? 'bulk.removedElsewhere' : 'bulk.changedElsewhere'))
      }
    }
  }

  /**
   * The versions of rows, from memory or from the server (`reload`: always from the server). Rows in the cart and
   * removed rows have none.
   */
  private async getVersions(numbers: readonly number[], reload = false): Promise<Map<number, number>> {
    const versions = new Map<number, number>()
    const unknown: number[] = []
    for (const number of numbers) {
      const version = reload ? undefined : this.rows.getVersion(number)
      if (version !== undefined) versions.set(number, version)
      else unknown.push(number)
    }
    for (let at = 0; at < unknown.length; at += 200) {
      const rows = unknown.slice(at, at + 200).join(',')
      const { batch, items } = await call(getBulk, { params: { id: this.id }, query: { rows, limit: 200 } })
      this.rows.saved(batch, [])
      for (const row of items) if (row.state !== 'carted') versions.set(row.row, row.version)
    }
    return versions
  }

  private done(batchEdits: Map<number, Pending>, batch: BulkBatch | null, items: readonly BulkRow[]): void {
    for (const [row, what] of batchEdits) if (this.pending.get(row) === what) this.pending.delete(row)
    this.keep()
    this.rows.saved(batch, items)
  }

  start(): void {
    this.stopped = false
    if (this.pending.size > 0) void this.flush()
  }

  stop(): void {
    void this.flush()
    this.stopped = true
    clearTimeout(this.timer)
  }
}
