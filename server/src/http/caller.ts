/** The caller of a request, and what the access table allows them. */
import { isCallInView } from '@waybill/contract/accounts/view-scope'
import { type AccessRule, type Caller, decide } from '@waybill/contract/ground/access'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type {
  AccountStatus,
  AdminUserType,
  ApiScope,
  MemberPermission,
  StaffRole,
  UserType,
} from '@waybill/contract/ground/enums/enums'
import { isCallInScope, permissionsOfScopes } from '@waybill/contract/integrations/api-scopes'
import { AppError } from './errors.ts'

declare const accountIdBrand: unique symbol
/**
 * The id of an account that the caller may access. Only a verified session creates one. Every query for customer data
 * requires it, so a query cannot forget whose data it reads.
 */
export type AccountId = string & { readonly [accountIdBrand]: true }

/** The API key that a program calls with. */
export type ApiKeyGrant = { id: string; name: string; dailyLimitMinor: number | null }

/** The member of staff who views an account as its owner (`viewAccount` of the contract). */
export type Viewer = { staffId: string; staffName: string; staffSessionId: string }

export type CustomerCaller = Extract<Caller, { kind: 'customer' }> & {
  accountId: AccountId
  userId: string
  sessionId: string
  /** Undefined for a person. With a key, `userId` is the user who created it. */
  apiKey?: ApiKeyGrant
  /** Only in a view by staff, which is read-only; all other fields are those of the owner. */
  viewer?: Viewer
}
export type StaffCaller = Extract<Caller, { kind: 'staff' }> & {
  userId: string
  sessionId: string
  stationId: string | null
}
/** A signed-in customer or member of staff. */
export type UserCaller = CustomerCaller | StaffCaller
export type AnyCaller = { kind: 'visitor' } | UserCaller

/** The claims of an access token, which is signed and short-lived. One-letter keys keep the header small. */
export type TokenClaims = {
  sub: string
  sid: string
  iat: number
  exp: number
} & (
  | {
      k: 'c'
      a: string
      ut: UserType
      as: AccountStatus
      us: AccountStatus
      o: boolean
      p: MemberPermission[]
      /** A view by staff: user, name and session of the member of staff. */
      v?: { id: string; n: string; s: string }
    }
  | { k: 's'; st: AdminUserType; sr: StaffRole | null; us: AccountStatus; s: string | null }
)

/** Turns verified claims into a caller. */
export function callerFromClaims(claims: TokenClaims): UserCaller {
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
      ...(claims.v && { viewer: { staffId: claims.v.id, staffName: claims.v.n, staffSessionId: claims.v.s } }),
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

/** The facts of a valid API key. */
export type KeyFacts = ApiKeyGrant & {
  accountId: string
  userId: string
  userType: UserType
  accountStatus: AccountStatus
  userStatus: AccountStatus
  scopes: readonly ApiScope[]
}

/** Turns a verified API key into a caller, who has the rights of the key's scopes and no others. */
export function callerFromKey({ id, name, dailyLimitMinor, accountId, scopes, ...facts }: KeyFacts): CustomerCaller {
  return {
    kind: 'customer',
    accountId: accountId as AccountId,
    sessionId: id,
    isOwner: false,
    permissions: permissionsOfScopes(scopes),
    scopes,
    apiKey: { id, name, dailyLimitMinor },
    ...facts,
  }
}

/**
 * Creates an `AccountId` without a session: for jobs, gateway callbacks, staff and the demo. Explain at the call why
 * it is safe.
 */
export function asAccountId(id: string): AccountId {
  return id as AccountId
}

/** Which text a suspended caller reads depends on who can end it: we, the owner of the account, or an administrator. */
function suspendedError(caller: AnyCaller): AppError {
  if (caller.kind === 'staff') return new AppError('account_suspended', { text: 'account_suspended_staff' })
  const isMember = caller.kind === 'customer' && caller.accountStatus === 'active'
  return new AppError('account_suspended', isMember ? { text: 'account_suspended_member' } : {})
}

/**
 * Throws 401 or 403 unless the access rule allows the caller. `call`: the endpoint, for the scopes of a key and for
 * views by staff, which are read-only.
 */
export function authorize(
  rule: AccessRule,
  caller: AnyCaller,
  call?: Pick<EndpointShape, 'id' | 'method' | 'question'>,
): void {
  if (call && findViewer(caller) && !isCallInView(call)) throw new AppError('view_only')
  const scopes = caller.kind === 'customer' ? caller.scopes : undefined
  const inScope = scopes && call ? isCallInScope(scopes, call.id) : undefined
  switch (decide(rule, caller, inScope)) {
    case 'pass':
      return
    case 'sign_in':
      throw new AppError('unauthorized')
    case 'suspended':
      throw suspendedError(caller)
    case 'forbidden':
      // Staff cannot ask an owner for a permission, so they get a shorter message.
      if (caller.kind === 'staff') throw new AppError('forbidden', { text: 'forbidden_staff' })
      throw new AppError('forbidden', scopes ? { text: 'forbidden_key' } : {})
  }
}

/** Narrows the caller to a signed-in one, for routes whose access rule allows customers and staff. */
export function signedIn(caller: AnyCaller): UserCaller {
  if (caller.kind === 'visitor') throw new AppError('unauthorized')
  return caller
}

/** The API key of the caller; null for people. */
export function findApiKeyGrant(caller: AnyCaller): ApiKeyGrant | null {
  return caller.kind === 'customer' ? (caller.apiKey ?? null) : null
}

/** The member of staff who views the account; null for everybody else. */
export function findViewer(caller: AnyCaller): Viewer | null {
  return caller.kind === 'customer' ? (caller.viewer ?? null) : null
}

/** Narrows the caller to a customer, for routes whose access rule allows only customers. */
export function customer(caller: AnyCaller): CustomerCaller {
  if (caller.kind !== 'customer') throw new AppError('forbidden')
  return caller
}

/** Narrows the caller to staff, for routes whose access rule allows only staff. */
export function staff(caller: AnyCaller): StaffCaller {
  if (caller.kind !== 'staff') throw new AppError('forbidden')
  return caller
}
