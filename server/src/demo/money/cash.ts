/** What riders have collected, one payout of it, and three days of the drawer in the Klang Valley. */
import { type CashPiece, cashPieces } from '@waybill/contract/payments/cash-desk'
import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'
import type { DB } from '../../db/schema.ts'
import { saveTrialBalance, trialLines } from '../../domains/wallet/ledger/queries-books.ts'
import { asAccountId } from '../../http/caller.ts'
import { days, hours, later, minutes } from '../../lib/clock.ts'
import { insertRows } from '../rows/insert-rows.ts'
import { idFor } from '../story/random.ts'
import { localDay, localMidnight } from '../story/time.ts'
import type { Booking } from './ledger.ts'

type Rows<T extends keyof DB> = Insertable<DB[T]>[]
type Given = {
  parcels: Rows<'parcels'>
  proofs: Rows<'parcel_proofs'>
  users: Rows<'users'>
  now: Date
  currency: string
}

/** Money that was taken at a door. */
type Taken = {
  accountId: string
  parcelId: string
  number: string | null
  amountMinor: number
  by: string
  stationId: string
  at: Date
}

type Cash = {
  proofs: Rows<'parcel_proofs'>
  collections: Rows<'cod_collections'>
  payouts: Rows<'cod_payouts'>
  drawers: Rows<'cash_drawers'>
  movements: Rows<'cash_movements'>
  bookings: Booking[]
}

const clerk = 'kl@waybill.example'
const paidOut = 'owner@kinabalu.example'
const floatMinor = 20_000

/** Worked out from the parcels whose recipients had to pay. */
export function tellCash(given: Given): Cash {
  const { proofs, users, now, currency } = given
  const userOf = (email: string) => users.find((user) => user.email === email)
  const teller = userOf(clerk)
  if (!teller?.station_id) throw new Error(`${clerk} has no station`)
  const taken = takenAtDoors(given)
  const byParcel = new Map(taken.map((each) => [each.parcelId, each]))
  const midnight = localMidnight(now)
  const till = tellDrawer({
    id: String(teller.id),
    stationId: String(teller.station_id),
    name: String(teller.name),
    taken: taken.filter(({ stationId }) => stationId === teller.station_id),
    midnight,
    now,
    currency,
  })
  const payout = tellPayout(taken, String(userOf(paidOut)?.account_id), {
    by: String(userOf('accounts@waybill.example')?.id),
    at: later(midnight, -days(16) + hours(10)),
    currency,
  })
  return {
    proofs: proofs.map((proof) => ({
      ...proof,
      cod_collected_minor: byParcel.get(String(proof.parcel_id))?.amountMinor ?? null,
    })),
    collections: taken.map((each) => {
      const handedIn = till.handedIn.get(each.parcelId)
      // At other stations, and before the drawer's first day, it went to the bank in the evening.
      const banked = each.at < later(midnight, -days(1)) && !till.kept.has(each.parcelId)
      return {
        account_id: each.accountId,
        parcel_id: each.parcelId,
        tracking_number: each.number,
        amount_minor: each.amountMinor,
        currency,
        station_id: each.stationId,
        collected_by: each.by,
        collected_at: each.at,
        handed_in_at: handedIn?.at ?? (banked ? later(each.at, hours(5)) : null),
        drawer_id: handedIn?.drawerId ?? null,
        payout_id: payout?.parcels.has(each.parcelId) ? payout.row.id : null,
      }
    }),
    payouts: payout ? [payout.row] : [],
    drawers: till.drawers,
    movements: till.movements,
    bookings: [
      ...taken.map(
        (each): Booking => ({
          name: `collected ${each.parcelId}`,
          at: each.at,
          kind: 'cod_collected',
          accountId: asAccountId(each.accountId),
          reference: each.number,
          actorId: each.by,
          currency,
          postings: [
            { book: 'station_cash', stationId: each.stationId, amountMinor: -each.amountMinor },
            { book: 'cod_payable', accountId: asAccountId(each.accountId), amountMinor: each.amountMinor },
          ],
        }),
      ),
      ...taken
        .filter(
          (each) =>
            each.at < later(midnight, -days(1)) && !till.handedIn.has(each.parcelId) && !till.kept.has(each.parcelId),
        )
        .map(
          (each): Booking => ({
            name: `banked ${each.parcelId}`,
            at: later(each.at, hours(5)),
            kind: 'cash',
            accountId: null,
            reference: each.number,
            actorId: each.by,
            currency,
            postings: [
              { book: 'station_cash', stationId: each.stationId, amountMinor: each.amountMinor },
              { book: 'bank', amountMinor: -each.amountMinor },
            ],
          }),
        ),
      ...till.bookings,
      ...(payout ? [payout.booking] : []),
    ],
  }
}

