/** Limits how many connections work at the same time (docs/decisions/0089-few-connections-work-at-once.md). */
import { availableParallelism } from 'node:os'
import pg from 'pg'

/** How many connections of a pool work at once. More of them slow each other down (decision 89). */
export const connectionsAtOnce = Math.max(6, 3 * availableParallelism())
/** Work that takes longer waits for something else than the processor, and no longer counts. */
const longestTurnMs = 50

/** Ends a turn. Further calls have no effect. */
export type EndTurn = () => void

/** A queue for `limit` turns, first in, first out. A turn that lasts longer than `longestMs` no longer counts. */
export class Turns {
  readonly #longestMs: number
  readonly #waiting: ((end: EndTurn) => void)[] = []
  #free: number

  constructor(limit: number, longestMs: number) {
    this.#free = limit
    this.#longestMs = longestMs
  }

  /** A free turn, or a promise of the next one. The caller must end it. */
  take(): EndTurn | Promise<EndTurn> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free -= 1
    return this.#begin()
  }

  #begin(): EndTurn {
    let hasEnded = false
    const end = () => {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      const next = this.#waiting.shift()
      if (next) next(this.#begin())
      else this.#free += 1
    }
    const timer = setTimeout(end, this.#longestMs)
    timer.unref()
    return end
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/** A pool that opens further connections only while those in use are slow, for example because of a locked row. */
export class PoolWithTurns extends pg.Pool {
  readonly #turns = new Turns(connectionsAtOnce, longestTurnMs)

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const turn = this.#turns.take()
    const connecting =
      turn instanceof Promise ? turn.then((end) => this.#connectInTurn(end)) : this.#connectInTurn(turn)
    if (!callback) return connecting
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    )
    return undefined
  }

  async #connectInTurn(endTurn: EndTurn): Promise<pg.PoolClient> {
    try {
      const client = await super.connect()
      const { release } = client
      client.release = (error) => {
        endTurn()
        release(error)
      }
      return client
    } catch (error) {
      endTurn()
      throw error
    }
  }
}
