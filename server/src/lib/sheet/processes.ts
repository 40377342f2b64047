/**
 * Reads uploaded spreadsheets in child processes with a memory limit and a deadline. A hostile file can only crash a
 * child, never the server, whose event loop stays free. Threads are not enough: Node aborts the whole process when it
 * ends a thread that is just starting to inflate.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { SheetError, type SheetFault } from './error.ts'
import type { HeaderNames, ReadLimits, ReadRow } from './row.ts'

export type SheetFormat = 'xlsx' | 'csv'

/** The limits of reading a file in a child process. */
export type ProcessLimits = ReadLimits & {
  /** Milliseconds of waiting for the child, all portions together. */
  deadline: number
}

export type SheetRequest =
  | { kind: 'inspect'; bytes: Uint8Array; limits: ReadLimits }
  /** `credit`: how many portions may be sent before the first `more`. */
  | {
      kind: 'read'
      format: SheetFormat | 'json'
      bytes: Uint8Array
      limits: ReadLimits
      headers: HeaderNames | null
      credit: number
    }
  | { kind: 'more' }

export type SheetReply =
  | { kind: 'format'; format: SheetFormat }
  | { kind: 'rows'; rows: ReadRow[] }
  | { kind: 'end' }
  | { kind: 'fault'; fault: SheetFault; vars: Record<string, string | number> }
  | { kind: 'error'; text: string }

/** Children per server process: two hostile files at once must not take every processor. */
const maxChildren = 2

/** Four times what a file of 10,000 rows needs. The inflated size limits the memory outside V8's heap. */
const heapMb = 224

/** How long an idle child is kept: starting one costs as much as reading a thousand rows. */
const idleMs = 60_000

/** Portions in flight: one is used while the next is read. */
const portionsAhead = 2

class SheetChild {
  readonly #process: ChildProcess
  readonly #replies: SheetReply[] = []
  #dead: Error | null = null
  #exitCode: number | null = null
  #wake: (() => void) | null = null
  #idle: NodeJS.Timeout | undefined

  constructor() {
    this.#process = fork(new URL('./child.ts', import.meta.url), {
      execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=16'],
      serialization: 'advanced',
      // Running out of memory prints a long trace. The reason reaches the uploader and the log as `too_heavy`.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // The server's environment contains secrets.
      env: {},
    })
    this.#process.on('message', (reply: SheetReply) => {
      this.#replies.push(reply)
      this.#wake?.()
    })
    this.#process.on('error', (error) => {
      this.#exitCode ??= 1
      this.#die(error)
    })
    this.#process.on('exit', (code) => {
      this.#exitCode = code
      this.#die(new Error(`The process that reads spreadsheets has ended with ${code ?? 'a signal'}.`))
    })
  }

  get dead(): boolean {
    return this.#dead !== null
  }

  send(request: SheetRequest): void {
    // `reply` notices a child that has just died.
    if (this.#process.connected) this.#process.send(request, () => {})
  }

  /** The next reply. Throws SheetError: the fault of the file, or `too_heavy` if it takes too much time or memory. */
  async reply(waitMs: number): Promise<SheetReply> {
    if (this.#replies.length === 0 && !this.#dead) await this.#waitForReply(waitMs)
    const reply = this.#replies.shift()
    if (!reply) {
      const died = this.#dead
      // V8 aborts a process that is out of memory, with a signal or its exit code 134.
      const aborted = this.#exitCode === null || this.#exitCode === 134
      await this.end()
      if (died && !aborted) throw died
      throw new SheetError('too_heavy')
    }
    if (reply.kind === 'fault') throw new SheetError(reply.fault, reply.vars)
    if (reply.kind === 'error') throw new Error(reply.text)
    return reply
  }

  /** Keeps the idle child for a while, then calls `onEnd`. */
  rest(onEnd: () => void): void {
    // An idle child must not keep the server alive.
    this.#process.unref()
    this.#process.channel?.unref()
    this.#idle = setTimeout(() => {
      onEnd()
      void this.end()
    }, idleMs)
    this.#idle.unref()
  }

  wakeUp(): void {
    clearTimeout(this.#idle)
    this.#process.ref()
    this.#process.channel?.ref()
  }

  async end(): Promise<void> {
    this.#dead ??= new Error('The process that reads spreadsheets was ended.')
    const { pid, exitCode, signalCode } = this.#process
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const exit = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await exit
  }

  #die(error: Error): void {
    this.#dead ??= error
    this.#wake?.()
  }

  /** Waits for a reply, for the end of the child, or for the time limit. */
  async #waitForReply(waitMs: number): Promise<void> {
    // A timer of zero milliseconds would still let a quick child reply after the deadline.
    if (waitMs <= 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, waitMs)
    await promise
    clearTimeout(timer)
    this.#wake = null
  }
}

const resting: SheetChild[] = []
const queue: (() => void)[] = []
let atWork = 0

/** A child for one file, once one is free. */
async function takeChild(): Promise<SheetChild> {
  if (atWork >= maxChildren) await new Promise<void>((resolve) => queue.push(resolve))
  else atWork++
  const idle = resting.pop()
  idle?.wakeUp()
  if (idle && !idle.dead) return idle
  try {
    return new SheetChild()
  } catch (error) {
    passTurn()
    throw error
  }
}

/** The longest waiting caller gets the free slot. */
function passTurn(): void {
  const next = queue.shift()
  if (next) next()
  else atWork--
}

/** `reusable`: the child has finished the file. */
async function giveBack(child: SheetChild, reusable: boolean): Promise<void> {
  if (reusable && !child.dead) {
    resting.push(child)
    child.rest(() => resting.splice(resting.indexOf(child), 1))
  } else await child.end()
  passTurn()
}

/** `inspectSheet` in a child. Throws SheetError. */
export async function inspectInProcess(
  bytes: Uint8Array,
  { deadline, ...limits }: ProcessLimits,
): Promise<SheetFormat> {
  const child = await takeChild()
  let reusable = false
  try {
    child.send({ kind: 'inspect', bytes, limits })
    const reply = await child.reply(deadline)
    if (reply.kind !== 'format') throw new Error(`The process that reads spreadsheets answered ${reply.kind}.`)
    reusable = true
    return reply.format
  } catch (error) {
    reusable = error instanceof SheetError
    throw error
  } finally {
    await giveBack(child, reusable)
  }
}

/** `readSheet` in a child process; `json` is an array of arrays of text. Throws SheetError. */
export async function* readInProcess(
  bytes: Uint8Array,
  format: SheetFormat | 'json',
  { deadline, ...limits }: ProcessLimits,
  headers: HeaderNames | null = null,
): AsyncGenerator<ReadRow> {
  const child = await takeChild()
  let reusable = false
  let msLeft = deadline
  try {
    child.send({ kind: 'read', format, bytes, limits, headers, credit: portionsAhead })
    for (;;) {
      const begin = performance.now()
      const reply = await child.reply(msLeft)
      msLeft -= performance.now() - begin
      if (reply.kind === 'end') break
      if (reply.kind !== 'rows') throw new Error(`The process that reads spreadsheets answered ${reply.kind}.`)
      yield* reply.rows
      child.send({ kind: 'more' })
    }
    reusable = true
  } catch (error) {
    reusable = error instanceof SheetError
    throw error
  } finally {
    // If the reader stops early, the child is still reading and cannot be reused.
    await giveBack(child, reusable)
  }
}
