/** Finance and the counters: statements, receipts, payouts, drawers, trial balances, and what went wrong. */
import type { Deps } from '../../deps.ts'
import { changeApprovalRule } from '../../domains/accounts/company/service.ts'
import { bookReceipt, cancelBookedReceipt } from '../../domains/orders/monthly-billing/receipts.ts'
import { makeStatements } from '../../domains/orders/monthly-billing/statements.ts'
import { countAndCloseDrawer, reopenClosedDrawer } from '../../domains/payments/cash-desk/count-drawer.ts'
import { enterMovement, startDrawer } from '../../domains/payments/cash-desk/move-cash.ts'
import { readStationDrawers } from '../../domains/payments/cash-desk/read-drawers.ts'
import { takeHandIn } from '../../domains/payments/cod/hand-in.ts'
import { codOwedToSenders, payOut } from '../../domains/payments/cod/service.ts'
import { handleGatewayPost } from '../../domains/payments/gateway/answers.ts'
import { amountText, answerFields } from '../../domains/payments/gateway/ipay88.ts'
import { readGatewayTroubles, reviewTrouble } from '../../domains/payments/gateway/reviews.ts'
import { saveTrialBalance, trialLines } from '../../domains/wallet/ledger/queries-books.ts'
import { getWalletBalance } from '../../domains/wallet/ledger/service.ts'
import { bookReturn, bookWithdrawal } from '../../domains/wallet/withdrawals.ts'
import { asAccountId, type StaffCaller } from '../../http/caller.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { days, hours, later, minutes } from '../../lib/clock.ts'
import { type Account, demoAccounts } from '../story/people.ts'
import { historyDays } from '../story/plan.ts'
import { localDay, localMidnight } from '../story/time.ts'
import { type Act, createCaller, type Stage, staffCaller } from './stage.ts'

const currency = 'MYR'
const finance = 'accounts@waybill.example'
/** Days from a statement to the transfer that pays it, well within a month's terms. */
const paysAfterDays = 18
/** Orders of the company's members above this amount need the owner's approval, in minor units. */
const approvalAboveMinor = 6000

/** All office work, from the beginning of the history to `now`. */
export function officeActs(stage: Stage, { now, approvalsFrom }: { now: Date; approvalsFrom: Date }): Act[] {
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  if (!company) return []
  const midnight = localMidnight(now)
  const cancelsAt = later(midnight, -days(14) + hours(10))
  return [
    { at: approvalsFrom, run: () => setApprovalRule(stage, company) },
    ...billingActs(stage, company, now),
    { at: later(midnight, -days(16) + hours(10)), run: () => payOutCod(stage, company) },
    { at: later(midnight, -days(15) + hours(11)), run: () => withdrawCredits(stage, company) },
    { at: cancelsAt, run: () => cancelWrongReceipt(stage, company, cancelsAt) },
    ...drawerActs(stage, midnight, now),
    ...[3, 2, 1].map((ago) => ({
      at: later(localMidnight(later(now, -days(ago - 1))), minutes(1)),
      run: () => keepTrialBalance(stage, localDay(later(now, -days(ago)))),
    })),
  ]
}

async function setApprovalRule({ deps, trx }: Stage, company: Account): Promise<void> {
  const { version } = await trx
    .selectFrom('accounts')
    .select('version')
    .where('id', '=', company.id)
    .executeTakeFirstOrThrow()
  await changeApprovalRule(
    deps,
    createCaller(company, company.owner),
    { aboveMinor: approvalAboveMinor, version },
    '203.0.113.24',
  )
}