/** Every delivered parcel whose recipient had to pay, the oldest first. */
function takenAtDoors({ parcels: all, proofs: proven, users: people }: Given): Taken[] {
  const parcelOf = new Map(all.map((parcel) => [String(parcel.id), parcel]))
  const stationOf = new Map(people.map((user) => [String(user.id), user.station_id]))
  return proven
    .flatMap((proof) => {
      const parcel = parcelOf.get(String(proof.parcel_id))
      const stationId = stationOf.get(String(proof.actor_id))
      // What came back to its sender cost nobody anything.
      const paid = parcel?.cod_amount_minor && parcel.status === 'completed' && parcel.leg !== 'return'
      if (!paid || !stationId) return []
      return {
        accountId: String(parcel.account_id),
        parcelId: String(parcel.id),
        number: parcel.tracking_number ?? null,
        amountMinor: Number(parcel.cod_amount_minor),
        by: String(proof.actor_id),
        stationId: String(stationId),
        at: new Date(proof.at as Date),
      }
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime() || a.parcelId.localeCompare(b.parcelId))
}

/** All that one sender was owed some days ago, in one payout. */
function tellPayout(
  taken: readonly Taken[],
  accountId: string,
  { by, at, currency }: { by: string; at: Date; currency: string },
) {
  const own = taken.filter((each) => each.accountId === accountId && each.at < later(at, -hours(1)))
  if (own.length === 0) return null
  const minor = own.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const row = {
    account_id: accountId,
    id: idFor('payout 1', at),
    number: 'COD-00000001',
    currency,
    parcel_count: own.length,
    collected_minor: minor,
    fee_minor: 0,
    created_by: by,
    created_at: at,
  }
  const booking: Booking = {
    name: 'payout 1',
    at,
    kind: 'cod_payout',
    accountId: asAccountId(accountId),
    reference: row.number,
    actorId: by,
    currency,
    postings: [
      { book: 'cod_payable', accountId: asAccountId(accountId), amountMinor: -minor },
      { book: 'customer_wallet', accountId: asAccountId(accountId), amountMinor: minor },
    ],
  }
  return { row, booking, parcels: new Set(own.map(({ parcelId }) => parcelId)) }
}

type Teller = {
  id: string
  stationId: string
  name: string
  taken: readonly Taken[]
  midnight: Date
  now: Date
  currency: string
}

/**
 * Two days that are closed, the second a little short, and today's, which is open. The rider's last two collections are
 * handed in there; the newest one is not yet.
 */
function tellDrawer({ id: by, stationId, name, taken, midnight, now, currency }: Teller) {
  const drawers: Rows<'cash_drawers'> = []
  const movements: Rows<'cash_movements'> = []
  const bookings: Booking[] = []
  const [second, first, newest] = [taken.at(-2), taken.at(-3), taken.at(-1)]
  const handedIn = new Map<string, { at: Date; drawerId: string }>()
  const kept = new Set(newest ? [newest.parcelId] : [])
  const openedToday = new Date(Math.max(midnight.getTime() + minutes(1), now.getTime() - hours(3)))
  const minutesToday = (now.getTime() - openedToday.getTime()) / 60_000
  const nine = (daysAgo: number) => later(midnight, -days(daysAgo) + hours(9))
  const story = [
    {
      openedAt: nine(2),
      hours: 9,
      cod: first,
      moves: [['cash_out', -1250, 'Packing tape'] as const],
      toBank: true,
      short: 0,
    },
    {
      openedAt: nine(1),
      hours: 9,
      cod: second,
      moves: [['cash_in', 500, 'Tape given back to the shop'] as const],
      toBank: true,
      short: 200,
    },
    {
      openedAt: openedToday,
      hours: minutesToday / 60,
      cod: undefined,
      moves: [['cash_out', -880, 'Water for the counter'] as const],
      toBank: false,
      short: 0,
    },
  ]
  let carried = 0
  for (const [n, day] of story.entries()) {
    const drawerId = idFor(`drawer ${n}`, day.openedAt)
    const float = n === 0 ? floatMinor : carried
    let balance = float
    let step = 0
    const moment = () => {
      step += 1
      return later(day.openedAt, (hours(day.hours) * step) / 8)
    }
    const cash = (
      label: string,
      at: Date,
      amountMinor: number,
      book: 'bank' | 'petty_cash' | 'cash_difference',
      reference: string | null,
    ) =>
      bookings.push({
        name: `cash ${n} ${label}`,
        at,
        kind: book === 'cash_difference' ? 'adjustment' : 'cash',
        accountId: null,
        reference,
        actorId: by,
        currency,
        postings: [
          { book: 'station_cash', stationId, amountMinor: -amountMinor },
          { book, amountMinor },
        ],
      })
    const move = (kind: string, amountMinor: number, words: { reference?: string; reason?: string }) => {
      const at = moment()
      balance += amountMinor
      movements.push({
        drawer_id: drawerId,
        id: idFor(`cash movement ${n} ${step}`, at),
        kind,
        amount_minor: amountMinor,
        balance_after_minor: balance,
        reference: words.reference ?? null,
        reason: words.reason ?? null,
        created_by: by,
        created_at: at,
      })
      return at
    }
    if (n === 0) cash('float', day.openedAt, float, 'bank', null)
    for (const [kind, amountMinor, reason] of day.moves)
      cash(kind, move(kind, amountMinor, { reason }), amountMinor, 'petty_cash', reason)
    // A collection of an earlier day than its hand-in: the rider came late.
    if (day.cod && day.cod.at < later(day.openedAt, hours(1))) {
      const at = move('hand_in', day.cod.amountMinor, { reference: name })
      handedIn.set(day.cod.parcelId, { at, drawerId })
    }
    if (day.toBank && balance > floatMinor) {
      const surplus = balance - floatMinor
      const slip = `MBB ${48_210 + n * 37}`
      cash('bank', move('bank', -surplus, { reason: slip }), -surplus, 'bank', slip)
    }
    const counted = balance - day.short
    const closed = n < 2
    const closedAt = later(day.openedAt, hours(9.5))
    const reason = day.short === 0 ? null : 'Two ringgit too much change given back'
    if (closed && day.short !== 0) cash('difference', closedAt, -day.short, 'cash_difference', reason)
    const pieces = piecesFor(counted, currency)
    drawers.push({
      id: drawerId,
      station_id: stationId,
      day: localDay(day.openedAt),
      currency,
      carried_minor: carried,
      float_minor: float,
      balance_minor: balance,
      float_reason: null,
      opened_by: by,
      opened_at: day.openedAt,
      counted_minor: closed ? counted : null,
      pieces: closed ? (pieces as never) : null,
      difference_minor: closed ? -day.short : null,
      reason: closed ? reason : null,
      closed_by: closed ? by : null,
      closed_at: closed ? closedAt : null,
      version: 1 + step + (closed ? 1 : 0),
    })
    carried = counted
  }
  return { drawers, movements, bookings, handedIn, kept }
}

/** Notes and coins for a sum, the largest first; null where there is none small enough. */
function piecesFor(minor: number, currency: string): CashPiece[] | null {
  let left = minor
  const pieces = cashPieces(currency).flatMap((valueMinor) => {
    const count = Math.floor(left / valueMinor)
    left -= count * valueMinor
    return count > 0 ? { valueMinor, count } : []
  })
  return left === 0 ? pieces : null
}

/** Writes what `tellCash` told, but for its proofs and bookings. */
export async function seedCash(trx: Tx, cash: Cash): Promise<void> {
  await insertRows(trx, 'cod_collections', cash.collections)
  await insertRows(trx, 'cod_payouts', cash.payouts)
  await insertRows(trx, 'cash_drawers', cash.drawers)
  await insertRows(trx, 'cash_movements', cash.movements)
  if (cash.payouts.length > 0) await sql`select setval('cod_payout_serial', ${cash.payouts.length})`.execute(trx)
}

/** What the last nights have found: the books in balance. */
export async function seedTrialBalances(trx: Tx, now: Date, timeZone: string): Promise<void> {
  for (const ago of [3, 2, 1]) {
    const day = localDay(later(now, -days(ago)))
    const checkedAt = later(localMidnight(later(now, -days(ago - 1))), minutes(1))
    const lines = await trialLines(trx, { day, timeZone })
    await saveTrialBalance(trx, { day, checked_at: checkedAt, lines, problems: [] })
  }
}
