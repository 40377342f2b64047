/**
 * Reads uploaded spreadsheets in worker threads with a memory limit and a deadline. A hostile file costs a thread,
 * never the server, whose event loop stays free.
 */
import { Worker } from 'node:worker_threads'
import { SheetError, type SheetFault } from './error.ts'
import type { ReadLimits, ReadRow } from './row.ts'

export type SheetFormat = 'xlsx' | 'csv'

/** The limits of reading a file in a thread. */
export type ThreadLimits = ReadLimits & {
  /** Milliseconds of waiting for the thread, all portions together. */
  deadline: number
}

export type SheetRequest =
  | { kind: 'inspect'; bytes: Uint8Array; limits: ReadLimits }
  /** `credit`: how many portions may be sent before the first `more`. */
  | { kind: 'read'; format: SheetFormat | 'json'; bytes: Uint8Array; limits: ReadLimits; credit: number }
  | { kind: 'more' }

export type SheetReply =
  | { kind: 'format'; format: SheetFormat }
  | { kind: 'rows'; rows: ReadRow[] }
  | { kind: 'end' }
  | { kind: 'fault'; fault: SheetFault; vars: Record<string, string | number> }
  | { kind: 'error'; text: string }

/** Threads per process: two hostile files at once must not take every processor. */
const maxThreads = 2

/** Four times what a file of 10,000 rows needs. The inflated size limits the memory outside V8's heap. */
const heapMb = 224

/** How long an idle thread is kept: starting one costs as much as reading a thousand rows. */
const idleMs = 60_000

/** Portions in flight: one is used while the next is read. */
const portionsAhead = 2

class SheetThread {
  readonly #worker: Worker
  readonly #replies: SheetReply[] = []
  #dead: Error | null = null
  #wake: (() => void) | null = null
  #idle: NodeJS.Timeout | undefined

  constructor() {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    this.#worker.on('message', (reply: SheetReply) => {
      this.#replies.push(reply)
      this.#wake?.()
    })
    this.#worker.on('error', (error) => this.#die(error))
    this.#worker.on('exit', () => this.#die(new Error('The thread that reads spreadsheets has ended.')))
  }

  get dead(): boolean {
    return this.#dead !== null
  }

  send(request: SheetRequest): void {
    this.#worker.postMessage(request)
  }

  /** The next reply. Throws SheetError: the fault of the file, or `too_heavy` if it takes too much time or memory. */
  async reply(waitMs: number): Promise<SheetReply> {
    if (this.#replies.length === 0 && !this.#dead) await this.#waitForReply(waitMs)
    const reply = this.#replies.shift()
    if (!reply) {
      const died = this.#dead
      await this.end()
      const code = (died as NodeJS.ErrnoException | null)?.code
      if (died && code !== 'ERR_WORKER_OUT_OF_MEMORY') throw died
      throw new SheetError('too_heavy')
    }
    if (reply.kind === 'fault') throw new SheetError(reply.fault, reply.vars)
    if (reply.kind === 'error') throw new Error(reply.text)
    return reply
  }

  /** Keeps the idle thread for a while, then calls `onEnd`. */
  rest(onEnd: () => void): void {
    // An idle thread must not keep the process alive.
    this.#worker.unref()
    this.#idle = setTimeout(() => {
      onEnd()
      void this.end()
    }, idleMs)
    this.#idle.unref()
  }

  wakeUp(): void {
    clearTimeout(this.#idle)
    this.#worker.ref()
  }

  async end(): Promise<void> {
    this.#dead ??= new Error('The thread that reads spreadsheets was ended.')
    await this.#worker.terminate()
  }

  #die(error: Error): void {
    this.#dead ??= error
    this.#wake?.()
  }

  /** Waits for a reply, for the end of the thread, or for the time limit. */
  async #waitForReply(waitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, Math.max(0, waitMs))
    await promise
    clearTimeout(timer)
    this.#wake = null
  }
}

const resting: SheetThread[] = []
const queue: (() => void)[] = []
let atWork = 0

/** A thread for one file, once one is free. */
async function takeThread(): Promise<SheetThread> {
  if (atWork >= maxThreads) await new Promise<void>((resolve) => queue.push(resolve))
  else atWork++
  const idle = resting.pop()
  idle?.wakeUp()
  if (idle && !idle.dead) return idle
  try {
    return new SheetThread()
  } catch (error) {
    passTurn()
    throw error
  }
}

/** The longest waiting caller gets the free place. */
function passTurn(): void {
  const next = queue.shift()
  if (next) next()
  else atWork--
}

/** `reusable`: the thread has finished the file. */
async function giveBack(thread: SheetThread, reusable: boolean): Promise<void> {
  if (reusable && !thread.dead) {
    resting.push(thread)
    thread.rest(() => resting.splice(resting.indexOf(thread), 1))
  } else await thread.end()
  passTurn()
}

/** `inspectSheet` in a thread. Throws SheetError. */
export async function inspectInThread(bytes: Uint8Array, { deadline, ...limits }: ThreadLimits): Promise<SheetFormat> {
  const thread = await takeThread()
  let reusable = false
  try {
    thread.send({ kind: 'inspect', bytes, limits })
    const reply = await thread.reply(deadline)
    if (reply.kind !== 'format') throw new Error(`The thread that reads spreadsheets answered ${reply.kind}.`)
    reusable = true
    return reply.format
  } catch (error) {
    reusable = error instanceof SheetError
    throw error
  } finally {
    await giveBack(thread, reusable)
  }
}

/** `readSheet` in a thread; `json` is an array of arrays of text. Throws SheetError. */
export async function* readInThread(
  bytes: Uint8Array,
  format: SheetFormat | 'json',
  { deadline, ...limits }: ThreadLimits,
): AsyncGenerator<ReadRow> {
  const thread = await takeThread()
  let reusable = false
  let left = deadline
  try {
    thread.send({ kind: 'read', format, bytes, limits, credit: portionsAhead })
    for (;;) {
      const begin = performance.now()
      const reply = await thread.reply(left)
      left -= performance.now() - begin
      if (reply.kind === 'end') break
      if (reply.kind !== 'rows') throw new Error(`The thread that reads spreadsheets answered ${reply.kind}.`)
      yield* reply.rows
      thread.send({ kind: 'more' })
    }
    reusable = true
  } catch (error) {
    reusable = error instanceof SheetError
    throw error
  } finally {
    // If the reader stops early, the thread is still reading and cannot be reused.
    await giveBack(thread, reusable)
  }
}
