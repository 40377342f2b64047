import { setMemberStatus, updateMember } from '@waybill/contract/accounts/company'
import { setAccountStatus, viewAccount } from '@waybill/contract/accounts/directory'
import { acceptOwnership, offerOwnership } from '@waybill/contract/accounts/ownership'
import { getProfile, login, logout, refresh, type Session, staffLogin } from '@waybill/contract/accounts/sign-in'
import { updateColleague } from '@waybill/contract/accounts/team'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answered, buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { countWaiting, queueBehind } from '../../testing/lock-queue.ts'
import { secondProcess } from '../../testing/second-process.ts'

const password = 'correct horse battery'
let test: TestApp
let admin: TestStaff
beforeAll(async () => {
  test = await buildTestApp()
  admin = await createStaff(test, { type: 'superadmin' })
})

/** A signed-in user, and a change that withdraws one of their rights. */
type Withdrawal = {
  email: string
  staff?: boolean
  change: () => Promise<Answered<unknown>>
  /** Whether the user still has the right. */
  has: (session: Session) => boolean
  /** Whether the change also ends the user's sessions. */
  ends?: boolean
}

const readVersion = async (table: 'users' | 'accounts', id: string) =>
  (await test.deps.db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirstOrThrow()).version

async function createCompany() {
  const owner = await createCustomer(test, { userType: 'corporate', password })
  const member = await createMember(test, owner, ['reports'], { password })
  return { owner, member }
}

const changesOfMember = { name: 'Less', phone: null, jobTitle: null, costCentre: null, monthlyLimitMinor: null }

const withdrawals: Record<string, () => Promise<Withdrawal>> = {
  'a permission of a member': async () => {
    const { owner, member } = await createCompany()
    const version = await readVersion('users', member.userId)
    const body = { ...changesOfMember, permissions: [], version }
    return {
      email: member.email,
      change: () => test.call(updateMember, { token: owner.token, params: { id: member.userId }, body }),
      has: ({ user }) => user.permissions.includes('reports'),
    }
  },
  'the ownership of a company': async () => {
    const { owner, member } = await createCompany()
    const offered = { memberId: member.userId, currentPassword: password }
    const { id } = (await test.call(offerOwnership, { token: owner.token, body: offered })).body
    return {
      email: owner.email,
      change: () => test.call(acceptOwnership, { token: member.token, params: { id } }),
      has: ({ user }) => user.account?.isOwner === true,
    }
  },
  'paying, with the suspension of the account': async () => {
    const { email, accountId } = await createCustomer(test, { password })
    const body = { status: 'inactive', reason: 'Checks', version: await readVersion('accounts', accountId) } as const
    return {
      email,
      change: () => test.call(setAccountStatus, { token: admin.token, params: { id: accountId }, body }),
      has: ({ user }) => user.permissions.includes('pay'),
    }
  },
  'everything, when a member is blocked': async () => {
    const { owner, member } = await createCompany()
    const params = { id: member.userId, status: 'blacklisted' } as const
    return {
      email: member.email,
      change: () => test.call(setMemberStatus, { token: owner.token, params }),
      has: () => true,
      ends: true,
    }
  },
  'the role of a member of staff': async () => {
    const { email, userId } = await createStaff(test, { role: 'account_manager', password })
    const version = await readVersion('users', userId)
    const position = { type: 'staff', role: 'normal_staff', stationId: null } as const
    const body = { name: 'Other role', phone: null, ...position, version }
    return {
      email,
      staff: true,
      change: () => test.call(updateColleague, { token: admin.token, params: { id: userId }, body }),
      has: ({ user }) => user.permissions.includes('staff.accounts'),
    }
  },
}

const signIn = ({ email, staff }: Withdrawal) => test.call(staff ? staffLogin : login, { body: { email, password } })
const renew = ({ refreshToken }: Session) => test.call(refresh, { body: { refreshToken, idleSeconds: 0 } })
const getStatus = async (token: string) => (await test.call(getProfile, { token })).status
/** Stops a change between the moment at which it voids tokens and its commit. */
const beforeTheCommit = sql`lock table activity_log in share mode`

