/** Who makes a request, and what the access table lets them do. */
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
/**
 * The id of an account that the caller may access. Only a verified session makes one. Every query for customer data
 * requires it, so a query cannot forget whose data it reads.
 */
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

/** The claims of an access token, which is signed and short-lived. One-letter keys keep the header small. */
export type TokenClaims = {
  sub: string
  sid: string
  iat: number
  exp: number
} & (
  | { k: 'c'; a: string; ut: UserType; as: AccountStatus; us: AccountStatus; o: boolean; p: MemberPermission[] }
  | { k: 's'; st: AdminUserType; sr: StaffRole | null; us: AccountStatus; s: string | null }
)

/** Turns verified claims into a caller. Besides `asAccountId`, the only place that makes an `AccountId`. */
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
 * Makes an `AccountId` without a session: for jobs, gateway callbacks, staff and the demo. Say at the call why it is
 * safe.
 */
export function asAccountId(id: string): AccountId {
  return id as AccountId
}

/** Throws 401 or 403 unless the access rule lets the caller through. */
export function authorize(rule: AccessRule, caller: AnyCaller): void {
  switch (decide(rule, caller)) {
    case 'pass':
      return
    case 'sign_in':
      throw new AppError('unauthorized')
    case 'suspended':
      throw new AppError('account_suspended')
    case 'forbidden':
      // Staff cannot ask an owner for a permission, so they get a shorter message.
      throw new AppError('forbidden', caller.kind === 'staff' ? { text: 'forbidden_staff' } : {})
  }
}

/** Narrows the caller to a signed-in one, for routes whose access rule admits customers and staff. */
export function signedIn(caller: AnyCaller): CustomerCaller | StaffCaller {
  if (caller.kind === 'visitor') throw new AppError('unauthorized')
  return caller
}

/** Narrows the caller to a customer, for routes whose access rule admits only customers. */
export function customer(caller: AnyCaller): CustomerCaller {
  if (caller.kind !== 'customer') throw new AppError('forbidden')
  return caller
}

/** Narrows the caller to staff, for routes whose access rule admits only staff. */
export function staff(caller: AnyCaller): StaffCaller {
  if (caller.kind !== 'staff') throw new AppError('forbidden')
  return caller
}
