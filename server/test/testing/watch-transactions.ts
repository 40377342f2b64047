/**
 * Fails a test file if the server takes a second connection from the pool inside a transaction. With as many such
 * transactions as connections, each would wait for the others until it times out (decision 89).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBuilder } from 'kysely'
import pg from 'pg'

type Transaction = { isOpen: boolean }
type Work = Parameters<TransactionBuilder<unknown>['execute']>[0]

const transactions = new AsyncLocalStorage<Transaction>()
const violations = new Set<string>()

/** The frames of a stack that are in the server or its tests, the innermost first. */
const serverFrames = (stack = '') =>
  stack.split('\n').filter((line) => /\/server\/(src|test)\//.test(line) && !line.includes(import.meta.filename))

/** A test may hold a transaction open around requests, to make them wait. */
function isOfTest(): boolean {
  const [caller] = serverFrames(new Error().stack).filter((line) => !line.includes('/src/db/pool.ts'))
  return caller === undefined || caller.includes('/server/test/')
}

const { execute } = TransactionBuilder.prototype
TransactionBuilder.prototype.execute = function executeWatched(this: TransactionBuilder<unknown>, work: Work) {
  if (isOfTest()) return execute.call(this, work)
  const transaction: Transaction = { isOpen: true }
  const watchedWork: Work = (trx) => transactions.run(transaction, () => work(trx))
  return execute.call(this, watchedWork).finally(() => {
    transaction.isOpen = false
  })
} as typeof execute

const { connect } = pg.Pool.prototype
pg.Pool.prototype.connect = function connectWatched(this: pg.Pool, ...parameters: unknown[]) {
  // The caches' own connection is never held by a transaction.
  if (transactions.getStore()?.isOpen && this.options.application_name !== 'waybill caches') {
    violations.add(serverFrames(new Error().stack).slice(0, 6).join('\n'))
  }
  return Reflect.apply(connect, this, parameters)
} as typeof connect

/** Throws if a transaction took a second connection since the last call. */
export function requireOneConnection(): void {
  const stacks = [...violations]
  violations.clear()
  if (stacks.length > 0) throw new Error(`a transaction took a second connection:\n${stacks.join('\n\n')}`)
}
