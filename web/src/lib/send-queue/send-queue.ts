import { ApiError } from '../api.ts'
import type { QueueStore } from './queue-store.ts'

/** The server's reason for refusing an entry. */
export type Problem = { code: string; message: string; details: Readonly<Record<string, unknown>> }

/** A request in the queue, with its idempotency key. */
export type Entry<B, A> = {
  /** The sort order of the entries: the order in which they were added. */
  id: string
  owner: string
  /** Entries of one lane are sent one after the other. */
  lane: string
  body: B
  idempotencyKey: string
  addedAt: string
  state: 'waiting' | 'done' | 'failed'
  /** How many times the server failed (500) on this entry. */
  faults: number
  answer?: A
  problem?: Problem
}

export type Snapshot<B, A> = {
  entries: readonly Entry<B, A>[]
  /** Nothing can be sent at the moment. The queue retries by itself. */
  stalled: boolean
  /** False: this browser stores nothing, so waiting entries are lost with the page. */
  isStored: boolean
}

type Options<B, A> = {
  store: QueueStore<Entry<B, A>>
  send: (body: B, idempotencyKey: string, signal: AbortSignal) => Promise<A>
  /** The signed-in user. Only the user's own entries are shown and sent. */
  owner: () => string | null
  /** The part of a body that is stored after it was sent. The rest may be private. */
  keep?: (body: B) => B
  onSettled?: (entry: Entry<B, A>) => void
  /** Runs the work in one tab at a time. */
  exclusively?: (work: () => Promise<void>) => Promise<void>
  /** Notifies other tabs of a change. */
  announce?: () => void
  now?: () => Date
}

/** The maximum number of concurrent requests, each of another lane. */
const atOnce = 3
const backOffMs = [1_000, 2_000, 4_000, 8_000, 15_000]
/** After this many server errors an entry fails, so that it does not block the others forever. */
const maxFaults = 4
const doneIsKeptMs = 12 * 3_600_000

/** A temporary failure: the server is busy, starting or not reachable. */
const isLater = (error: unknown) =>
  !(error instanceof ApiError) || [401, 408, 425, 429, 502, 503, 504].includes(error.statusCode)

/**
 * Sends entries in order over an unreliable connection. They wait in the browser and keep their idempotency keys until
 * the server has decided. A refused entry stays as failed until the user retries or dismisses it.
 */
export class SendQueue<B, A> {
  private readonly options: Options<B, A>
  private readonly listeners = new Set<() => void>()
  private state: Snapshot<B, A> = { entries: [], stalled: false, isStored: true }
  private owner: string | null = null
  /** Changes that may not be stored yet; null means removed. They take precedence over the store. */
  private readonly unstored = new Map<string, Entry<B, A> | null>()
  private lastId = 0
  private readonly lanes = new Set<string>()
  private abort = new AbortController()
  private timer: ReturnType<typeof setTimeout> | undefined
  private failures = 0
  private sending = false
  private endSending: (() => void) | null = null

