import { changePassword, login, register, verifyRegistration } from '@waybill/contract/accounts/sign-in'
import { listNotifications, notificationAlert } from '@waybill/contract/notifications/notifications'
import { listParcels } from '@waybill/contract/parcels/list'
import { getSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '../../../src/jobs/jobs.ts'
import { days, minutes } from '../../../src/lib/clock.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { type CustomerDefaults, createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { latestCode, newcomer } from '../../testing/factories/newcomers.ts'

const password = 'correct horse battery'
const phone = { 'x-device-id': 'a-phone-0123456789', 'user-agent': 'Mozilla/5.0 (iPhone) Version/26.0 Safari/604.1' }
const office = { 'x-device-id': 'the-office-0123456', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' }
/** Another user with the same kind of browser. */
const lookalike = { ...phone, 'x-device-id': 'another-phone-0123' }

describe('notifications and records of sign-ins', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  const registerCustomer = (overrides: CustomerDefaults = {}) => createCustomer(test, { password, ...overrides })
  const signIn = async (email: string, headers: Record<string, string>) => {
    expect((await test.call(login, { body: { email, password }, headers })).status).toBe(200)
    await test.settle()
  }
  const listMailsAbout = (email: string, words: RegExp) =>
    test.mailbox.mails().filter(({ to, subject }) => to.includes(email) && words.test(subject))

  it('emails the user about a sign-in from a new device, but not from a known one', async () => {
    const { email } = await registerCustomer()
    await signIn(email, phone)
    await signIn(email, phone)
    expect(listMailsAbout(email, /New sign-in/)).toEqual([])
    await signIn(email, office)
    await signIn(email, phone)
    await signIn(email, office)
    const [mail, ...more] = listMailsAbout(email, /New sign-in/)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('New sign-in to Waybill: Chrome, Windows')
    expect(mail?.text).toContain('127.0.0.1')
    expect(mail?.text).toContain('http://portal.test/forgot-password')
    await signIn(email, lookalike)
    expect(listMailsAbout(email, /New sign-in/)).toHaveLength(2)
  })

  it('does not pop up about a sign-in on the device that made it, nor again after the next sign-in there', async () => {
    const { email } = await registerCustomer()
    const start = async (headers: Record<string, string>) => {
      test.clock.advance(minutes(1))
      const { token } = (await test.call(login, { body: { email, password }, headers })).body
      await test.settle()
      return token
    }
    const listAlerts = async (token: string) =>
      (await test.call(notificationAlert, { token })).body.alerts.map(({ kind }) => kind)
    const onPhone = await start(phone)
    const inOffice = await start(office)
    expect(await listAlerts(inOffice)).toEqual([])
    expect(await listAlerts(onPhone)).toEqual(['new_device'])
    expect(await listAlerts(await start(office))).toEqual([])
    expect((await test.call(listNotifications, { token: inOffice })).body.unread).toBe(1)
  })

  it('recognises programs without a device id by their user agent', async () => {
    const { email } = await registerCustomer({ language: 'cn_zh' })
    await signIn(email, { 'user-agent': 'orders/1' })
    await signIn(email, { 'user-agent': 'orders/1' })
    expect(listMailsAbout(email, /新设备登录/)).toEqual([])
    await signIn(email, { 'user-agent': 'another/1' })
    expect(listMailsAbout(email, /新设备登录/)).toHaveLength(1)
  })

  it('recognises the device that registered the account', async () => {
    const person = newcomer()
    const { browserToken } = (await test.call(register, { body: person })).body
    const code = await latestCode(test, person.email)
    const verification = await test.call(verifyRegistration, { body: { browserToken, code }, headers: phone })
    expect(verification.status).toBe(200)
    await signIn(person.email, phone)
    expect(listMailsAbout(person.email, /New sign-in/)).toEqual([])
    await signIn(person.email, office)
    expect(listMailsAbout(person.email, /New sign-in/)).toHaveLength(1)
  })

  it('deletes devices after a year without a sign-in', async () => {
    const { email, userId } = await registerCustomer()
    await signIn(email, phone)
    const listDevices = () =>
      test.deps.db.selectFrom('known_devices').select('user_id').where('user_id', '=', userId).execute()
    const overAYearAgo = new Date(test.clock.now().getTime() - days(366))
    expect(await listDevices()).toHaveLength(1)
    await test.deps.db
      .updateTable('known_devices')
      .set({ last_used_at: overAYearAgo })
      .where('user_id', '=', userId)
      .execute()
    await addJob(test.deps.db, 'housekeeping:sweep', {})
    await test.settle()
    expect(await listDevices()).toEqual([])
  })

  it('records refusals by the access table in the activity log, at a limited rate', async () => {
    const clerk = await createCustomer(test, { userType: 'corporate', isOwner: false })
    const getRefusal = async () => (await test.call(getSettings, { token: clerk.token })).status
    expect([await getRefusal(), await getRefusal(), await getRefusal()]).toEqual([403, 403, 403])
    const entry = { level: 'WARNING', subject: 'settings.get', account_id: clerk.accountId, ip: '127.0.0.1' }
    expect(await listActivities(test, { action: 'access.refused', userId: clerk.userId })).toMatchObject([entry])
    test.clock.advance(minutes(9))
    await getRefusal()
    expect(await listActivities(test, { action: 'access.refused', userId: clerk.userId })).toHaveLength(1)
    const staff = await createStaff(test, { role: 'e_marketing' })
    expect((await test.call(getSettings, { token: staff.token })).status).toBe(403)
    expect(await listActivities(test, { action: 'access.refused', userId: staff.userId })).toHaveLength(1)
    // Neither allowed calls nor calls of visitors are recorded as refusals.
    expect((await test.call(listParcels, {})).status).toBe(401)
    const all = await listActivities(test, { action: 'access.refused' })
    expect(all).toHaveLength(2)
  })

  it('records wrong passwords in the activity log, at sign-in and at a change of password', async () => {
    const { email, token, userId, accountId } = await registerCustomer()
    await test.call(login, { body: { email, password: 'not this one' } })
    const body = { currentPassword: 'not this one', password: 'a new long password' }
    expect((await test.call(changePassword, { token, body })).error.code).toBe('password_wrong')
    for (const action of ['auth.loginFailed', 'auth.passwordFailed']) {
      expect(await listActivities(test, { action, userId })).toMatchObject([
        { level: 'WARNING', account_id: accountId },
      ])
    }
  })
})
