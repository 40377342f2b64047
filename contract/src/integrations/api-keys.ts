/** API keys, with which the customer's programs call the API. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { apiScopeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, integer, nameText, ok, pin } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'

export const apiKeyStatuses = ['active', 'expired', 'revoked'] as const

export const apiKey = z.object({
  id,
  name: z.string(),
  /** The visible beginning of the key, by which people recognise it. */
  prefix: z.string(),
  scopes: z.array(z.enum(labelValues(apiScopeLabels))),
  status: z.enum(apiKeyStatuses),
  /** The maximum amount that the key may pay per day; null: it may not pay. */
  dailyLimitMinor: z.nullable(z.number()),
  currency,
  createdBy: z.nullable(z.string()),
  createdAt: instant,
  expiresAt: z.nullable(instant),
  /** To the minute; null: never used. */
  lastUsedAt: z.nullable(instant),
  revokedAt: z.nullable(instant),
})
export type ApiKey = z.output<typeof apiKey>

/** The maximum number of an account's keys that are neither revoked nor expired. */
export const maxApiKeys = 50

export const newApiKey = z.object({
  name: nameText(80),
  scopes: z.array(z.enum(labelValues(apiScopeLabels))).check(z.minLength(1), z.maxLength(20)),
  expiresAt: z._default(z.nullable(instant), null),
  /** Required with the scope `payments`: a program pays without a PIN, so the limit protects the wallet. */
  dailyLimitMinor: z._default(z.nullable(integer(1, 1_000_000_000_00)), null),
  pin: z.optional(pin),
})

export const listApiKeys = endpoint({
  id: 'apiKeys.list',
  method: 'GET',
  path: '/api/customer/api-keys',
  access: 'account.owner',
  summary: 'The API keys of the account, newest first, without their secrets',
  response: z.object({ items: z.array(apiKey), currency }),
})

export const createApiKey = endpoint({
  id: 'apiKeys.create',
  method: 'POST',
  path: '/api/customer/api-keys',
  access: 'account.owner',
  summary: 'A new API key. The answer contains the key itself, which is never shown again',
  body: newApiKey,
  response: z.object({ apiKey, secret: z.string() }),
  idempotent: true,
  showsSecret: true,
})

export const revokeApiKey = endpoint({
  id: 'apiKeys.revoke',
  method: 'DELETE',
  path: '/api/customer/api-keys/:id',
  access: 'account.owner',
  summary: 'Revokes an API key: its next call is refused, in every process',
  params: idParams,
  response: ok,
})
