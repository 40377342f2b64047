/** The wallet and its PIN. */
import { randomBytes } from 'node:crypto'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import type { Wallet, walletHistory } from '@waybill/contract/wallet/wallet'
import type { RawBuilder } from 'kysely'
import { type Activity, recordActivity } from '../../activity.ts'
import { type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { countThrottledAttempt, resetThrottle, type Throttle } from '../../http/limits/throttle.ts'
import { later, minutes } from '../../lib/clock.ts'
import { hmacSha256, sameBytes } from '../../lib/crypto.ts'
import { findUserById } from '../accounts/service.ts'
import { codeError, issueCode, spendCode } from '../accounts/sign-in/codes.ts'
import { notify } from '../notifications/notify.ts'
import { getWalletBalance, walletLedgerId } from './ledger/service.ts'
import { presentMovement } from './present.ts'
import {
  countWrongPin,
  findPin,
  insertPin,
  listMovementRows,
  type NewPin,
  PinChangedError,
  type PinCheck,
  type PinJson,
  type PinRow,
  parsePin,
  pinJson,
  replacePin,
  replacePinMac,
  resetWrongPins,
} from './queries.ts'
import { codeMinutes, isWeakPin, pinLockMinutes, ticketMinutes, wrongPinsAllowed } from './rules.ts'

/** Balance and state of the PIN. */
export async function readWallet(deps: Deps, accountId: AccountId): Promise<Wallet> {
  const currency = deps.settings.get('currency')
  const [balanceMinor, pin] = await Promise.all([
    getWalletBalance(deps.db, accountId, currency),
    findPin(deps.db, accountId),
  ])
  const lockedUntil = pin?.locked_until && pin.locked_until > deps.clock.now() ? pin.locked_until.toISOString() : null
  return { balanceMinor, currency, pinSet: pin !== undefined, lockedUntil }
}

/** Movements with the running balance, newest first by default. Days are those of the deployment's time zone. */
export async function listWalletHistory(
  deps: Deps,
  accountId: AccountId,
  query: QueryOf<typeof walletHistory>,
): Promise<ResponseOf<typeof walletHistory>> {
  const { offset, limit } = query
  const { rows, total } = await listMovementRows(deps.db, walletLedgerId(accountId, deps.settings.get('currency')), {
    kind: query.kind ?? null,
    from: query.from ?? null,
    to: query.to ?? null,
    timeZone: deps.settings.get('timezone'),
    ascending: parseSort(query.sort)[0]?.descending === false,
    offset,
    limit,
  })
  return { items: rows.map(presentMovement), total, offset, limit }
}

/** The MAC includes the account, so that a row cannot be moved to another wallet. */
function pinMac(key: Buffer, accountId: AccountId, salt: Buffer, pin: string): Buffer {
  return hmacSha256(key, Buffer.concat([salt, Buffer.from(`${accountId}:${pin}`)]))
}

const pinPurpose = 'wallet pins'

/** Attempts to verify a right PIN whose row keeps changing. */
const maxPinChecks = 5

/**
 * Runs work that takes credits after verifying the PIN. If the PIN's row changes before the work commits, the check is
 * void and repeated, so that parallel guesses gain nothing. `readRow` reads `selectPin` together with the work's own
 * data. Throws pin_not_set, pin_locked (Retry-After, `details.lockedUntil`), pin_wrong (`details.attemptsLeft`).
 */
export async function withPin<T>(
  deps: Deps,
  accountId: AccountId,
  pin: string,
  work: (proof: PinCheck) => Promise<T>,
  readRow?: () => Promise<PinJson | null>,
): Promise<T> {
  for (let check = 1; ; check += 1) {
    const pinRow = readRow ? parsePin(await readRow()) : await findPin(deps.db, accountId)
    const row = await comparePin(deps, accountId, pin, pinRow)
    // Resets earlier wrong attempts. Most payments find none and write nothing here.
    const untouched = row.attempts === 0 && row.locked_until === null
    try {
      if (!untouched && !(await resetWrongPins(deps.db, accountId, row))) throw new PinChangedError()
      return await work({ account_id: accountId, pin_mac: row.pin_mac })
    } catch (error) {
      if (!(error instanceof PinChangedError) || check === maxPinChecks) throw error
    }
  }
}

/** SQL of the PIN's row as JSON, for a statement that reads it together with the data of the payment. */
export function selectPin(accountId: AccountId): RawBuilder<PinJson | null> {
  return pinJson(accountId)
}

/** Verifies a PIN separately, without work that would notice a change of its row. Throws the errors of `withPin`. */
export async function checkPin(deps: Deps, accountId: AccountId, pin: string): Promise<void> {
  for (let check = 1; ; check += 1) {
    const row = await comparePin(deps, accountId, pin, await findPin(deps.db, accountId))
    if (await resetWrongPins(deps.db, accountId, row)) return
    if (check === maxPinChecks) throw new PinChangedError()
  }
}

/**
 * Compares a PIN with its row. A wrong one is counted at once in a separate transaction, so that it survives a
 * rollback of the work. The fifth in a row locks the wallet for 15 minutes and mails the owner. A right one is not
 * final yet: many may be compared with the same row at once.
 */
async function comparePin(deps: Deps, accountId: AccountId, pin: string, row: PinRow | undefined): Promise<PinRow> {
  const now = deps.clock.now()
  if (!row) throw new AppError('pin_not_set')
  if (row.locked_until && row.locked_until > now) throw pinLockedError(now, row.locked_until)
  const [current, ...previous] = deps.keys.derivations(pinPurpose).map((key) => pinMac(key, accountId, row.salt, pin))
  if (current && sameBytes(current, row.pin_mac)) return row
  if (current && previous.some((mac) => sameBytes(mac, row.pin_mac))) {
    // The MAC was made with a previous SECRET_KEY and is renewed with the current one.
    await replacePinMac(deps.db, accountId, row.pin_mac, current)
    return { ...row, pin_mac: current }
  }
  const until = later(now, minutes(pinLockMinutes))
  const counter = await tx(deps.db, async (trx) => {
    const count = await countWrongPin(trx, accountId, { allowed: wrongPinsAllowed, now, until })
    if (count?.locked_until) await notifyWalletLocked(deps, trx, accountId)
    return count
  })
  // Null: parallel attempts have just locked the wallet.
  if (!counter || counter.locked_until) throw pinLockedError(now, counter?.locked_until ?? until)
  throw new AppError('pin_wrong', { details: { attemptsLeft: wrongPinsAllowed - counter.attempts } })
}

function pinLockedError(now: Date, until: Date): AppError {
  return new AppError('pin_locked', {
    retryAfter: (until.getTime() - now.getTime()) / 1000,
    details: { lockedUntil: until.toISOString() },
  })
}

async function notifyWalletLocked(deps: Deps, trx: Tx, accountId: AccountId): Promise<void> {
  await recordActivity(trx, { action: 'wallet.locked', level: 'WARNING', accountId, at: deps.clock.now() })
  await notify(deps, trx, { kind: 'wallet_locked', to: { owner: accountId }, facts: { minutes: pinLockMinutes } })
}

/** The purposes of one-time codes of the wallet. A code is valid for one of them only. */
export type PinStep = 'wallet_pin_set' | 'wallet_pin_change' | 'wallet_pin_forget'
const ticketPurpose = 'wallet_pin_ticket'

/**
 * Mails with codes to one user, over all purposes. Each code allows five attempts, so more mails must not buy more of
 * them.
 */
const mailedCodes: Throttle = { name: 'wallet codes', free: 4, firstWait: 60, longestWait: 7200, memory: 86_400 }
/** Attempts with codes by one user, over all purposes, until one is right. */
const codeTries: Throttle = { name: 'wallet code tries', free: 10, firstWait: 60, longestWait: 7200, memory: 86_400 }

/**
 * Mails the caller a one-time code: 6 digits, 5 minutes, single use. Earlier ones become void. Throws
 * too_many_requests.
 */
export async function mailCode(deps: Deps, caller: CustomerCaller, step: PinStep): Promise<{ expiresAt: string }> {
  await countThrottledAttempt(deps.db, mailedCodes, caller.userId, deps.clock.now())
  return tx(deps.db, async (trx) => {
    const user = await findUserById(trx, caller.userId)
    if (!user) throw new AppError('session_expired')
    const issued = await issueCode(trx, deps, { purpose: step, subject: user.id, livesMs: minutes(codeMinutes) })
    await notify(deps, trx, {
      kind: 'wallet_otp',
      to: { users: [user.id] },
      facts: { code: issued.code, minutes: codeMinutes },
      expiresAt: issued.expiresAt,
    })
    return { expiresAt: issued.expiresAt.toISOString() }
  })
}

/** Mails a code for the first PIN. Throws conflict if there is a PIN. */
export async function mailSetCode(deps: Deps, caller: CustomerCaller): Promise<{ expiresAt: string }> {
  if (await findPin(deps.db, caller.accountId)) throw new AppError('conflict')
  return mailCode(deps, caller, 'wallet_pin_set')
}

/** Mails a code for a forgotten PIN. Throws pin_not_set if there is none. */
export async function mailForgetCode(deps: Deps, caller: CustomerCaller): Promise<{ expiresAt: string }> {
  if (!(await findPin(deps.db, caller.accountId))) throw new AppError('pin_not_set')
  return mailCode(deps, caller, 'wallet_pin_forget')
}

/**
 * The first step of a change: verifies the old PIN and mails the code of the second step. Throws the errors of
 * `checkPin`.
 */
export async function beginPinChange(deps: Deps, caller: CustomerCaller, pin: string): Promise<{ expiresAt: string }> {
  await checkPin(deps, caller.accountId, pin)
  return mailCode(deps, caller, 'wallet_pin_change')
}

/** Exchanges the code of a first PIN for a ticket: 256 random bits, valid once for ten minutes, stored as a hash. */
export async function exchangePinCode(
  deps: Deps,
  caller: CustomerCaller,
  otp: string,
): Promise<{ ticket: string; expiresAt: string }> {
  await countThrottledAttempt(deps.db, codeTries, caller.userId, deps.clock.now())
  const result = await tx(deps.db, async (trx) => {
    const code = await spendCode(trx, deps, 'wallet_pin_set', { subject: caller.userId, code: otp })
    if (!code.ok) return code
    const livesMs = minutes(ticketMinutes)
    return {
      ok: true as const,
      ...(await issueCode(trx, deps, { purpose: ticketPurpose, subject: caller.userId, livesMs })),
    }
  })
  if (!result.ok) throw codeFieldError(result.error, 'otp')
  await resetThrottle(deps.db, codeTries, caller.userId)
  return { ticket: result.linkToken, expiresAt: result.expiresAt.toISOString() }
}

/** The error of a code that was not accepted, tied to its field. */
function codeFieldError(error: Parameters<typeof codeError>[0], field: 'otp' | 'ticket'): AppError {
  const fields = codeError(error).extra.fields ?? []
  return new AppError(error, { fields: fields.map((problem) => ({ ...problem, field })) })
}

/**
 * Sets the first PIN with a ticket. Throws pin_weak, link_invalid, code_used, code_expired, conflict (there is a PIN).
 */
export async function setFirstPin(
  deps: Deps,
  caller: CustomerCaller,
  { pin, ticket }: { pin: string; ticket: string },
): Promise<{ ok: true }> {
  requireStrongPin(pin)
  const result = await tx(deps.db, async (trx) => {
    const proof = await spendCode(trx, deps, ticketPurpose, { linkToken: ticket })
    // A ticket is valid only for its own user.
    if (proof.ok && proof.subject !== caller.userId) return { ok: false as const, error: 'link_invalid' as const }
    if (!proof.ok) return proof
    if (!(await insertPin(trx, newPin(deps, caller, pin)))) throw new AppError('conflict')
    await recordActivity(trx, pinActivity(deps, caller, 'wallet.pin_set'))
    await notifyPinChanged(deps, trx, caller)
    return proof
  })
  if (!result.ok) throw codeFieldError(result.error, 'ticket')
  return { ok: true }
}

/**
 * Replaces the PIN with the code of a change (after the old PIN) or of a forgotten PIN, and lifts a lock. Throws
 * pin_weak, code_*, pin_not_set.
 */
export async function replaceForgottenOrOld(
  deps: Deps,
  caller: CustomerCaller,
  step: Exclude<PinStep, 'wallet_pin_set'>,
  { pin, otp }: { pin: string; otp: string },
): Promise<{ ok: true }> {
  requireStrongPin(pin)
  await countThrottledAttempt(deps.db, codeTries, caller.userId, deps.clock.now())
  const result = await tx(deps.db, async (trx) => {
    const proof = await spendCode(trx, deps, step, { subject: caller.userId, code: otp })
    if (!proof.ok) return proof
    if (!(await replacePin(trx, newPin(deps, caller, pin)))) throw new AppError('pin_not_set')
    await recordActivity(trx, pinActivity(deps, caller, 'wallet.pin_changed'))
    await notifyPinChanged(deps, trx, caller)
    return proof
  })
  if (!result.ok) throw codeFieldError(result.error, 'otp')
  await resetThrottle(deps.db, codeTries, caller.userId)
  return { ok: true }
}

/** Notifies the owner that the PIN changed, and who changed it. */
async function notifyPinChanged(deps: Deps, trx: Tx, { accountId, userId }: CustomerCaller): Promise<void> {
  const user = await findUserById(trx, userId)
  if (!user) return
  const facts = { who: `${user.name} (${user.email})` }
  await notify(deps, trx, { kind: 'wallet_pin_changed', to: { owner: accountId }, facts })
}

function requireStrongPin(pin: string): void {
  if (isWeakPin(pin)) throw new AppError('pin_weak', { fields: [{ field: 'pin', rule: 'pinWeak' }] })
}

/** The row of a PIN that `by` sets for the account's wallet. It contains only a salted MAC. */
export function newPin(deps: Deps, by: Pick<CustomerCaller, 'accountId' | 'userId'>, pin: string): NewPin {
  const salt = randomBytes(16)
  return {
    account_id: by.accountId,
    salt,
    pin_mac: pinMac(deps.keys.derive(pinPurpose), by.accountId, salt, pin),
    updated_by: by.userId,
    updated_at: deps.clock.now(),
  }
}

function pinActivity(deps: Deps, { accountId, userId }: CustomerCaller, action: string): Activity {
  return { action, level: 'NOTICE', accountId, userId, at: deps.clock.now() }
}
