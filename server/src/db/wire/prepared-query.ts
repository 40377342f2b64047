/** A query of a prepared statement that does not request the columns of its result again. */
import pg from 'pg'

/** Parts of pg's connection that its type declarations omit. */
export type WireConnection = {
  parse(message: { text: string }): void
  bind(message: object): void
  describe(message: object): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
}

export type Callback = (error: Error | null, result: pg.QueryResult) => void
/** What pg's result makes of a description of columns: their names, parsers, and a row without values. */
type Columns = { fields: readonly object[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown }

/** Parts of pg's query that its type declarations omit. */
type WireQuery = pg.Submittable & {
  name: string | undefined
  queryMode: 'extended' | undefined
  _result: Columns
  _accumulateRows: boolean
  hasBeenParsed(connection: WireConnection): boolean
  prepare(connection: WireConnection): void
  handleRowDescription(message: object): void
  handleCommandComplete(message: unknown, connection: WireConnection): void
  handleError(error: Error, connection: WireConnection): void
}
const WireQuery = pg.Query as unknown as new (text: string, values: unknown, callback: Callback) => WireQuery

/** The columns of the statements that are prepared on a connection, by name. */
const columnsByConnection = new WeakMap<WireConnection, Map<string, Columns>>()

function findColumns(connection: WireConnection): Map<string, Columns> {
  const columns = columnsByConnection.get(connection) ?? new Map<string, Columns>()
  columnsByConnection.set(connection, columns)
  return columns
}

/** Forgets the columns of a statement that has left the connection. */
export function forgetColumns(connection: WireConnection, name: string): void {
  columnsByConnection.get(connection)?.delete(name)
}

const skipDescribe = () => undefined

/**
 * Requests the columns of a statement only at its first execution on a connection. PostgreSQL rejects a prepared
 * statement whose columns a migration has changed, so they stay valid (docs/decisions/0099-columns-are-read-once.md).
 */
export class PreparedQuery extends WireQuery {
  /** Stores the columns of this statement, unless they are known. */
  #remember: ((columns: Columns) => void) | null = null

  constructor({ text, values, name }: pg.QueryConfig, callback: Callback) {
    // Not the configuration itself, which pg would copy by its property descriptors.
    super(text, values, callback)
    this.name = name
  }

  override prepare(connection: WireConnection): void {
    const { name } = this
    const columnsByName = findColumns(connection)
    const columns = name !== undefined && this.hasBeenParsed(connection) ? columnsByName.get(name) : undefined
    if (!columns) {
      if (name !== undefined) this.#remember = (newColumns) => columnsByName.set(name, newColumns)
      super.prepare(connection)
      return
    }
    Object.assign(this._result, columns)
    this._accumulateRows = true
    const { describe } = connection
    connection.describe = skipDescribe
    super.prepare(connection)
    connection.describe = describe
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#remember?.({ fields, _parsers, _prebuiltEmptyResultObject })
  }
}