/** Creates a statement in the night after each month, and the transfers that pay all but the newest. */
function billingActs(stage: Stage, company: Account, now: Date): Act[] {
  const { deps, trx } = stage
  const nights: Date[] = []
  for (let at = localMidnight(later(now, -days(historyDays + 5))); at <= now; at = later(at, days(1)))
    if (localDay(at).endsWith('-01')) nights.push(later(at, minutes(70)))
  const issued = nights.filter((night) => night <= now)
  return issued.flatMap((night, n) => {
    const paidAt = later(night, days(paysAfterDays) + hours(9))
    const pay = async () => {
      const statement = await trx
        .selectFrom('corporate_statements')
        .select(['month', 'closing_minor'])
        .where('account_id', '=', company.id)
        .orderBy('month', 'desc')
        .executeTakeFirst()
      if (!statement || statement.closing_minor <= 0) return
      const reference = `FPX ${statement.month.replace('-', '')} KTSB`
      const body = { amountMinor: statement.closing_minor, reference, receivedOn: localDay(paidAt) }
      await bookReceipt(deps, staffCaller(finance, null), company.id, body, withoutKey)
    }
    const isNewest = n === issued.length - 1
    return [{ at: night, run: () => makeStatements(deps) }, ...(isNewest ? [] : [{ at: paidAt, run: pay }])]
  })
}

async function payOutCod({ deps }: Stage, company: Account): Promise<void> {
  const { items } = await codOwedToSenders(deps, { offset: 0, limit: 200 })
  const debt = items.find(({ accountId }) => accountId === company.id)
  if (!debt) return
  const body = { accountIds: [company.id], totalSeenMinor: debt.owedMinor, feesSeenMinor: debt.feeMinor }
  await payOut(deps, staffCaller(finance, null), body, withoutKey)
}

/** The company has asked for some of its money from cash on delivery. The bank returns the first transfer. */
async function withdrawCredits({ deps, trx }: Stage, company: Account): Promise<void> {
  const amountMinor = Math.min(2_000, await getWalletBalance(deps.db, asAccountId(company.id), currency))
  if (amountMinor === 0) return
  const caller = staffCaller(finance, null)
  const body = { source: 'wallet' as const, amountMinor, reference: 'IBG 20417601', note: 'Asked for by phone.' }
  const options = { locale: 'en' as const, idempotency: withoutKey }
  await bookWithdrawal(deps, caller, company.id, body, options)
  const { id } = await trx
    .selectFrom('journal_entries')
    .select('id')
    .where('reference', '=', body.reference)
    .executeTakeFirstOrThrow()
  await bookReturn(deps, caller, id, { reason: 'The account number does not exist.' }, withoutKey)
  const again = { ...body, reference: 'IBG 20417733', note: 'With the right account number.' }
  await bookWithdrawal(deps, caller, company.id, again, options)
}

/** A payment of another company is recorded for this one by mistake, and cancelled. */
async function cancelWrongReceipt({ deps }: Stage, company: Account, at: Date): Promise<void> {
  const caller = staffCaller(finance, null)
  const body = { amountMinor: 18_000, reference: 'FPX 4471 PSB', receivedOn: localDay(at) }
  const receipt = await bookReceipt(deps, caller, company.id, body, withoutKey)
  const ids = { id: company.id, receiptId: receipt.id }
  await cancelBookedReceipt(deps, caller, ids, { reason: 'It was the payment of another company.' }, withoutKey)
}

/** What happens in one shift of a drawer. */
type Shift = {
  at: Date
  /** Length in hours. */
  hours: number
  drawerNumber: number
  closes: boolean
  clerk: StaffCaller
  floatMinor: number
  /** Riders hand in their cash; if the clerk is the rider, a colleague takes it. */
  collects: boolean
  moves: readonly { kind: 'cash_in' | 'cash_out'; amountMinor: number; reason: string }[]
  shortMinor: number
  /** A supervisor reopens the drawer, and a second count finds what was missing. */
  recounted: boolean
}

