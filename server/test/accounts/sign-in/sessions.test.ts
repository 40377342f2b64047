import {
  endOtherSessions,
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
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { days, minutes } from '../../../src/lib/clock.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { type CustomerDefaults, createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { secondProcess } from '../../testing/second-process.ts'

const password = 'correct horse battery'

describe('sessions', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ TRUST_PROXY: 'on' })
  })

  let place = 0
  /** Signs in from a separate IP address. */
  const signIn = (email: string, tried = password, from = `10.2.0.${++place}`) =>
    test.call(login, { body: { email, password: tried }, headers: { 'x-forwarded-for': from, 'user-agent': from } })

  const renew = (refreshToken: string, idleSeconds = 0) => test.call(refresh, { body: { refreshToken, idleSeconds } })

  const registerCustomer = (overrides: CustomerDefaults = {}) => createCustomer(test, { password, ...overrides })

  async function startSession(): Promise<Session & { email: string }> {
    const { email } = await registerCustomer()
    return { ...(await signIn(email)).body, email }
  }

  it('starts with address and password, regardless of upper and lower case in the address', async () => {
    const { email } = await registerCustomer({ userType: 'corporate', name: 'Kedai Maju' })
    const answer = await signIn(` ${email.toUpperCase()} `)
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ email, account: { userType: 'corporate', name: 'Kedai Maju' } })
    expect(answer.body.user.permissions).toContain('corporate.owner')
  })

  it('signs a user in on eight devices at the same moment', async () => {
    const { email } = await registerCustomer()
    const countDeadlocks = async () =>
      (
        await sql<{ count: number }>`
          select pg_stat_force_next_flush(), deadlocks as count
          from pg_stat_database
          where datname = current_database()`.execute(test.deps.db)
      ).rows[0]?.count
    const before = await countDeadlocks()
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(email)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await countDeadlocks()).toBe(before)
  })

  it('gives the same answer for a wrong password and an unknown address', async () => {
    const { email } = await registerCustomer()
    const wrong = await signIn(email, 'something else')
    const unknown = await signIn('nobody-at-all@example.test')
    expect(wrong).toMatchObject({ status: 401, error: { code: 'wrong_credentials' } })
    expect(unknown.error).toEqual(wrong.error)
    const chinese = await test.call(login, { body: { email, password: 'no' }, language: 'zh' })
    expect(chinese.error.message).toMatch(/[一-鿿]/)
  })

  it('keeps the sign-ins of customers and staff separate', async () => {
    const { email } = await registerCustomer()
    const staff = await createStaff(test, { type: 'superadmin', password })
    const signInAsStaff = (address: string) => test.call(staffLogin, { body: { email: address, password } })
    expect((await signInAsStaff(email)).error.code).toBe('wrong_credentials')
    expect((await signIn(staff.email)).error.code).toBe('wrong_credentials')
    const answer = await signInAsStaff(staff.email)
    expect(answer.body.user).toMatchObject({ kind: 'staff', account: null, staff: { type: 'superadmin', role: null } })
    expect((await test.call(getProfile, { token: answer.body.token })).status).toBe(200)
  })

  it('allows suspended customers to read, and rejects blocked ones and suspended staff', async () => {
    const suspendedSignIn = await signIn((await registerCustomer({ accountStatus: 'inactive' })).email)
    expect(suspendedSignIn.body.user.permissions).toContain('customer.view')
    expect(suspendedSignIn.body.user.permissions).not.toContain('pay')
    for (const status of [{ accountStatus: 'blacklisted' }, { userStatus: 'blacklisted' }] as const) {
      const { email } = await registerCustomer(status)
      expect(await signIn(email)).toMatchObject({ status: 403, error: { code: 'account_blocked' } })
      expect((await signIn(email, 'wrong password')).error.code).toBe('wrong_credentials')
    }
    const staff = await createStaff(test, { status: 'inactive', password })
    const answer = await test.call(staffLogin, { body: { email: staff.email, password } })
    expect(answer).toMatchObject({ status: 403, error: { code: 'account_suspended' } })
  })

  it('increases the wait after each wrong guess, also for parallel guesses', async () => {
    // On a slow machine, a wait would end by itself.
    test.clock.freeze()
    onTestFinished(() => test.clock.resume())
    const { email } = await registerCustomer()
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn(email, 'wrong guess', '10.9.9.9')))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(4)
    const refusal = guesses.find(({ status }) => status === 429)
    expect(refusal?.error.code).toBe('too_many_requests')
    expect(Number(refusal?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    // Even the correct password is not checked during the wait. The owner can sign in from elsewhere.
    expect((await signIn(email, password, '10.9.9.9')).status).toBe(429)
    expect((await signIn(email)).status).toBe(200)
    test.clock.advance(2000)
    expect((await signIn(email, 'wrong guess', '10.9.9.9')).status).toBe(401)
    test.clock.advance(2000)
    expect((await signIn(email, 'wrong guess', '10.9.9.9')).status).toBe(429)
    test.clock.advance(2000)
    expect((await signIn(email, password, '10.9.9.9')).status).toBe(200)
    // A successful sign-in resets the count.
    expect((await signIn(email, 'wrong guess', '10.9.9.9')).status).toBe(401)
  })

  it('allows 30 sign-ins a minute from one IP address', async () => {
    const statuses: number[] = []
    for (let each = 0; each < 32; each += 1) {
      statuses.push((await signIn(`nobody${each}@example.test`, password, '10.8.8.8')).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual([429, 429])
  })

  it('rotates the refresh token', async () => {
    const first = await startSession()
    const second = await renew(first.refreshToken)
    expect(second.status).toBe(200)
    expect(second.body.refreshToken).not.toBe(first.refreshToken)
    expect(second.body.user.email).toBe(first.email)
    test.clock.advance(minutes(11))
    expect((await test.call(getProfile, { token: first.token })).error.code).toBe('unauthorized')
    const third = await renew(second.body.refreshToken)
    expect((await test.call(getProfile, { token: third.body.token })).status).toBe(200)
  })

  it('gives two tabs that renew at the same moment the same new token', async () => {
    const first = await startSession()
    const [one, two] = await Promise.all([renew(first.refreshToken), renew(first.refreshToken)])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(one.body.refreshToken).toBe(two.body.refreshToken)
    expect((await renew(one.body.refreshToken)).status).toBe(200)
  })

  it('continues if a response was lost, which a browser notices after half a minute', async () => {
    const first = await startSession()
    const second = await renew(first.refreshToken)
    test.clock.advance(31_000)
    expect((await renew(first.refreshToken)).body.refreshToken).toBe(second.body.refreshToken)
    expect((await renew(second.body.refreshToken)).status).toBe(200)
  })

  it('ends the session when a used token is presented again later', async () => {
    const first = await startSession()
    const second = await renew(first.refreshToken)
    test.clock.advance(60_001)
    expect(await renew(first.refreshToken)).toMatchObject({ status: 401, error: { code: 'session_expired' } })
    expect((await renew(second.body.refreshToken)).status).toBe(401)
    expect((await test.call(getProfile, { token: second.body.token })).status).toBe(401)
    expect(await listActivities(test, { action: 'auth.refreshReused' })).toMatchObject([{ level: 'WARNING' }])
  })

  it('ends the session at once when a token older than the previous one is presented', async () => {
    const first = await startSession()
    const second = await renew(first.refreshToken)
    const third = await renew(second.body.refreshToken)
    expect((await renew(first.refreshToken)).status).toBe(401)
    expect((await renew(third.body.refreshToken)).status).toBe(401)
  })

  it('continues when an invented token is presented', async () => {
    const first = await startSession()
    const [id, secret] = first.refreshToken.split('.')
    for (const token of [`${id}.${secret}x.y`, `${id}.invented.${secret}`, 'nothing', `${id}..`, '..']) {
      expect((await renew(token)).error.code).toBe('session_expired')
    }
    expect((await renew(first.refreshToken)).status).toBe(200)
  })

  async function saveExpiry(value: number): Promise<number> {
    const keeper = await createStaff(test, { type: 'superadmin' })
    return (await test.call(putSettings, { token: keeper.token, body: { values: { 'auth.expiryMinutes': value } } }))
      .status
  }

  it('ends when it is idle for as long as the setting says', async () => {
    expect(await saveExpiry(43_201)).toBe(422)
    expect(await saveExpiry(60)).toBe(200)
    const first = await startSession()
    test.clock.advance(minutes(59))
    const second = await renew(first.refreshToken)
    expect(second.status).toBe(200)
    test.clock.advance(minutes(61))
    expect((await renew(second.body.refreshToken)).status).toBe(401)
    expect(await saveExpiry(43_200)).toBe(200)
  })

  it('is not extended by renewals in the background, which say for how long the user has done nothing', async () => {
    await saveExpiry(60)
    const idleFor = (value: number) => minutes(value) / 1000
    const first = await startSession()
    test.clock.advance(minutes(40))
    const second = await renew(first.refreshToken, idleFor(40))
    test.clock.advance(minutes(15))
    const third = await renew(second.body.refreshToken, idleFor(55))
    test.clock.advance(minutes(4))
    const list = () => test.call(listSessions, { token: third.body.token })
    expect((await list()).status).toBe(200)
    test.clock.advance(minutes(1))
    // The access token ends with its session, not ten minutes after its issue.
    expect((await list()).status).toBe(401)
    expect((await renew(third.body.refreshToken, idleFor(60))).status).toBe(401)
    const other = await startSession()
    test.clock.advance(minutes(40))
    const idle = await renew(other.refreshToken, idleFor(40))
    test.clock.advance(minutes(15))
    const active = await renew(idle.body.refreshToken, idleFor(1))
    test.clock.advance(minutes(58))
    expect((await renew(active.body.refreshToken, idleFor(59))).status).toBe(200)
    await saveExpiry(43_200)
  })

  it('ends 30 days after the sign-in (staff: 12 hours), even if it is renewed', async () => {
    const findRefusedRenewal = async (first: Session, step: number, times: number) => {
      let { refreshToken } = first
      for (let each = 1; each <= times; each += 1) {
        test.clock.advance(step)
        const renewal = await renew(refreshToken)
        if (renewal.status !== 200) return each
        refreshToken = renewal.body.refreshToken
      }
      return null
    }
    expect(await findRefusedRenewal(await startSession(), days(1), 40)).toBe(30)
    const staff = await createStaff(test, { password })
    const signedIn = await test.call(staffLogin, { body: { email: staff.email, password } })
    expect(await findRefusedRenewal(signedIn.body, minutes(60), 24)).toBe(12)
  })

  it('renews with the current rights, and not for blocked users', async () => {
    const customer = await registerCustomer({ userType: 'corporate', isOwner: false, permissions: ['pay'] })
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

  it('lists the devices and signs one out at once, in this and another process', async () => {
    const { email } = await registerCustomer()
    const phone = (await signIn(email, password, '10.3.0.1')).body
    const laptop = (await signIn(email, password, '10.3.0.2')).body
    const list = await test.call(listSessions, { token: laptop.token })
    const matches = list.body.items.filter(({ userAgent }) => userAgent?.startsWith('10.3.0.'))
    expect(matches.map(({ userAgent, current }) => [userAgent, current])).toEqual([
      ['10.3.0.2', true],
      ['10.3.0.1', false],
    ])

    const second = await secondProcess(test)
    const getStatusThere = (token: string) =>
      second.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } }).then((r) => r.statusCode)
    expect(await getStatusThere(phone.token)).toBe(200)
    const end = await test.call(endSession, { token: laptop.token, params: { id: matches[1]?.id ?? '' } })
    expect(end.status).toBe(200)
    expect((await test.call(getProfile, { token: phone.token })).status).toBe(401)
    await expect.poll(() => getStatusThere(phone.token)).toBe(401)
    expect(await getStatusThere(laptop.token)).toBe(200)
    expect((await renew(phone.refreshToken)).status).toBe(401)

    const stranger = await startSession()
    const notTheirs = await test.call(endSession, {
      token: stranger.token,
      params: { id: list.body.items[0]?.id ?? '' },
    })
    expect(notTheirs).toMatchObject({ status: 404, error: { code: 'not_found' } })
  })

  it('signs all other devices of the user out, but nobody else', async () => {
    const { email } = await registerCustomer()
    const [phone, tablet, laptop] = await Promise.all([1, 2, 3].map(() => signIn(email, password)))
    const stranger = await startSession()
    const end = await test.call(endOtherSessions, { token: laptop?.body.token })
    expect(end.status).toBe(200)
    for (const other of [phone, tablet]) {
      expect((await test.call(getProfile, { token: other?.body.token })).status).toBe(401)
      expect((await renew(other?.body.refreshToken ?? '')).status).toBe(401)
    }
    expect((await test.call(listSessions, { token: laptop?.body.token })).body.items).toHaveLength(1)
    expect((await test.call(getProfile, { token: stranger.token })).status).toBe(200)
  })

  it('remembers ended sessions after a restart', async () => {
    const first = await startSession()
    expect((await test.call(logout, { token: first.token })).status).toBe(200)
    const restartedApp = await secondProcess(test)
    const answer = await restartedApp.inject({
      url: getProfile.path,
      headers: { authorization: `Bearer ${first.token}` },
    })
    expect(answer.statusCode).toBe(401)
  })

  it('ends at the sign-out', async () => {
    const first = await startSession()
    expect((await test.call(logout, { token: first.token })).body).toEqual({ ok: true })
    expect((await test.call(getProfile, { token: first.token })).status).toBe(401)
    expect((await renew(first.refreshToken)).status).toBe(401)
  })

  it('changes the profile unless its version is stale', async () => {
    const { token, user } = await startSession()
    const body = { name: '陈美玲', phone: '+6591234567', language: 'cn_zh', version: user.version } as const
    const change = await test.call(putProfile, { token, body })
    expect(change.body).toMatchObject({ name: '陈美玲', phone: '+6591234567', language: 'cn_zh' })
    expect(change.body.version).toBe(user.version + 1)
    const stale = await test.call(putProfile, { token, body: { ...body, name: 'Somebody else' } })
    expect(stale).toMatchObject({ status: 409, error: { code: 'version_conflict' } })
    expect((await test.call(getProfile, { token })).body.name).toBe('陈美玲')
    const phone = await test.call(putProfile, { token, body: { ...body, version: 2, phone: '+60111' } })
    expect(phone.error.errors?.[0]?.field).toBe('phone')
    const bad = await test.call(putProfile, { token, body: { ...body, name: '' }, language: 'zh' })
    expect(bad.error.errors).toEqual([{ field: 'name', message: '名称为必填项。' }])
  })
})