describe.each(Object.entries(withdrawals))('%s', (_, build) => {
  it('is gone from the token of a renewal that runs before the change commits', async () => {
    const withdrawal = await build()
    const session = (await signIn(withdrawal)).body
    expect(withdrawal.has(session)).toBe(true)
    const [change, renewal] = await queueBehind(test, beforeTheCommit, withdrawal.change, () => renew(session))
    expect(change.status).toBe(200)
    expect(await getStatus(session.token)).toBe(401)
    if (withdrawal.ends) return expect(renewal.status).toBe(401)
    expect(withdrawal.has(renewal.body)).toBe(false)
    expect(await getStatus(renewal.body.token)).toBe(200)
  })

  it('is gone from the token of a sign-in that runs before the change commits', async () => {
    const withdrawal = await build()
    const [change, step] = await queueBehind(test, beforeTheCommit, withdrawal.change, () => signIn(withdrawal))
    expect(change.status).toBe(200)
    if (withdrawal.ends) return expect(step.error.code).toBe('account_blocked')
    expect(withdrawal.has(step.body)).toBe(false)
    expect(await getStatus(step.body.token)).toBe(200)
  })

  it('ends with the change if a renewal read it before, in this process and a restarted one', async () => {
    const withdrawal = await build()
    const session = (await signIn(withdrawal)).body
    // The change begins, and takes its time, before the renewal reads the rights. It gets the lock after it.
    const locked = sql`select 1 from users where id = ${session.user.id}::uuid for update`
    const [renewal, change] = await queueBehind(test, locked, () => renew(session), withdrawal.change)
    expect(change.status).toBe(200)
    expect(withdrawal.has(renewal.body)).toBe(true)
    expect(await getStatus(renewal.body.token)).toBe(401)
    const restarted = await secondProcess(test)
    const headers = { authorization: `Bearer ${renewal.body.token}` }
    expect((await restarted.inject({ url: getProfile.path, headers })).statusCode).toBe(401)
  })
})

describe('a view of an account', () => {
  const view = (token: string, accountId: string) => test.call(viewAccount, { token, params: { id: accountId } })
  const buildLock = (accountId: string) => sql`select 1 from accounts where id = ${accountId}::uuid for update`

  /** Runs `withdraw` after the view has passed the access table, and before it reads the rights. */
  async function viewDuring(withdraw: (viewer: TestStaff) => Promise<Answered<unknown>>) {
    const { accountId } = await createCustomer(test)
    const viewer = await createStaff(test, { role: 'account_manager' })
    let viewing: ReturnType<typeof view> | undefined
    await test.deps.db.transaction().execute(async (trx) => {
      await buildLock(accountId).execute(trx)
      viewing = view(viewer.token, accountId)
      await expect.poll(() => countWaiting(test)).toBe(1)
      expect((await withdraw(viewer)).status).toBe(200)
    })
    return await viewing
  }

  it('is refused to staff who lose the right or their session before it starts', async () => {
    const position = { type: 'staff', role: 'normal_staff', stationId: null } as const
    const lostRight = await viewDuring(async ({ userId }) => {
      const body = { name: 'Other role', phone: null, ...position, version: await readVersion('users', userId) }
      return test.call(updateColleague, { token: admin.token, params: { id: userId }, body })
    })
    expect(lostRight?.error.code).toBe('forbidden')
    const signedOut = await viewDuring(({ token }) => test.call(logout, { token }))
    expect(signedOut?.error.code).toBe('session_expired')
  })

  it('has the rights after a change of the owner that was in progress', async () => {
    const { accountId } = await createCustomer(test)
    const body = { status: 'inactive', reason: 'Checks', version: await readVersion('accounts', accountId) } as const
    const suspend = () => test.call(setAccountStatus, { token: admin.token, params: { id: accountId }, body })
    const [, answer] = await queueBehind(test, beforeTheCommit, suspend, () => view(admin.token, accountId))
    const profile = await test.call(getProfile, { token: answer.body.token })
    expect(profile.body.account?.status).toBe('inactive')
    expect(profile.body.permissions).not.toContain('pay')
  })
})
