import type {
  AccountStatus,
  AdminUserType,
  MemberPermission,
  StaffRole,
  UserType,
} from '@waybill/contract/ground/enums'
import { type AccountId, asAccountId } from '../../../src/http/caller.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { TestApp } from '../app.ts'

export type TestCustomer = { accountId: AccountId; userId: string; email: string; token: string }
export type TestStaff = { userId: string; email: string; token: string }

let serial = 0

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
}

/** A verified customer with a session and without a password, because tests do not sign in. */
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
      name,
      phone: '+60123456789',
      language: overrides.language ?? 'en',
      status: userStatus,
      is_owner: isOwner,
      permissions,
    })
    .execute()
  const sessionId = await createSession(test, userId)
  const token = await tokens.sign({
    k: 'c',
    sub: userId,
    sid: sessionId,
    a: accountId,
    ut: userType,
    as: accountStatus,
    us: userStatus,
    o: isOwner,
    p: permissions,
  })
  return { accountId, userId, email, token }
}

/** The token of another device of an individual, which is another session of the same user. */
export async function createDevice(test: TestApp, { accountId, userId }: TestCustomer): Promise<string> {
  const sid = await createSession(test, userId)
  const status = { as: 'active', us: 'active' } as const
  return test.deps.tokens.sign({ k: 'c', sub: userId, sid, a: accountId, ut: 'customer', ...status, o: true, p: [] })
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

type StaffDefaults = {
  email?: string
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
      name: `Staff ${serial}`,
      status,
      staff_type: type,
      staff_role: role,
      station_id: overrides.stationId ?? null,
    })
    .execute()
  const sessionId = await createSession(test, userId)
  const token = await tokens.sign({
    k: 's',
    sub: userId,
    sid: sessionId,
    st: type,
    sr: role,
    us: status,
    s: overrides.stationId ?? null,
  })
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
