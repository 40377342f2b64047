/** The first and the last statement of a transaction, sent in one message group with `begin` and `commit`. */
import type pg from 'pg'
import { type Callback, PreparedQuery, type WireConnection } from './prepared-query.ts'

/** How the text of a transaction's last statement begins, which `runLastWrites` marks. */
export const lastStatementMark = '/* and commit */'

function sendCommand(connection: WireConnection, text: 'begin' | 'commit'): void {
  connection.parse({ text })
  connection.bind({})
  connection.execute({})
}

/**
 * A query that is sent with `begin` before it, `commit` after it, or both. All messages precede one Sync, so PostgreSQL
 * skips the rest after an error: it neither runs the statement outside a transaction nor commits one that failed.
 */
export class EdgeQuery extends PreparedQuery {
  readonly #edge: { begin: boolean; commit: boolean }
  /** The name until `begin` is complete, whose ParseComplete must not count for this statement. */
  #hidden: { name: string | undefined } | null = null
  #completed = false

  constructor(config: pg.QueryConfig, edge: { begin: boolean; commit: boolean }, callback: Callback) {
    super(config, callback)
    this.queryMode = 'extended'
    this.#edge = edge
  }

  override prepare(connection: WireConnection): void {
    if (this.#edge.begin) sendCommand(connection, 'begin')
    super.prepare(connection)
    if (!this.#edge.begin) return
    this.#hidden = { name: this.name }
    this.name = undefined
  }

  /** Called by pg at the end of `prepare`. */
  _getRows(connection: WireConnection): void {
    connection.execute({})
    if (this.#edge.commit) sendCommand(connection, 'commit')
    connection.sync()
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#hidden) {
      this.name = this.#hidden.name
      this.#hidden = null
      return
    }
    // The second one is that of `commit`.
    if (this.#completed) return
    this.#completed = true
    super.handleCommandComplete(message, connection)
  }

  override handleError(error: Error, connection: WireConnection): void {
    if (this.#hidden?.name !== undefined) delete connection.submittedNamedStatements[this.#hidden.name]
    super.handleError(error, connection)
  }
}
