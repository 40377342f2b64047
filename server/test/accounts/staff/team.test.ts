import { getProfile, refresh, resetPassword, staffLogin } from '@waybill/contract/accounts/sign-in'
import * as team from '@waybill/contract/accounts/team'
import type { AdminUserType, StaffRole } from '@waybill/contract/ground/enums/enums'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail, readLinkToken } from '../../testing/factories/newcomers.ts'
import { secondProcess } from '../../testing/second-process.ts'

const password = 'correct horse battery'
let serial = 0
const address = () => `colleague${++serial}@courier.test`

let test: TestApp
let chief: TestStaff
let admin: TestStaff
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  chief = await createStaff(test, { type: 'superadmin' })
  admin = await createStaff(test, { type: 'admin' })
})

const read = async (id: string, token = chief.token) =>
  (await test.call(team.getColleague, { token, params: { id } })).body

async function change(id: string, set: object, token = admin.token) {
  const { name, phone, type, role, stationId, version } = await read(id)
  const body = { name, phone, type, role, stationId, version, ...set }
  return test.call(team.updateColleague, { token, params: { id }, body })
}

const setStatus = async (id: string, status: 'active' | 'inactive' | 'blacklisted', token = admin.token) =>
  test.call(team.setColleagueStatus, { token, params: { id }, body: { status, version: (await read(id)).version } })

async function createStation(at: number): Promise<string> {
  const stations = await test.deps.db.selectFrom('stations').select('id').orderBy('code').limit(3).execute()
  return stations[at]?.id ?? expect.unreachable('no such station')
}