/** The last three days of the Klang Valley's counter; the city's counter takes the cash of all other riders. */
function drawerActs(stage: Stage, midnight: Date, now: Date): Act[] {
  const here = stage.map.stops.find(({ code }) => code === 'SHA-T11')
  const city = stage.map.stops.find(({ code }) => code === 'KUL-T11')
  if (!here || !city) throw new Error('the counters are not in the network')
  const clerk = staffCaller('kl@waybill.example', here.id)
  const relief = staffCaller('branch@waybill.example', city.id)
  const openedToday = new Date(Math.max(midnight.getTime(), now.getTime() - hours(3)))
  const nine = (ago: number) => later(midnight, -days(ago) + hours(9))
  const usual = {
    hours: 9.5,
    drawerNumber: 1,
    closes: true,
    floatMinor: 20_000,
    collects: false,
    moves: [],
    shortMinor: 0,
    recounted: false,
  }
  const second = { ...usual, hours: 4.5, drawerNumber: 2, floatMinor: 10_000, clerk }
  const shifts: Shift[] = [
    ...[60, 35, 17, 3].map((ago) => ({ ...usual, at: nine(ago), clerk: relief, collects: true })),
    {
      ...usual,
      at: nine(2),
      clerk,
      collects: true,
      moves: [{ kind: 'cash_out', amountMinor: 1250, reason: 'Packing tape' }],
    },
    {
      ...usual,
      at: nine(1),
      clerk,
      collects: true,
      moves: [{ kind: 'cash_in', amountMinor: 500, reason: 'Tape given back to the shop' }],
      shortMinor: 200,
    },
    { ...second, at: nine(1) },
    { ...second, at: later(nine(1), hours(5)), shortMinor: 5000, recounted: true },
    {
      ...usual,
      at: openedToday,
      hours: (now.getTime() - openedToday.getTime()) / hours(1),
      closes: false,
      clerk,
      moves: [{ kind: 'cash_out', amountMinor: 880, reason: 'Water for the counter' }],
    },
  ]
  return shifts.flatMap((shift) => actsOfShift(stage, shift))
}

function actsOfShift(stage: Stage, shift: Shift): Act[] {
  const { deps } = stage
  const { clerk, drawerNumber, moves } = shift
  const moment = (step: number) => later(shift.at, (hours(shift.hours) * step) / 8)
  const open = async () => {
    const carriedMinor = (await readShift(stage, shift))?.carriedMinor ?? 0
    const floatMinor = Math.max(carriedMinor, shift.floatMinor)
    await startDrawer(deps, clerk, { drawerNumber, floatMinor, currency, reason: null }, withoutKey)
  }
  return [
    { at: shift.at, run: open },
    ...moves.map((move, n) => ({
      at: moment(n + 1),
      run: () => enterMovement(deps, clerk, { drawerNumber, ...move, currency }, withoutKey),
    })),
    ...(shift.collects ? [{ at: moment(4), run: () => collectFromRiders(stage, clerk) }] : []),
    ...(shift.closes ? [{ at: moment(8), run: () => bankAndClose(stage, shift) }] : []),
    ...(shift.recounted ? [{ at: moment(8.2), run: () => recount(stage, shift) }] : []),
  ]
}

/** A drawer as a supervisor sees it: during a shift the clerk does not see the sums. */
async function readShift({ deps }: Stage, { clerk, drawerNumber }: Shift) {
  const { drawers } = await readStationDrawers(deps, staffCaller('admin@waybill.example', clerk.stationId))
  return drawers.find(({ number }) => number === drawerNumber)
}

/** Each rider hands in all COD cash; if the clerk is the rider, a colleague counts it. */
async function collectFromRiders(stage: Stage, clerk: StaffCaller): Promise<void> {
  const { deps, trx } = stage
  await stage.dispatchEvents()
  const cash = await trx
    .selectFrom('cod_collections')
    .select(({ fn }) => ['collected_by', fn.sum<string>('amount_minor').as('sum')])
    .where('handed_in_at', 'is', null)
    .groupBy('collected_by')
    .orderBy('collected_by')
    .execute()
  const ownCounter = clerk.userId !== staffCaller('branch@waybill.example', null).userId
  for (const { collected_by: riderId, sum } of cash) {
    // At the counter that visitors sign in to, only its own rider hands in cash.
    if (ownCounter !== (riderId === staffCaller('kl@waybill.example', null).userId)) continue
    const expectedMinor = Number(sum)
    const counter = ownCounter ? staffCaller('branch@waybill.example', clerk.stationId) : clerk
    const cashCount = { sumMinor: expectedMinor }
    const body = { drawerNumber: 1, riderId, expectedMinor, counted: cashCount, currency, reason: null }
    await takeHandIn(deps, counter, body, withoutKey)
  }
}

