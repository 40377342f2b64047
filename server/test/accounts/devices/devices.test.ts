import { changePassword, login, register, verifyRegistration } from '@waybill/contract/accounts/sign-in'
import { listParcels } from '@waybill/contract/parcels/list'
import { getSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../../src/domains/accounts/sign-in/passwords.ts'
import { addJob } from '../../../src/jobs/jobs.ts'
import { days, minutes } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { latestMail, newcomer, readCode } from '../../testing/factories/newcomers.ts'

const password = 'correct horse battery'
const phone = { 'x-device-id': 'a-phone-0123456789', 'user-agent': 'Mozilla/5.0 (iPhone) Version/26.0 Safari/604.1' }
const office = { 'x-device-id': 'the-office-0123456', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' }
/** Another user with the same kind of browser. */
const lookalike = { ...phone, 'x-device-id': 'another-phone-0123' }

describe('what is noticed at the door', () => {
  let test: TestApp
  let passwordHash: string
  beforeAll(async () => {
    test = await buildTestApp()
    passwordHash = await hashPassword(password)
  })

  async function registered(overrides: Parameters<typeof createCustomer>[1] = {}) {
    const customer = await createCustomer(test, overrides)
    const { userId } = customer
    await test.deps.db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
    return customer
  }
  const signIn = async (email: string, headers: Record<string, string>) => {
    expect((await test.call(login, { body: { email, password }, headers })).status).toBe(200)
    await test.settle()
  }
  const mailsAbout = (email: string, words: RegExp) =>
    test.mailbox.mails().filter(({ to, subject }) => to.includes(email) && words.test(subject))
  const activities = (action: string, userId: string) =>
    test.deps.db
      .selectFrom('activity_log')
      .select(['level', 'subject', 'account_id', 'ip'])
      .where('action', '=', action)
      .where('user_id', '=', userId)
      .execute()

  it('a sign-in from a new device is mailed to its user, one from a known device is not', async () => {
    const { email } = await registered()
    await signIn(email, phone)
    await signIn(email, phone)
    expect(mailsAbout(email, /New sign-in/)).toEqual([])
    await signIn(email, office)
    await signIn(email, phone)
    await signIn(email, office)
    const [mail, ...more] = mailsAbout(email, /New sign-in/)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('New sign-in to Waybill: Chrome, Windows')
    expect(mail?.text).toContain('127.0.0.1')
    expect(mail?.text).toContain('http://portal.test/forgot-password')
    await signIn(email, lookalike)
    expect(mailsAbout(email, /New sign-in/)).toHaveLength(2)
  })

  it('programs without an id of their own are known by their name', async () => {
    const { email } = await registered({ language: 'cn_zh' })
    await signIn(email, { 'user-agent': 'orders/1' })
    await signIn(email, { 'user-agent': 'orders/1' })
    expect(mailsAbout(email, /新设备登录/)).toEqual([])
    await signIn(email, { 'user-agent': 'another/1' })
    expect(mailsAbout(email, /新设备登录/)).toHaveLength(1)
  })

  it('the device that registered is known from then on', async () => {
    const person = newcomer()
    const { browserToken } = (await test.call(register, { body: person })).body
    const code = readCode(await latestMail(test, person.email))
    const verified = await test.call(verifyRegistration, { body: { browserToken, code }, headers: phone })
    expect(verified.status).toBe(200)
    await signIn(person.email, phone)
    expect(mailsAbout(person.email, /New sign-in/)).toEqual([])
    await signIn(person.email, office)
    expect(mailsAbout(person.email, /New sign-in/)).toHaveLength(1)
  })

  it('devices are forgotten after a year', async () => {
    const { email, userId } = await registered()
    await signIn(email, phone)
    const listDevices = () =>
      test.deps.db.selectFrom('known_devices').select('user_id').where('user_id', '=', userId).execute()
    const aged = new Date(test.clock.now().getTime() - days(366))
    expect(await listDevices()).toHaveLength(1)
    await test.deps.db.updateTable('known_devices').set({ last_used_at: aged }).where('user_id', '=', userId).execute()
    await addJob(test.deps.db, 'housekeeping:sweep', {})
    await test.settle()
    expect(await listDevices()).toEqual([])
  })

  it('refusals of the access table are recorded in the activity log, at a limited rate', async () => {
    const clerk = await createCustomer(test, { userType: 'corporate', isOwner: false })
    const refused = async () => (await test.call(getSettings, { token: clerk.token })).status
    expect([await refused(), await refused(), await refused()]).toEqual([403, 403, 403])
    const entry = { level: 'WARNING', subject: 'settings.get', account_id: clerk.accountId, ip: '127.0.0.1' }
    expect(await activities('access.refused', clerk.userId)).toEqual([entry])
    test.clock.advance(minutes(9))
    await refused()
    expect(await activities('access.refused', clerk.userId)).toHaveLength(1)
    const staff = await createStaff(test, { role: 'e_marketing' })
    expect((await test.call(getSettings, { token: staff.token })).status).toBe(403)
    expect(await activities('access.refused', staff.userId)).toHaveLength(1)
    // Neither allowed calls nor calls of visitors are recorded as refusals.
    expect((await test.call(listParcels, {})).status).toBe(401)
    const all = await test.deps.db
      .selectFrom('activity_log')
      .select('id')
      .where('action', '=', 'access.refused')
      .execute()
    expect(all).toHaveLength(2)
  })

  it('wrong passwords stand in the activity log, at sign-in and behind it', async () => {
    const { email, token, userId, accountId } = await registered()
    await test.call(login, { body: { email, password: 'not this one' } })
    const body = { currentPassword: 'not this one', password: 'a new long password' }
    expect((await test.call(changePassword, { token, body })).error.code).toBe('password_wrong')
    for (const action of ['auth.loginFailed', 'auth.passwordFailed']) {
      expect(await activities(action, userId)).toMatchObject([{ level: 'WARNING', account_id: accountId }])
    }
  })
})
