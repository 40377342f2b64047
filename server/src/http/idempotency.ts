import { createHmac } from 'node:crypto'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { DbOrTx } from '../db/pool.ts'
import { runWrites, type Write } from '../db/steps.ts'
import type { Deps } from '../deps.ts'
import { hours, later } from '../lib/clock.ts'
import { AppError, validationError } from './errors.ts'

type Stored = { response: unknown }

export type Idempotency = {
  stored: Stored | null
  /**
   * Says what a form holds, once it has been read: only then it is known whether it is the same request again. Null: it
   * is not.
   */
  ofForm(form: { fields: unknown; file: { name: string; bytes: Buffer } | null }): Promise<Stored | null>
  /**
   * Keeps the answer under the caller's Idempotency-Key. Called by the service in the transaction of its work, so that
   * key and work are wholly there or wholly not, whenever the process dies. Without a key it does nothing.
   */
  keep(trx: DbOrTx, response: unknown): Promise<void>
  /** `keep` as a step of one statement with the work's own writes; null without a key. */
  keepStep(response: unknown): Write | null
  /** Runs the work; when another request with the same key was faster, gives that one's answer. */
  guard<T>(work: () => Promise<T>): Promise<T>
}

/** For a call that comes without a key: nothing is kept. */
export const withoutKey: Idempotency = {
  stored: null,
  ofForm: async () => null,
  keep: async () => {},
  keepStep: () => null,
  guard: (work) => work(),
}

const keyPattern = /^[\x21-\x7e]{8,128}$/

/**
 * What the rows keep of a request, to know it again. Keyed: a body may hold a PIN, which an unkeyed hash would give
 * away to whoever reads the table and tries a million of them.
 */
function hashesOf(deps: Deps, request: readonly unknown[], file: Buffer | null = null): Hashes {
  const json = JSON.stringify(request)
  const hashes = deps.keys.derivations('idempotency').map((key) =>
    createHmac('sha256', key)
      .update(json)
      .update(file ?? '')
      .digest('base64url'),
  )
  return hashes as Hashes
}

/** With the present key, which is kept, and with those of before, which may have been kept. */
type Hashes = [string, ...string[]]

/** A wrong PIN is no work that a twin has done already: it is answered as such, whatever the key holds. */
const pinErrors: ReadonlySet<string> = new Set(['pin_wrong', 'pin_locked', 'pin_not_set'])

async function find(
  db: DbOrTx,
  callerId: string,
  key: string,
  endpoint: string,
  hashes: Hashes,
): Promise<Stored | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['endpoint', 'request_hash', 'response'])
    .where('caller_id', '=', callerId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row) return null
  if (row.endpoint !== endpoint || !hashes.includes(row.request_hash)) throw new AppError('idempotency_conflict')
  return { response: row.response }
}

/**
 * Looks the key up before the handler runs; `provenByWrite`: only when the work could not be done, for work that keeps
 * its answer in the one transaction that is all it does. Calls that take a PIN need it: a key that is looked up first
 * would tell right PINs from wrong ones, and count none. The same key with another body, or for another call, is a 409.
 */
export async function openIdempotency(
  deps: Deps,
  endpoint: EndpointShape,
  request: FastifyRequest,
  { provenByWrite = false }: { provenByWrite?: boolean } = {},
): Promise<Idempotency> {
  const header = request.headers['idempotency-key']
  if (!endpoint.idempotent || header === undefined || request.caller.kind === 'visitor') return withoutKey
  const key = Array.isArray(header) ? header[0] : header
  if (key === undefined || !keyPattern.test(key)) throw validationError({ field: 'Idempotency-Key', rule: 'pattern' })
  const callerId = request.caller.kind === 'customer' ? request.caller.accountId : request.caller.userId
  const form = request.isMultipart()
  let hashes = hashesOf(deps, [request.params, request.body])
  const keepStep = (response: unknown): Write => ({
    ctes: sql`kept as (
        insert into idempotency_keys (caller_id, key, endpoint, request_hash, response)
        values (
          ${callerId}::uuid, ${key}::text, ${endpoint.id}::text, ${hashes[0]}::text,
          ${JSON.stringify(response)}::jsonb
        )
        returning 1
      )`,
    counted: 'kept',
    expected: 1,
    refused: () => new Error('the answer was not kept under its key'),
  })
  return {
    // A form has not been read yet, and is hashed when it has.
    stored: form || provenByWrite ? null : await find(deps.db, callerId, key, endpoint.id, hashes),
    async ofForm({ fields, file }) {
      hashes = hashesOf(deps, [request.params, fields, file?.name], file?.bytes)
      return find(deps.db, callerId, key, endpoint.id, hashes)
    },
    async keep(trx, response) {
      await runWrites(trx, [keepStep(response)])
    },
    keepStep,
    async guard(work) {
      try {
        return await work()
      } catch (error) {
        if ((error as { constraint?: unknown }).constraint !== 'idempotency_keys_pkey') {
          // The twin may have finished first and left nothing for this one to do (the cart is empty, the order paid):
          // its answer counts.
          if (!(error instanceof AppError) || pinErrors.has(error.code)) throw error
          const won = await find(deps.db, callerId, key, endpoint.id, hashes)
          if (!won) throw error
          return won.response as never
        }
        const won = await find(deps.db, callerId, key, endpoint.id, hashes)
        if (!won) throw error
        return won.response as never
      }
    },
  }
}

/** Answers are given again for a day (docs/rules/conventions.md). */
export async function deleteOldKeys(db: DbOrTx, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', later(now, -hours(24)))
    .execute()
}
