import {
  endSession,
  getProfile,
  listSessions,
  login,
  logout,
  putProfile,
  refresh,
  type Session,
  staffLogin,
} from '@waybill/contract/accounts/sign-in'
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../../src/domains/accounts/sign-in/passwords.ts'
import { days, minutes } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { secondProcess } from '../../testing/second-process.ts'

const password = 'correct horse battery'

describe('sessions', () => {
  let test: TestApp
  let passwordHash: string
  beforeAll(async () => {
    test = await buildTestApp({ TRUST_PROXY: 'on' })
    passwordHash = await hashPassword(password)
  })

  let place = 0
  /** Signs in from an address of its own. */
  const signIn = (email: string, tried = password, from = `10.2.0.${++place}`) =>
    test.call(login, { body: { email, password: tried }, headers: { 'x-forwarded-for': from, 'user-agent': from } })

  const renew = (refreshToken: string) => test.call(refresh, { body: { refreshToken } })

  async function registered(overrides: Parameters<typeof createCustomer>[1] = {}) {
    const customer = await createCustomer(test, overrides)
    await setPassword(customer.userId)
    return customer
  }

  async function setPassword(userId: string): Promise<void> {
    await test.deps.db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  }

  async function session(): Promise<Session & { email: string }> {
    const { email } = await registered()
    return { ...(await signIn(email)).body, email }
  }

  it('signs in with address and password, whatever the case of the address', async () => {
    const { email } = await registered({ userType: 'corporate', name: 'Kedai Maju' })
    const answer = await signIn(` ${email.toUpperCase()} `)
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ email, account: { userType: 'corporate', name: 'Kedai Maju' } })
    expect(answer.body.user.permissions).toContain('corporate.owner')
  })

  it('gives the same answer for a wrong password and an unknown address', async () => {
    const { email } = await registered()
    const wrong = await signIn(email, 'something else')
    const unknown = await signIn('nobody-at-all@example.test')
    expect(wrong).toMatchObject({ status: 401, error: { code: 'wrong_credentials' } })
    expect(unknown.error).toEqual(wrong.error)
    const chinese = await test.call(login, { body: { email, password: 'no' }, language: 'zh' })
    expect(chinese.error.message).toMatch(/[一-鿿]/)
  })

  it('keeps customers and staff apart', async () => {
    const { email } = await registered()
    const staff = await createStaff(test, { type: 'superadmin' })
    await setPassword(staff.userId)
    const asStaff = (address: string) => test.call(staffLogin, { body: { email: address, password } })
    expect((await asStaff(email)).error.code).toBe('wrong_credentials')
    expect((await signIn(staff.email)).error.code).toBe('wrong_credentials')
    const answer = await asStaff(staff.email)
    expect(answer.body.user).toMatchObject({ kind: 'staff', account: null, staff: { type: 'superadmin', role: null } })
    expect((await test.call(getProfile, { token: answer.body.token })).status).toBe(200)
  })

  it('lets suspended customers in to look, and keeps blocked ones and suspended staff out', async () => {
    const suspended = await signIn((await registered({ accountStatus: 'inactive' })).email)
    expect(suspended.body.user.permissions).toContain('customer.view')
    expect(suspended.body.user.permissions).not.toContain('pay')
    for (const status of [{ accountStatus: 'blacklisted' }, { userStatus: 'blacklisted' }] as const) {
      const { email } = await registered(status)
      expect(await signIn(email)).toMatchObject({ status: 403, error: { code: 'account_blocked' } })
      expect((await signIn(email, 'wrong password')).error.code).toBe('wrong_credentials')
    }
    const staff = await createStaff(test, { status: 'inactive' })
    await setPassword(staff.userId)
    const answer = await test.call(staffLogin, { body: { email: staff.email, password } })
    expect(answer).toMatchObject({ status: 403, error: { code: 'account_suspended' } })
  })

  it('makes guessers wait longer and longer, also when many guesses arrive at once', async () => {
    const { email } = await registered()
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn(email, 'wrong guess', '10.9.9.9')))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(4)
    const refused = guesses.find(({ status }) => status === 429)
    expect(refused?.error.code).toBe('too_many_requests')
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    // Not even the right password is looked at; from elsewhere the owner gets in.
    expect((await signIn(email, password, '10.9.9.9')).status).toBe(429)
    expect((await signIn(email)).status).toBe(200)
    test.clock.advance(2000)
    expect((await signIn(email, 'wrong guess', '10.9.9.9')).status).toBe(401)
    test.clock.advance(2000)
    expect((await signIn(email, 'wrong guess', '10.9.9.9')).status).toBe(429)
    test.clock.advance(2000)
    expect((await signIn(email, password, '10.9.9.9')).status).toBe(200)
    // All is forgotten after a success.
    expect((await signIn(email, 'wrong guess', '10.9.9.9')).status).toBe(401)
  })

  it('takes 30 sign-ins a minute from one address', async () => {
    const statuses: number[] = []
    for (let each = 0; each < 32; each += 1) {
      statuses.push((await signIn(`nobody${each}@example.test`, password, '10.8.8.8')).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual([429, 429])
  })

  it('rotates the refresh token', async () => {
    const first = await session()
    const second = await renew(first.refreshToken)
    expect(second.status).toBe(200)
    expect(second.body.refreshToken).not.toBe(first.refreshToken)
    expect(second.body.user.email).toBe(first.email)
    test.clock.advance(minutes(11))
    expect((await test.call(getProfile, { token: first.token })).error.code).toBe('unauthorized')
    const third = await renew(second.body.refreshToken)
    expect((await test.call(getProfile, { token: third.body.token })).status).toBe(200)
  })

  it('gives two tabs that renew at the same moment the very same successor', async () => {
    const first = await session()
    const [one, two] = await Promise.all([renew(first.refreshToken), renew(first.refreshToken)])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(one.body.refreshToken).toBe(two.body.refreshToken)
    expect((await renew(one.body.refreshToken)).status).toBe(200)
  })

  it('ends the session when a spent token comes back later', async () => {
    const first = await session()
    const second = await renew(first.refreshToken)
    test.clock.advance(10_001)
    expect(await renew(first.refreshToken)).toMatchObject({ status: 401, error: { code: 'session_expired' } })
    expect((await renew(second.body.refreshToken)).status).toBe(401)
    expect((await test.call(getProfile, { token: second.body.token })).status).toBe(401)
    const log = await test.deps.db.selectFrom('activity_log').select('level').where('action', '=', 'auth.refreshReused')
    expect(await log.execute()).toEqual([{ level: 'WARNING' }])
  })

  it('ends the session when a token from before the last comes back, however soon', async () => {
    const first = await session()
    const second = await renew(first.refreshToken)
    const third = await renew(second.body.refreshToken)
    expect((await renew(first.refreshToken)).status).toBe(401)
    expect((await renew(third.body.refreshToken)).status).toBe(401)
  })

  it('is not ended by invented tokens', async () => {
    const first = await session()
    const [id, secret] = first.refreshToken.split('.')
    for (const token of [`${id}.${secret}x.y`, `${id}.invented.${secret}`, 'nothing', `${id}..`, '..']) {
      expect((await renew(token)).error.code).toBe('session_expired')
    }
    expect((await renew(first.refreshToken)).status).toBe(200)
  })

  it('ends when it is not used for as long as the setting says', async () => {
    const keeper = await createStaff(test, { type: 'superadmin' })
    const set = (value: number) =>
      test.call(putSettings, { token: keeper.token, body: { values: { 'auth.expiryMinutes': value } } })
    expect((await set(43_201)).status).toBe(422)
    expect((await set(60)).status).toBe(200)
    const first = await session()
    test.clock.advance(minutes(59))
    const second = await renew(first.refreshToken)
    expect(second.status).toBe(200)
    test.clock.advance(minutes(61))
    expect((await renew(second.body.refreshToken)).status).toBe(401)
    const again = await createStaff(test, { type: 'superadmin' })
    const back = { values: { 'auth.expiryMinutes': 43_200 } }
    expect((await test.call(putSettings, { token: again.token, body: back })).status).toBe(200)
  })

  it('ends 30 days after the sign-in, of staff after 12 hours, however often it is renewed', async () => {
    const lasts = async (first: Session, step: number, times: number) => {
      let { refreshToken } = first
      for (let each = 1; each <= times; each += 1) {
        test.clock.advance(step)
        const renewed = await renew(refreshToken)
        if (renewed.status !== 200) return each
        refreshToken = renewed.body.refreshToken
      }
      return null
    }
    expect(await lasts(await session(), days(1), 40)).toBe(30)
    const staff = await createStaff(test)
    await setPassword(staff.userId)
    const signedIn = await test.call(staffLogin, { body: { email: staff.email, password } })
    expect(await lasts(signedIn.body, minutes(60), 24)).toBe(12)
  })

  it('renews with the present rights, and not at all for blocked users', async () => {
    const customer = await registered({ userType: 'corporate', isOwner: false, permissions: ['pay'] })
    const first = (await signIn(customer.email)).body
    const set = (values: { permissions?: string[]; status?: string }) =>
      test.deps.db.updateTable('users').set(values).where('id', '=', customer.userId).execute()
    await set({ permissions: ['reports'] })
    const second = (await renew(first.refreshToken)).body
    expect(second.user.account?.memberPermissions).toEqual(['reports'])
    expect(second.user.permissions).toContain('reports')
    expect(second.user.permissions).not.toContain('pay')
    await set({ status: 'blacklisted' })
    expect((await renew(second.refreshToken)).status).toBe(401)
  })

  it('lists the devices and signs one out, here and in another process at once', async () => {
    const { email } = await registered()
    const phone = (await signIn(email, password, '10.3.0.1')).body
    const laptop = (await signIn(email, password, '10.3.0.2')).body
    const listed = await test.call(listSessions, { token: laptop.token })
    const matches = listed.body.items.filter(({ userAgent }) => userAgent?.startsWith('10.3.0.'))
    expect(matches.map(({ userAgent, current }) => [userAgent, current])).toEqual([
      ['10.3.0.2', true],
      ['10.3.0.1', false],
    ])

    const second = await secondProcess(test)
    const there = (token: string) =>
      second.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } }).then((r) => r.statusCode)
    expect(await there(phone.token)).toBe(200)
    const ended = await test.call(endSession, { token: laptop.token, params: { id: matches[1]?.id ?? '' } })
    expect(ended.status).toBe(200)
    expect((await test.call(getProfile, { token: phone.token })).status).toBe(401)
    await expect.poll(() => there(phone.token)).toBe(401)
    expect(await there(laptop.token)).toBe(200)
    expect((await renew(phone.refreshToken)).status).toBe(401)

    const stranger = await session()
    const notTheirs = await test.call(endSession, {
      token: stranger.token,
      params: { id: listed.body.items[0]?.id ?? '' },
    })
    expect(notTheirs).toMatchObject({ status: 404, error: { code: 'not_found' } })
  })

  it('remembers ended sessions over a restart', async () => {
    const first = await session()
    expect((await test.call(logout, { token: first.token })).status).toBe(200)
    const restarted = await secondProcess(test)
    const answer = await restarted.inject({
      url: getProfile.path,
      headers: { authorization: `Bearer ${first.token}` },
    })
    expect(answer.statusCode).toBe(401)
  })

  it('signs out', async () => {
    const first = await session()
    expect((await test.call(logout, { token: first.token })).body).toEqual({ ok: true })
    expect((await test.call(getProfile, { token: first.token })).status).toBe(401)
    expect((await renew(first.refreshToken)).status).toBe(401)
  })

  it('changes the profile unless it was changed meanwhile', async () => {
    const { token, user } = await session()
    const body = { name: '陈美玲', phone: '+6591234567', language: 'cn_zh', version: user.version } as const
    const changed = await test.call(putProfile, { token, body })
    expect(changed.body).toMatchObject({ name: '陈美玲', phone: '+6591234567', language: 'cn_zh' })
    expect(changed.body.version).toBe(user.version + 1)
    const stale = await test.call(putProfile, { token, body: { ...body, name: 'Somebody else' } })
    expect(stale).toMatchObject({ status: 409, error: { code: 'version_conflict' } })
    expect((await test.call(getProfile, { token })).body.name).toBe('陈美玲')
    const phone = await test.call(putProfile, { token, body: { ...body, version: 2, phone: '+60111' } })
    expect(phone.error.errors?.[0]?.field).toBe('phone')
    const bad = await test.call(putProfile, { token, body: { ...body, name: '' }, language: 'zh' })
    expect(bad.error.errors).toEqual([{ field: 'name', message: '姓名为必填项。' }])
  })
})
