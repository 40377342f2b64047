import { type AccessRule, type Caller, decide } from '@waybill/contract/ground/access'
import type {
  AccountStatus,
  AdminUserType,
  MemberPermission,
  StaffRole,
  UserType,
} from '@waybill/contract/ground/enums'
import { AppError } from './errors.ts'

declare const accountIdBrand: unique symbol
/** Proof of ownership: only the gate of a session mints one, and every query for a customer's thing takes one. */
export type AccountId = string & { readonly [accountIdBrand]: true }

export type CustomerCaller = Extract<Caller, { kind: 'customer' }> & {
  accountId: AccountId
  userId: string
  sessionId: string
}
export type StaffCaller = Extract<Caller, { kind: 'staff' }> & {
  userId: string
  sessionId: string
  stationId: string | null
}
export type AnyCaller = { kind: 'visitor' } | CustomerCaller | StaffCaller

/** What an access token says; signed, short-lived. One-letter keys keep the header small. */
export type TokenClaims = {
  sub: string
  sid: string
  iat: number
  exp: number
} & (
  | { k: 'c'; a: string; ut: UserType; as: AccountStatus; us: AccountStatus; o: boolean; p: MemberPermission[] }
  | { k: 's'; st: AdminUserType; sr: StaffRole | null; us: AccountStatus; s: string | null }
)

/**
 * Verified claims -> caller. The only place that mints an `AccountId` from outside; `asAccountId` serves jobs and
 * tests.
 */
export function callerFromClaims(claims: TokenClaims): CustomerCaller | StaffCaller {
  if (claims.k === 'c') {
    return {
      kind: 'customer',
      accountId: claims.a as AccountId,
      userId: claims.sub,
      sessionId: claims.sid,
      userType: claims.ut,
      accountStatus: claims.as,
      userStatus: claims.us,
      isOwner: claims.o,
      permissions: claims.p,
    }
  }
  return {
    kind: 'staff',
    userId: claims.sub,
    sessionId: claims.sid,
    staffType: claims.st,
    staffRole: claims.sr,
    userStatus: claims.us,
    stationId: claims.s,
  }
}

/**
 * For code that acts on behalf of an account without a session: jobs, gateway callbacks, staff, the demo's seed. Say
 * why where you call it.
 */
export function asAccountId(id: string): AccountId {
  return id as AccountId
}

/** Throws 401 or 403 unless the access table lets the caller through. */
export function authorize(rule: AccessRule, caller: AnyCaller): void {
  switch (decide(rule, caller)) {
    case 'pass':
      return
    case 'sign_in':
      throw new AppError('unauthorized')
    case 'suspended':
      throw new AppError('account_suspended')
    case 'forbidden':
      // Staff have no owner of the account to ask.
      throw new AppError('forbidden', caller.kind === 'staff' ? { text: 'forbidden_staff' } : {})
  }
}

/** The caller as a customer; routes whose access row lets only customers in use it to tell the compiler. */
export function customer(caller: AnyCaller): CustomerCaller {
  if (caller.kind !== 'customer') throw new AppError('forbidden')
  return caller
}

export function staff(caller: AnyCaller): StaffCaller {
  if (caller.kind !== 'staff') throw new AppError('forbidden')
  return caller
}
