import {
  type AccountStatus,
  type AdminUserType,
  type MemberPermission,
  memberPermissionLabels,
  type StaffRole,
  type UserType,
} from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { hashPassword } from '../../../src/domains/accounts/sign-in/passwords.ts'
import { type AccountId, asAccountId } from '../../../src/http/caller.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { TestApp } from '../app.ts'

export const everyPermission = labelValues(memberPermissionLabels)

export type TestCustomer = { accountId: AccountId; userId: string; email: string; token: string }
export type TestStaff = { userId: string; email: string; token: string }

let serial = 0

/** Hashing is slow on purpose, so each password is hashed once. */
const passwordHashes = new Map<string, Promise<string>>()

function hashOnce(password: string | undefined): Promise<string> | null {
  if (password === undefined) return null
  const hash = passwordHashes.get(password) ?? hashPassword(password)
  passwordHashes.set(password, hash)
  return hash
}

export type CustomerDefaults = {
  userType?: UserType
  accountStatus?: AccountStatus
  userStatus?: AccountStatus
  isOwner?: boolean
  permissions?: MemberPermission[]
  /** Adds another user to this account. */
  accountId?: AccountId
  name?: string
  email?: string
  language?: 'en' | 'cn_zh'
  /** Without one, the user cannot sign in. */
  password?: string
}

/** A verified customer with a session. */
export async function createCustomer(test: TestApp, overrides: CustomerDefaults = {}): Promise<TestCustomer> {
  serial += 1
  const { db, tokens } = test.deps
  const userType = overrides.userType ?? 'customer'
  const accountStatus = overrides.accountStatus ?? 'active'
  const userStatus = overrides.userStatus ?? 'active'
  const isOwner = overrides.isOwner ?? true
  const permissions = overrides.permissions ?? []
  const email = overrides.email ?? `customer${serial}@example.test`
  const name = overrides.name ?? `Customer ${serial}`
  const accountId = overrides.accountId ?? asAccountId(newId())
  const userId = newId()
  if (!overrides.accountId) {
    await db
      .insertInto('accounts')
      .values({ id: accountId, user_type: userType, name, status: accountStatus })
      .execute()
  }
  await db
    .insertInto('users')
    .values({
      id: userId,
      kind: 'customer',
      account_id: accountId,
      email,
      password_hash: await hashOnce(overrides.password),
      name,
      phone: '+60123456789',
      language: overrides.language ?? 'en',
      status: userStatus,
      is_owner: isOwner,
      permissions,
    })
    .execute()
  const sessionId = await createSession(test, userId)
  const status = { as: accountStatus, us: userStatus }
  const token = await tokens.sign(
    { k: 'c', sub: userId, sid: sessionId, a: accountId, ut: userType, ...status, o: isOwner, p: permissions },
    { readAt: test.clock.now() },
  )
  return { accountId, userId, email, token }
}

/** The token of another device of an individual, which is another session of the same user. */
export async function createDevice(test: TestApp, { accountId, userId }: TestCustomer): Promise<string> {
  const sid = await createSession(test, userId)
  const status = { as: 'active', us: 'active' } as const
  return test.deps.tokens.sign(
    { k: 'c', sub: userId, sid, a: accountId, ut: 'customer', ...status, o: true, p: [] },
    { readAt: test.clock.now() },
  )
}

/** Another user of a company, with exactly these `permissions`. */
export function createMember(
  test: TestApp,
  company: TestCustomer,
  permissions: MemberPermission[] = [],
  overrides: CustomerDefaults = {},
): Promise<TestCustomer> {
  const { accountId } = company
  return createCustomer(test, { userType: 'corporate', accountId, isOwner: false, permissions, ...overrides })
}

export type StaffDefaults = {
  email?: string
  password?: string
  type?: AdminUserType
  role?: StaffRole | null
  stationId?: string | null
  status?: AccountStatus
}

/** A member of staff with a session; by default operations staff. */
export async function createStaff(test: TestApp, overrides: StaffDefaults = {}): Promise<TestStaff> {
  serial += 1
  const { db, tokens } = test.deps
  const type = overrides.type ?? 'staff'
  const role = overrides.role === undefined ? (type === 'staff' ? 'normal_staff' : null) : overrides.role
  const status = overrides.status ?? 'active'
  const email = overrides.email ?? `staff${serial}@example.test`
  const userId = newId()
  await db
    .insertInto('users')
    .values({
      id: userId,
      kind: 'staff',
      email,
      password_hash: await hashOnce(overrides.password),
      name: `Staff ${serial}`,
      status,
      staff_type: type,
      staff_role: role,
      station_id: overrides.stationId ?? null,
    })
    .execute()
  const sessionId = await createSession(test, userId)
  const token = await tokens.sign(
    { k: 's', sub: userId, sid: sessionId, st: type, sr: role, us: status, s: overrides.stationId ?? null },
    { readAt: test.clock.now() },
  )
  return { userId, email, token }
}

async function createSession(test: TestApp, userId: string): Promise<string> {
  const id = newId()
  await test.deps.db
    .insertInto('sessions')
    .values({ id, user_id: userId, token_hash: Buffer.alloc(32), expires_at: new Date(Date.now() + 86_400_000) })
    .execute()
  return id
}
