/**
 * Customers with credits, a PIN and unpaid orders, which P3 pays. Written in bulk, in the same form as the services
 * write them.
 */
import { randomUUID } from 'node:crypto'
import { ledgerAccount, walletLedgerId } from '../server/src/domains/wallet/ledger/service.ts'
import { asAccountId } from '../server/src/http/caller.ts'
import { createTokens } from '../server/src/http/tokens.ts'
import { hmacSha256, keyRing } from '../server/src/lib/crypto.ts'
import type { BenchDatabase } from './database.ts'
import { benchSecret } from './server.ts'

export const benchPin = '274916'
export const orderTotalMinor = 2829
export const parcelsPerOrder = 3

const clearingId = ledgerAccount({ book: 'gateway_clearing', amountMinor: 0 }, 'MYR').id

export type Shopper = { token: string; accountId: string; userId: string; orderIds: string[] }

export const party = {
  contactName: 'Tan Mei Ling',
  company: null,
  phone: '+60123456789',
  email: 'mei@example.test',
  line1: '12, Jalan Bangsar',
  line2: null,
  postcode: '59100',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
  residential: true,
  remarks: null,
}

const price = {
  currency: 'MYR',
  weightGrams: 1200,
  volumetricGrams: 1200,
  chargeableGrams: 1500,
  divisor: 5000,
  rateCard: { code: 'STANDARD', version: 1 },
  originZone: 'KV',
  destinationZone: 'KV',
  lines: [
    { kind: 'freight', amountMinor: 800, basis: { steps: 2 } },
    { kind: 'fuel', amountMinor: 40, basis: { basisPoints: 500 } },
    { kind: 'service_charge', amountMinor: 50, basis: { type: 'fixed', value: 50 } },
    { kind: 'tax', amountMinor: 53, basis: { basisPoints: 600 } },
  ],
  totalMinor: 943,
}

const orderLines = [
  { kind: 'freight', amountMinor: 2400, basis: { parcels: 3, serviceCode: 'own.e_parcel.P2D' } },
  { kind: 'fuel', amountMinor: 120, basis: { parcels: 3 } },
  { kind: 'service_charge', amountMinor: 150, basis: { parcels: 3 } },
  { kind: 'tax', amountMinor: 159, basis: { parcels: 3 } },
]

/** Adds a customer with this many unpaid orders of three parcels. */
export async function newShopper(database: BenchDatabase, orders: number): Promise<Shopper> {
  const keys = keyRing(benchSecret)
  const accountId = asAccountId(randomUUID())
  const userId = randomUUID()
  const email = `${userId}@example.test`
  const salt = Buffer.alloc(16, 1)
  const mac = hmacSha256(keys.derive('wallet pins'), Buffer.concat([salt, Buffer.from(`${accountId}:${benchPin}`)]))
  await database.query("insert into accounts (id, user_type, name) values ($1, 'customer', 'Shopper')", [accountId])
  await database.query(
    "insert into users (id, kind, account_id, email, name, is_owner) values ($1, 'customer', $2, $3, 'Shopper', true)",
    [userId, accountId, email],
  )
  await database.query('insert into wallet_pins (account_id, salt, pin_mac, updated_by) values ($1, $2, $3, $4)', [
    accountId,
    salt,
    mac,
    userId,
  ])
  await database.query(
    `insert into ledger_accounts (id, kind, account_id, currency, guarded) values
       ($1, 'customer_wallet', $2, 'MYR', true), ($3, 'gateway_clearing', null, 'MYR', false) on conflict do nothing`,
    [walletLedgerId(accountId, 'MYR'), accountId, clearingId],
  )
  // Credits come from a ledger entry, so that the books can be verified afterwards.
  await database.query(
    `with entry as (insert into journal_entries (id, kind, account_id) values (gen_random_uuid(), 'topup', $2)
      returning id)
     insert into journal_postings (entry_id, line, ledger_account_id, account_id, amount_minor, currency)
     select entry.id, line, ledger, owner, amount, 'MYR' from entry, (values
       (0::smallint, $3::uuid, null::uuid, -1000000000::bigint), (1::smallint, $1::uuid, $2::uuid, 1000000000::bigint))
       as p(line, ledger, owner, amount)`,
    [walletLedgerId(accountId, 'MYR'), accountId, clearingId],
  )
  const rows = await database.query<{ id: string }>(
    `insert into orders (account_id, id, number, created_by, status, currency, total_minor, lines, parcel_count, buyer,
      expires_at)
     select $1, gen_random_uuid(), 'BENCH-' || left($2::text, 8) || '-' || n,
       $2::uuid, 'pending_payment', 'MYR', $3, $4::jsonb, $5,
       jsonb_build_object('name', 'Shopper', 'email', $6::text), now() + interval '1 day'
     from generate_series(1, $7::int) n returning id`,
    [accountId, userId, orderTotalMinor, JSON.stringify(orderLines), parcelsPerOrder, email, orders],
  )
  const orderIds = rows.map(({ id }) => id)
  await database.query(
    `insert into parcels (account_id, id, created_by, scope, service_type, service_code, delivery_mode, carrier,
       sender, receiver, content_type,
       weight_grams, length_mm, width_mm, height_mm, price, price_minor, currency, status, order_id)
     select $1, gen_random_uuid(), $2, 'domestic', 'e_parcel', 'own.e_parcel.P2D', 'P2D', 'own', $3::jsonb, $3::jsonb,
       'clothing',
       1200, 300, 200, 100, $4::jsonb, 943, 'MYR', 'incart', o from unnest($5::uuid[]) o, generate_series(1, $6::int)`,
    [accountId, userId, JSON.stringify(party), JSON.stringify(price), orderIds, parcelsPerOrder],
  )
  return { token: await signIn({ accountId, userId }), accountId, userId, orderIds }
}

/** A new access token of a shopper; tokens last ten minutes. */
export function signIn({ accountId, userId }: Pick<Shopper, 'accountId' | 'userId'>): Promise<string> {
  const tokens = createTokens(keyRing(benchSecret).derivations('access tokens'), { now: () => new Date() })
  return tokens.sign(
    {
      k: 'c',
      sub: userId,
      sid: randomUUID(),
      a: accountId,
      ut: 'customer',
      as: 'active',
      us: 'active',
      o: true,
      p: [],
    },
    { readAt: new Date() },
  )
}