describe('an invitation to the team', () => {
  it('is emailed, sets a password once, and signs in with the role', async () => {
    const email = address()
    const body = { name: 'Siti Aminah', email, type: 'staff', role: 'normal_staff', language: 'cn_zh' } as const
    const invitation = await test.call(team.inviteColleague, { token: admin.token, body })
    expect(invitation.body).toMatchObject({ ...body, status: 'active', invited: true, editable: true, sessions: 0 })
    const mail = await latestMail(test, email)
    expect(mail.subject).toContain('邀请您加入')
    expect(mail.text).toContain(email)
    const linkToken = readLinkToken(mail)
    expect((await test.call(staffLogin, { body: { email, password } })).error.code).toBe('wrong_credentials')
    expect((await test.call(resetPassword, { body: { linkToken, password } })).status).toBe(200)
    expect((await test.call(resetPassword, { body: { linkToken, password } })).error.code).toBe('code_used')
    const { user } = (await test.call(staffLogin, { body: { email, password } })).body
    expect(user).toMatchObject({ language: 'cn_zh', staff: { type: 'staff', role: 'normal_staff' } })
    expect(user.permissions).toContain('staff.operate')
    expect(await read(invitation.body.id)).toMatchObject({ invited: false, sessions: 1 })
    expect(await listActivities(test, { subject: invitation.body.id })).toMatchObject([
      { action: 'users.invited', user_id: admin.userId },
    ])
  })

  it('is rejected for a known address, an unsuitable role, a wrong phone or an unknown station', async () => {
    const invite = async (set: object) => {
      const body = { name: 'Tan', email: address(), type: 'staff' as AdminUserType, role: 'normal_staff' as StaffRole }
      const { status, error } = await test.call(team.inviteColleague, {
        token: chief.token,
        body: { ...body, ...set } as typeof body,
      })
      return [status, error.code, error.errors?.map(({ field }) => field)]
    }
    expect(await invite({ email: admin.email.toUpperCase() })).toEqual([422, 'email_taken', ['email']])
    expect(await invite({ role: null })).toEqual([422, 'validation', ['role']])
    expect(await invite({ type: 'admin' })).toEqual([422, 'validation', ['role']])
    expect(await invite({ role: 'root' })).toEqual([422, 'validation', ['role']])
    expect(await invite({ phone: '+6011' })).toEqual([422, 'validation', ['phone']])
    expect(await invite({ phone: '+60111111111111' })).toEqual([422, 'phone_invalid', ['phone']])
    expect(await invite({ stationId: newId() })).toEqual([422, 'validation', ['stationId']])
    expect(await invite({ name: 'see www.evil.example' })).toEqual([422, 'validation', ['name']])
    // The address of a customer is accepted: the same person may be both.
    expect((await invite({ email: (await createCustomer(test)).email }))[0]).toBe(200)
  })

  it('can be sent again, which voids the previous link, and withdrawn, which releases the address', async () => {
    const email = address()
    const body = { name: 'Lim', email, type: 'staff', role: 'e_marketing' } as const
    const { id } = (await test.call(team.inviteColleague, { token: admin.token, body })).body
    const first = readLinkToken(await latestMail(test, email))
    const params = { id }
    expect((await test.call(team.sendColleagueLink, { token: admin.token, params })).body.email).toBe(email)
    await test.settle()
    const second = readLinkToken(test.mailbox.mails().find(({ to }) => to.includes(email)) ?? expect.unreachable())
    expect(second).not.toBe(first)
    const set = (linkToken: string) => test.call(resetPassword, { body: { linkToken, password } })
    expect((await set(first)).error.code).toBe('code_expired')
    expect((await test.call(team.withdrawInvitation, { token: admin.token, params })).status).toBe(200)
    expect((await set(second)).error.code).toBe('code_expired')
    expect((await test.call(team.getColleague, { token: admin.token, params })).status).toBe(404)
    expect((await test.call(team.inviteColleague, { token: admin.token, body })).status).toBe(200)
    expect((await listActivities(test, { subject: id })).map(({ action }) => action)).toEqual([
      'users.invited',
      'users.invitedAgain',
      'users.withdrawn',
    ])
  })

  it('cannot be withdrawn after it was accepted, and has a rate limit', async () => {
    const clerk = await createStaff(test, { password })
    const params = { id: clerk.userId }
    const withdrawn = await test.call(team.withdrawInvitation, { token: admin.token, params })
    expect(withdrawn).toMatchObject({ status: 409, error: { code: 'invitation_accepted' } })
    const send = async () => (await test.call(team.sendColleagueLink, { token: admin.token, params })).status
    expect([await send(), await send(), await send()]).toEqual([200, 200, 429])
    const mail = await latestMail(test, clerk.email)
    expect(mail.subject).toContain('new password')
    // The current password is valid until the link is used; then every session ends.
    const { refreshToken } = (await test.call(staffLogin, { body: { email: clerk.email, password } })).body
    const renewal = { linkToken: readLinkToken(mail), password: 'another good password' }
    await test.settle()
    const newest = test.mailbox.mails().find(({ to }) => to.includes(clerk.email)) ?? expect.unreachable()
    expect((await test.call(resetPassword, { body: { ...renewal, linkToken: readLinkToken(newest) } })).status).toBe(
      200,
    )
    expect((await test.call(refresh, { body: { refreshToken } })).status).toBe(401)
  })
})

