/** Formats users and sessions for the API. */
import type { listSessions, SessionUser } from '@waybill/contract/accounts/sign-in'
import { listPermissions } from '@waybill/contract/ground/access'
import type { Locale } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import {
  type AccountStatus,
  type AdminUserType,
  type MemberPermission,
  memberPermissionLabels,
  type StaffRole,
  type UserType,
} from '@waybill/contract/ground/enums/enums'
import type { Deps } from '../../deps.ts'
import { callerFromClaims } from '../../http/caller.ts'
import type { NewClaims } from '../../http/tokens.ts'
import { attachmentLink } from '../attachments/file-links.ts'
import type { AccountRow, SessionRow, UserRow } from './queries.ts'
import { hasUsablePassword } from './sign-in/passwords.ts'

/** A user, with the account if it is a customer. */
export type Identity = { user: UserRow; account: AccountRow | null }

function memberPermissions(user: UserRow): MemberPermission[] {
  return user.permissions.filter((name): name is MemberPermission => Object.hasOwn(memberPermissionLabels, name))
}

/** An identity under the locks of `lockRights`; `readAt` becomes the time of issue of its tokens. */
export type LockedIdentity = Identity & { readAt: Date }

/** The claims of an access token. */
export function tokenClaims({ user, account }: Identity, sessionId: string): NewClaims {
  if (account) return customerClaims(user, account, sessionId)
  const common = { sub: user.id, sid: sessionId, us: user.status as AccountStatus }
  return {
    ...common,
    k: 's',
    st: user.staff_type as AdminUserType,
    sr: user.staff_role as StaffRole | null,
    s: user.station_id,
  }
}

/** The claims of a customer's access token. */
export function customerClaims(user: UserRow, account: AccountRow, sessionId: string) {
  return {
    sub: user.id,
    sid: sessionId,
    us: user.status as AccountStatus,
    k: 'c' as const,
    a: account.id,
    ut: account.user_type as UserType,
    as: account.status as AccountStatus,
    o: user.is_owner,
    p: memberPermissions(user),
  }
}

/** A signed link to a photo that is valid for a quarter of an hour; null: there is no photo. */
export function photoUrl(deps: Deps, photoId: string | null): string | null {
  return photoId && attachmentLink(deps, { id: photoId, type: 'file', url: null }).address
}

/** The signed-in user. */
export function presentUser(deps: Deps, identity: Identity): SessionUser {
  const { user, account } = identity
  return {
    id: user.id,
    kind: account ? 'customer' : 'staff',
    email: user.email,
    name: user.name,
    phone: user.phone,
    language: user.language as Locale,
    photoUrl: photoUrl(deps, user.photo_id),
    hasPassword: hasUsablePassword(deps, user),
    weightUnit: user.weight_unit as SessionUser['weightUnit'],
    dimensionUnit: user.dimension_unit as SessionUser['dimensionUnit'],
    status: user.status as AccountStatus,
    account: account && {
      id: account.id,
      number: account.number,
      userType: account.user_type as UserType,
      name: account.name,
      createdAt: account.created_at.toISOString(),
      status: account.status as AccountStatus,
      isOwner: user.is_owner,
      memberPermissions: memberPermissions(user),
    },
    staff: account
      ? null
      : {
          type: user.staff_type as AdminUserType,
          role: user.staff_role as StaffRole | null,
          stationId: user.station_id,
        },
    permissions: listPermissions(callerFromClaims({ ...tokenClaims(identity, ''), iat: 0, exp: 0 })),
    version: user.version,
  }
}

/** A signed-in device. */
export function presentSession(row: SessionRow, currentId: string): ResponseOf<typeof listSessions>['items'][number] {
  return {
    id: row.id,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    current: row.id === currentId,
  }
}