/** Everything above the float goes to the bank; then the drawer is counted. */
async function bankAndClose(stage: Stage, shift: Shift): Promise<void> {
  const { at, clerk, drawerNumber, floatMinor, shortMinor, recounted } = shift
  const before = await readShift(stage, shift)
  const surplus = (before?.open?.sums?.expectedMinor ?? 0) - floatMinor
  if (surplus > 0) {
    const reason = `MBB ${48_210 + (at.getUTCDate() % 30) * 37}`
    const body = { drawerNumber, kind: 'bank' as const, amountMinor: surplus, currency, reason }
    await enterMovement(stage.deps, clerk, body, withoutKey)
  }
  const reason = recounted ? 'A note of fifty ringgit is missing' : 'Two ringgit too much change given back'
  await countAndClose(stage, shift, { shortMinor, reason: shortMinor === 0 ? null : reason })
}

async function countAndClose(
  stage: Stage,
  shift: Shift,
  { shortMinor, reason }: { shortMinor: number; reason: string | null },
): Promise<void> {
  const open = (await readShift(stage, shift))?.open
  if (!open?.sums) throw new Error('the drawer is not open')
  const { id, version, sums } = open
  const body = { version, counted: { sumMinor: sums.expectedMinor - shortMinor }, currency, reason }
  await countAndCloseDrawer(stage.deps, shift.clerk, id, body)
}

async function recount(stage: Stage, shift: Shift): Promise<void> {
  const closed = (await readShift(stage, shift))?.lastClosed
  if (!closed) throw new Error('the drawer is not closed')
  const supervisor = staffCaller('admin@waybill.example', null)
  const reason = 'The note lay below the tray'
  await reopenClosedDrawer(stage.deps, supervisor, closed.id, { version: closed.version, reason })
  await countAndClose(stage, shift, { shortMinor: 0, reason: null })
}

/** Stores the result of the nightly check: the books balance. */
async function keepTrialBalance({ deps, trx, clock }: Stage, day: string): Promise<void> {
  const lines = await trialLines(trx, { day, timeZone: deps.settings.get('timezone') })
  await saveTrialBalance(trx, { day, checked_at: clock.now(), lines, problems: [] })
}

type Fault = { amount?: string; currency?: string; merchantCode?: string; status?: string; signature?: string }

/** How each post differs from what the gateway should have sent. */
const faults: readonly Fault[] = [
  { amount: '1.00' },
  { currency: 'IDR' },
  { merchantCode: 'M99999' },
  { signature: 'bm90IG91cnM=' },
  { status: '7' },
]

/** Posts of the gateway that contradict our payments. Finance has looked into two of them. */
export async function postWrongAnswers({ deps, trx }: Stage): Promise<void> {
  const payments = await trx
    .selectFrom('payments')
    .select(['reference', 'amount_minor', 'currency', 'gateway_payment_id'])
    .where('method', 'in', ['ipay88', 'credit_card'])
    .where('status', '<>', 'succeeded')
    .orderBy('created_at', 'desc')
    .limit(faults.length)
    .execute()
  for (const [n, payment] of payments.entries()) {
    const { signature, ...fault } = faults[n] ?? {}
    const answer = {
      merchantCode: deps.config.ipay88.merchantCode,
      paymentId: String(payment.gateway_payment_id),
      reference: payment.reference,
      amount: amountText(Number(payment.amount_minor)),
      currency: payment.currency,
      remark: '',
      transactionId: `T01928475630${n + 1}`,
      authCode: '',
      status: '1',
      errorText: '',
      ...fault,
    }
    const fields = answerFields(deps.config.ipay88, answer)
    await handleGatewayPost(deps, 'backend', { ...fields, ...(signature ? { Signature: signature } : {}) })
  }
  await reviewAnswers(deps)
}

const reviews = [
  { review: 'seen', note: 'Bank asked by mail; answer expected tomorrow.' },
  { review: 'handled', note: 'The bank confirmed: a test of theirs, no money moved.' },
] as const

async function reviewAnswers(deps: Deps): Promise<void> {
  const finance = staffCaller('accounts@waybill.example', null)
  const { items } = await readGatewayTroubles(deps, { tab: 'open', offset: 0, limit: 50 })
  for (const [n, review] of reviews.entries()) {
    const trouble = items[n]
    if (trouble) await reviewTrouble(deps, finance, trouble.id, { version: trouble.version, ...review })
  }
}