describe('changes of role, station and status', () => {
  it('take effect with the next call, in this and another process', async () => {
    const clerk = await createStaff(test, { password })
    const second = await secondProcess(test)
    const getStatusThere = (token: string) =>
      second.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } }).then((r) => r.statusCode)
    const stationId = await createStation(0)
    const session = (await test.call(staffLogin, { body: { email: clerk.email, password } })).body
    expect(await getStatusThere(session.token)).toBe(200)
    const colleague = await change(clerk.userId, { role: 'product_manager', stationId, name: 'Renamed' })
    expect(colleague.body).toMatchObject({ role: 'product_manager', stationId, name: 'Renamed' })
    expect((await test.call(getProfile, { token: session.token })).status).toBe(401)
    await expect.poll(() => getStatusThere(session.token)).toBe(401)
    const renewal = (await test.call(refresh, { body: { refreshToken: session.refreshToken } })).body
    expect(renewal.user).toMatchObject({ staff: { role: 'product_manager', stationId } })
    expect(renewal.user.permissions).toContain('staff.rates')
    expect(renewal.user.permissions).not.toContain('staff.operate')

    expect((await setStatus(clerk.userId, 'inactive')).body).toMatchObject({ status: 'inactive', sessions: 0 })
    await expect.poll(() => getStatusThere(renewal.token)).toBe(401)
    expect((await test.call(refresh, { body: { refreshToken: renewal.refreshToken } })).status).toBe(401)
    const signIn = async () => (await test.call(staffLogin, { body: { email: clerk.email, password } })).error?.code
    expect(await signIn()).toBe('account_suspended')
    expect((await setStatus(clerk.userId, 'blacklisted')).body.status).toBe('blacklisted')
    expect(await signIn()).toBe('account_blocked')
    const link = await test.call(team.sendColleagueLink, { token: admin.token, params: { id: clerk.userId } })
    expect(link.error.code).toBe('member_blocked')
    expect((await setStatus(clerk.userId, 'active')).body.status).toBe('active')
    expect(await signIn()).toBeUndefined()
    expect((await listActivities(test, { subject: clerk.userId })).map(({ action }) => action)).toEqual([
      'users.changed',
      'users.status',
      'users.status',
      'users.status',
    ])
  })

  it('are rejected if the version is stale', async () => {
    const clerk = await createStaff(test)
    const { version } = await read(clerk.userId)
    await change(clerk.userId, { role: 'e_marketing' })
    expect(await change(clerk.userId, { role: 'product_manager', version })).toMatchObject({
      status: 409,
      error: { code: 'version_conflict' },
    })
    const body = { status: 'inactive', version } as const
    const stale = await test.call(team.setColleagueStatus, { token: admin.token, params: { id: clerk.userId }, body })
    expect(stale.status).toBe(409)
    expect(await read(clerk.userId)).toMatchObject({ role: 'e_marketing', status: 'active' })
  })

  it('answer 404 for customers and missing or withdrawn users, and are rejected for oneself', async () => {
    const customer = await createCustomer(test)
    for (const id of [customer.userId, newId()]) {
      for (const endpoint of [team.getColleague, team.withdrawInvitation, team.sendColleagueLink] as const) {
        expect((await test.call(endpoint, { token: chief.token, params: { id } })).status, endpoint.id).toBe(404)
      }
      const body = { name: 'X', type: 'staff', role: 'normal_staff', version: 1 } as const
      expect((await test.call(team.updateColleague, { token: chief.token, params: { id }, body })).status).toBe(404)
      const status = { status: 'inactive', version: 1 } as const
      const answer = await test.call(team.setColleagueStatus, { token: chief.token, params: { id }, body: status })
      expect(answer.status).toBe(404)
      expect((await test.call(team.colleagueActivity, { token: chief.token, params: { id } })).status).toBe(404)
    }
    expect((await test.call(getProfile, { token: customer.token })).status).toBe(200)
    expect((await change(admin.userId, { type: 'superadmin' }, admin.token)).error.code).toBe('user_is_you')
    expect((await setStatus(admin.userId, 'inactive', admin.token)).error.code).toBe('user_is_you')
  })
})

