/** Idempotency keys: the same request with the same key gets the first response again. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { deleteOldRows } from '../db/batches.ts'
import type { DbOrTx } from '../db/pool.ts'
import { runWrites, type Write } from '../db/writes.ts'
import type { Deps } from '../deps.ts'
import { hours, later } from '../lib/clock.ts'
import { hmacSha256, seal, unsealWithAny } from '../lib/crypto.ts'
import { AppError, validationError } from './errors.ts'

type StoredResponse = { response: unknown }

/** A row of `idempotency_keys`. */
export type KeyedResponse = {
  caller_id: string
  key: string
  endpoint: string
  request_hash: string
  response: unknown
}

export type Idempotency = {
  stored: StoredResponse | null
  /**
   * Adds the content of a form, once it has been read, to the hashes that identify the request. Returns the stored
   * response, or null.
   */
  ofForm(form: { fields: unknown; file: { name: string; bytes: Buffer } | null }): Promise<StoredResponse | null>
  /**
   * Stores the response under the caller's Idempotency-Key. The service calls it in the transaction of its work, so
   * that either both are committed or neither. Without a key it does nothing.
   */
  keep(trx: DbOrTx, response: unknown): Promise<void>
  /** The response with its key, for a statement that also writes other things (`keyedResponsesWrite`). */
  toKeyedResponse(response: unknown): KeyedResponse | null
  /** Runs the work. If a concurrent request with the same key finished first, returns its response. */
  guard<T>(work: () => Promise<T>): Promise<T>
}

/** For a call without a key: nothing is stored. */
export const withoutKey: Idempotency = {
  stored: null,
  ofForm: async () => null,
  keep: async () => {},
  toKeyedResponse: () => null,
  guard: (work) => work(),
}

/** The form of an Idempotency-Key. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{8,128}$/

/**
 * Hashes that identify a request. They are keyed, because a body may contain a PIN: a plain hash would reveal it to
 * anybody who reads the table and tries a million PINs.
 */
function computeHashes(deps: Deps, request: readonly unknown[], file: Buffer | string = ''): Hashes {
  const json = JSON.stringify(request)
  const keys = deps.keys.derivations('idempotency')
  return keys.map((key) => hmacSha256(key, json, file).toString('base64url')) as Hashes
}

/** The first hash uses the current key and is stored. The others use previous keys and may have been stored. */
type Hashes = [string, ...string[]]

/** Derives the key that encrypts stored responses with a secret (`showsSecret`). */
const sealPurpose = 'idempotency responses'

/** A wrong PIN is reported even if the key has a response. */
const pinErrors: ReadonlySet<string> = new Set(['pin_wrong', 'pin_locked', 'pin_not_set'])

async function find(
  db: DbOrTx,
  callerId: string,
  key: string,
  endpoint: string,
  hashes: Hashes,
): Promise<StoredResponse | null> {
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
 * Looks the key up before the handler runs. With `provenByWrite` it is looked up only if the work fails; that suits
 * work whose single transaction also stores the response. Calls with a PIN need `provenByWrite`: a lookup before the
 * PIN check would distinguish right PINs from wrong ones without counting attempts. The same key with another body or
 * call is a 409.
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
  if (key === undefined || !idempotencyKeyPattern.test(key))
    throw validationError({ field: 'Idempotency-Key', rule: 'pattern' })
  const callerId = request.caller.kind === 'customer' ? request.caller.accountId : request.caller.userId
  const form = request.isMultipart()
  let hashes = computeHashes(deps, [request.params, request.body])
  const toKeyedResponse = (response: unknown): KeyedResponse => ({
    caller_id: callerId,
    key,
    endpoint: endpoint.id,
    request_hash: hashes[0],
    response: endpoint.showsSecret ? seal(deps.keys.derive(sealPurpose), JSON.stringify(response)) : response,
  })
  const findStored = async (): Promise<StoredResponse | null> => {
    const answer = await find(deps.db, callerId, key, endpoint.id, hashes)
    if (!answer || !endpoint.showsSecret) return answer
    return { response: JSON.parse(unsealWithAny(deps.keys.derivations(sealPurpose), answer.response as string)) }
  }
  return {
    // A form is hashed later, once it has been read.
    stored: form || provenByWrite ? null : await findStored(),
    async ofForm({ fields, file }) {
      hashes = computeHashes(deps, [request.params, fields, file?.name], file?.bytes)
      return findStored()
    },
    async keep(trx, response) {
      await runWrites(trx, [keyedResponsesWrite([toKeyedResponse(response)])])
    },
    toKeyedResponse,
    async guard<T>(work: () => Promise<T>) {
      try {
        return await work()
      } catch (error) {
        // A concurrent request may have finished first. Then it has stored its response, and may have left nothing to
        // do (the cart is empty, the order is paid).
        const isKeyTaken = (error as { constraint?: unknown }).constraint === 'idempotency_keys_pkey'
        const isRefused = error instanceof AppError && !pinErrors.has(error.code)
        const first = isKeyTaken || isRefused ? await findStored() : null
        if (!first) throw error
        return first.response as T
      }
    },
  }
}

/** Stores responses under their keys; null has none. A key that exists already fails the statement. */
export function keyedResponsesWrite(responses: readonly (KeyedResponse | null)[]): Write {
  const keyedResponses = responses.filter((response) => response !== null)
  const ctes = sql`
    kept as (
      insert into idempotency_keys (caller_id, key, endpoint, request_hash, response)
      select caller_id, key, endpoint, request_hash, response
      from json_to_recordset(${JSON.stringify(keyedResponses)}::json) as t(
        caller_id uuid, key text, endpoint text, request_hash text, response jsonb)
      returning 1
    )`
  return {
    ctes,
    cte: 'kept',
    expected: keyedResponses.length,
    refused: () => new Error('the response was not stored under its key'),
  }
}

/** Deletes keys after a day (docs/rules/conventions.md). */
export async function deleteOldKeys(db: DbOrTx, now: Date): Promise<void> {
  await deleteOldRows(db, 'idempotency_keys', 'created_at', later(now, -hours(24)))
}