  constructor(options: Options<B, A>) {
    this.options = options
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly snapshot = (): Snapshot<B, A> => this.state

  /** Appends an entry to the queue of the signed-in user. */
  add(lane: string, body: B): void {
    const owner = this.options.owner()
    if (owner === null) return
    if (owner !== this.owner) void this.open()
    const now = this.options.now?.() ?? new Date()
    this.lastId = Math.max(this.lastId + 1, now.getTime())
    const idempotencyKey = crypto.randomUUID()
    const id = `${String(this.lastId).padStart(15, '0')}-${idempotencyKey}`
    const addedAt = now.toISOString()
    this.write({ id, owner, lane, body, idempotencyKey, addedAt, state: 'waiting', faults: 0 })
    this.pump()
  }

  /** Sends a refused entry again. With a change it is a new request with a new key. */
  retry(id: string, change: Partial<B> = {}): void {
    const entry = this.state.entries.find((each) => each.id === id)
    if (entry?.state !== 'failed') return
    const hasChange = Object.keys(change).length > 0
    const { problem: _, ...rest } = entry
    this.write({
      ...rest,
      body: { ...entry.body, ...change },
      idempotencyKey: hasChange ? crypto.randomUUID() : entry.idempotencyKey,
      state: 'waiting',
      faults: 0,
    })
    this.resume()
  }

  /** Removes decided entries. Waiting ones stay, because the server may have received them. */
  remove(ids: readonly string[]): void {
    const removable = this.state.entries.filter(({ id, state }) => ids.includes(id) && state !== 'waiting')
    if (removable.length === 0) return
    for (const { id } of removable) this.unstored.set(id, null)
    this.show(this.state.entries.filter((entry) => !removable.includes(entry)))
    this.store(
      removable.map(({ id }) => id),
      this.options.store.remove(removable.map(({ id }) => id)),
    )
  }

  /** Retries waiting entries at once. */
  resume(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.pump()
  }

  /** Loads the queue of the user who is signed in now. Aborts requests of another user. */
  async open(): Promise<void> {
    const owner = this.options.owner()
    if (owner === this.owner) return
    this.owner = owner
    this.abort.abort()
    this.abort = new AbortController()
    this.failures = 0
    this.show([])
    await this.refresh()
    const old = (this.options.now?.() ?? new Date()).getTime() - doneIsKeptMs
    this.remove(
      this.state.entries
        .filter(({ state, addedAt }) => state === 'done' && Date.parse(addedAt) < old)
        .map(({ id }) => id),
    )
    this.resume()
  }

  /** Another tab has made a change. */
  async reload(): Promise<void> {
    await this.refresh()
    this.pump()
  }

  private async refresh(): Promise<void> {
    const { owner } = this
    if (owner === null) return
    let storedEntries: Entry<B, A>[]
    try {
      storedEntries = await this.options.store.list(owner)
    } catch (error) {
      this.loseStore(error)
      return
    }
    if (owner !== this.owner) return
    const entries = new Map(storedEntries.map((entry) => [entry.id, entry]))
    for (const [id, entry] of this.unstored) {
      if (entry === null) entries.delete(id)
      else if (entry.owner === owner) entries.set(id, entry)
    }
    this.show([...entries.values()])
  }

  private show(entries: readonly Entry<B, A>[], more: Partial<Snapshot<B, A>> = {}): void {
    const sortedEntries = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1))
    this.state = { ...this.state, ...more, entries: sortedEntries }
    for (const listener of this.listeners) listener()
  }

  private write(entry: Entry<B, A>): void {
    this.unstored.set(entry.id, entry)
    if (entry.owner === this.owner) this.show([...this.state.entries.filter(({ id }) => id !== entry.id), entry])
    this.store([entry.id], this.options.store.put(entry))
  }

  private store(ids: readonly string[], write: Promise<void>): void {
    const writes = ids.map((id) => [id, this.unstored.get(id)] as const)
    write.then(
      () => {
        // A later write may have started already.
        for (const [id, entry] of writes) if (this.unstored.get(id) === entry) this.unstored.delete(id)
        this.options.announce?.()
        if (!this.state.isStored) this.restoreStore()
      },
      (error: unknown) => this.loseStore(error),
    )
  }

  /** The browser stores nothing: the queue continues in memory and reports it. */
  private loseStore(error: unknown): void {
    console.warn('What waits to be sent is not kept by this browser.', error)
    this.show(this.state.entries, { isStored: false })
  }

  /** The browser stores again: everything that it has not stored meanwhile is written. */
  private restoreStore(): void {
    this.show(this.state.entries, { isStored: true })
    for (const [id, entry] of [...this.unstored])
      this.store([id], entry === null ? this.options.store.remove([id]) : this.options.store.put(entry))
  }

  private next(): Entry<B, A> | undefined {
    return this.state.entries.find(
      ({ state, lane, owner }) => state === 'waiting' && !this.lanes.has(lane) && owner === this.options.owner(),
    )
  }

  /** Sends until the queue is empty or blocked. */
  private pump(): void {
    if (this.timer !== undefined || !this.next()) return
    if (this.sending) {
      this.fill()
      return
    }
    this.sending = true
    const exclusively = this.options.exclusively ?? ((work) => work())
    void exclusively(async () => {
      // Another tab may have sent it in the meantime.
      await this.refresh()
      await new Promise<void>((resolve) => {
        this.endSending = resolve
        this.fill()
      })
    }).finally(() => {
      this.sending = false
      this.pump()
    })
  }

  private fill(): void {
    if (!this.endSending) return
    while (this.timer === undefined && this.lanes.size < atOnce) {
      const entry = this.next()
      if (!entry) break
      this.lanes.add(entry.lane)
      void this.sendOne(entry).finally(() => {
        this.lanes.delete(entry.lane)
        this.fill()
      })
    }
    if (this.lanes.size > 0) return
    this.endSending()
    this.endSending = null
  }

  private async sendOne(entry: Entry<B, A>): Promise<void> {
    const { signal } = this.abort
    try {
      const answer = await this.options.send(entry.body, entry.idempotencyKey, signal)
      this.settle({ ...entry, body: this.options.keep?.(entry.body) ?? entry.body, state: 'done', answer })
      this.failures = 0
      if (this.state.stalled) this.show(this.state.entries, { stalled: false })
    } catch (error) {
      // Aborted: the entry waits for its owner.
      if (signal.aborted) return
      if (isLater(error)) {
        this.pause(error)
        return
      }
      const refusal = error as ApiError
      if (refusal.statusCode >= 500 && entry.faults + 1 < maxFaults) {
        this.write({ ...entry, faults: entry.faults + 1 })
        this.pause(error)
        return
      }
      const { code, message, details } = refusal
      this.settle({ ...entry, state: 'failed', problem: { code, message, details } })
    }
  }

  private settle(entry: Entry<B, A>): void {
    this.write(entry)
    if (entry.owner === this.owner) this.options.onSettled?.(entry)
  }

  /** Pauses the queue, longer after each failure. */
  private pause(error: unknown): void {
    if (this.timer !== undefined) return
    const retryAfterMs = error instanceof ApiError && error.retryAfter !== null ? error.retryAfter * 1_000 : 0
    const wait = Math.max(retryAfterMs, backOffMs[Math.min(this.failures, backOffMs.length - 1)] ?? 0)
    this.failures += 1
    this.timer = setTimeout(() => this.resume(), wait)
    this.show(this.state.entries, { stalled: true })
  }
}