describe('staff ranks', () => {
  it('let nobody promote staff above their own rank', async () => {
    const deputy = await createStaff(test, { role: 'admin' })
    const it = await createStaff(test, { role: 'it_executive' })
    const clerk = await createStaff(test)
    const before = await read(clerk.userId)
    const positions = {
      superadmin: { type: 'superadmin', role: null },
      admin: { type: 'admin', role: null },
      deputy: { type: 'staff', role: 'admin' },
      manager: { type: 'staff', role: 'account_manager' },
    } as const
    const invite = async (token: string, position: (typeof positions)[keyof typeof positions]) =>
      (await test.call(team.inviteColleague, { token, body: { name: 'Raised', email: address(), ...position } })).error
        ?.code ?? 'done'
    const raise = async (token: string, position: (typeof positions)[keyof typeof positions]) => {
      const code = (await change(clerk.userId, position, token)).error?.code ?? 'done'
      if (code === 'done') await change(clerk.userId, { type: before.type, role: before.role }, chief.token)
      return code
    }
    const reach = async (token: string) => {
      const answers: Record<string, string> = {}
      for (const [name, position] of Object.entries(positions)) {
        answers[name] = await raise(token, position)
        expect(await invite(token, position), name).toBe(answers[name])
      }
      return answers
    }
    const no = 'user_rank'
    expect(await reach(chief.token)).toEqual({ superadmin: 'done', admin: 'done', deputy: 'done', manager: 'done' })
    expect(await reach(admin.token)).toEqual({ superadmin: no, admin: 'done', deputy: 'done', manager: 'done' })
    expect(await reach(deputy.token)).toEqual({ superadmin: no, admin: no, deputy: 'done', manager: 'done' })
    expect(await reach(it.token)).toEqual({ superadmin: no, admin: no, deputy: no, manager: 'done' })
    const other = await createStaff(test)
    expect(await reach(other.token)).toMatchObject({ superadmin: 'forbidden', manager: 'forbidden' })
    const refusal = await change(clerk.userId, positions.admin, it.token)
    expect(refusal.error.errors?.map(({ field }) => field)).toEqual(['role'])
  })

  it('let nobody act on a higher rank', async () => {
    const it = await createStaff(test, { role: 'it_executive' })
    for (const [target, token] of [
      [chief, admin.token],
      [admin, it.token],
    ] as const) {
      const id = target.userId
      expect((await read(id, token)).editable).toBe(false)
      expect((await change(id, { type: 'staff', role: 'normal_staff' }, token)).error.code).toBe('user_rank')
      expect((await setStatus(id, 'blacklisted', token)).error.code).toBe('user_rank')
      const params = { id }
      expect((await test.call(team.sendColleagueLink, { token, params })).error.code).toBe('user_rank')
      expect((await test.call(team.withdrawInvitation, { token, params })).error.code).toBe('user_rank')
    }
  })

  it('let an administrator with a station manage only the staff of that station', async () => {
    const [here, elsewhere] = [await createStation(1), await createStation(2)]
    const branch = await createStaff(test, { role: 'admin', stationId: here })
    const own = await createStaff(test, { stationId: here })
    const other = await createStaff(test, { stationId: elsewhere })
    expect((await read(own.userId, branch.token)).editable).toBe(true)
    expect((await read(other.userId, branch.token)).editable).toBe(false)
    expect((await change(own.userId, { name: 'Own' }, branch.token)).status).toBe(200)
    expect((await setStatus(other.userId, 'inactive', branch.token)).error.code).toBe('user_rank')
    const move = await change(own.userId, { stationId: elsewhere }, branch.token)
    expect(move.error).toMatchObject({ code: 'user_rank', errors: [{ field: 'stationId' }] })
    const body = { name: 'New', email: address(), type: 'staff', role: 'normal_staff' } as const
    const invite = (stationId: string | null) =>
      test.call(team.inviteColleague, { token: branch.token, body: { ...body, stationId } })
    expect((await invite(null)).error.errors?.map(({ field }) => field)).toEqual(['stationId'])
    expect((await invite(elsewhere)).status).toBe(403)
    expect((await invite(here)).status).toBe(200)
  })

  it('keep the last superadmin from being suspended or demoted', async () => {
    const alone = await buildTestApp()
    const only = await createStaff(alone, { type: 'superadmin' })
    const params = { id: only.userId }
    const suspend = (token: string) =>
      alone.call(team.setColleagueStatus, { token, params, body: { status: 'inactive', version: 1 } })
    const demote = (token: string) =>
      alone.call(team.updateColleague, { token, params, body: { name: 'X', type: 'admin', version: 1 } })
    expect((await suspend(only.token)).error.code).toBe('last_superadmin')
    expect((await demote(only.token)).error.code).toBe('last_superadmin')
    const second = await createStaff(alone, { type: 'superadmin' })
    expect((await suspend(only.token)).error.code).toBe('user_is_you')
    // If two superadmins suspend each other at the same moment, one of them stays active.
    const mutual = [
      [only, second],
      [second, only],
    ] as const
    const answers = await Promise.all(
      mutual.map(([actor, target]) =>
        alone.call(team.setColleagueStatus, {
          token: actor.token,
          params: { id: target.userId },
          body: { status: 'inactive', version: 1 },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const { rows } = await alone.deps.pool.query(
      "select 1 from users where staff_type = 'superadmin' and status = 'active'",
    )
    expect(rows).toHaveLength(1)
  })
})
