import {
  getNotificationPreferences,
  listNotifications,
  notificationAlert,
  putNotificationPreferences,
  readNotifications,
} from '@waybill/contract/notifications/notifications'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { deliverNotifications } from '../../src/domains/notifications/deliver.ts'
import { fact } from '../../src/domains/notifications/facts.ts'
import { type Notice, notify } from '../../src/domains/notifications/notify.ts'
import { minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createDevice, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'

const payout = { kind: 'cod_payout', facts: { number: 'P-1', count: 2, amount: fact.money(1250, 'MYR') } } as const

describe('a notification', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
  })

  const send = (notice: Notice) => tx(test.deps.db, (trx) => notify(test.deps, trx, notice))
  const inbox = async (token: string, language = 'en') => (await test.call(listNotifications, { token, language })).body
  const mailsTo = (email: string) => test.mailbox.mails().filter((mail) => mail.to.includes(email))
  const choose = async (token: string, body: Record<string, unknown>) => {
    const { version } = (await test.call(getNotificationPreferences, { token })).body
    const answer = await test.call(putNotificationPreferences, {
      token,
      body: { channels: [], quietHours: null, version, ...body },
    })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    return answer.body
  }

  it("is a list entry and an email with the same text, in the reader's language", async () => {
    await send({ ...payout, to: { owner: owner.accountId } })
    await test.settle()
    const { items, unread } = await inbox(owner.token)
    expect(unread).toBe(1)
    expect(items[0]).toMatchObject({ kind: 'cod_payout', topic: 'cod', level: 'success', path: '/cod', readAt: null })
    const [mail] = mailsTo(owner.email)
    // No line ends between currency and amount. The header of a mail has no such spaces.
    expect(items[0]?.title).toContain('RM\u00a012.50')
    expect(mail?.subject).toBe(items[0]?.title.replaceAll('\u00a0', ' '))
    expect(mail?.text).toContain('http://portal.test/cod')
    const chinese = await inbox(owner.token, 'zh')
    expect(chinese.items[0]?.title).not.toBe(items[0]?.title)
    expect(chinese.items[0]?.title).not.toMatch(/\{\{|mail\./)
  })

  it("separates the values of a list as the reader's language does", async () => {
    const reader = await createCustomer(test)
    const facts = { amount: fact.money(1250, 'MYR'), order: 'O-1', numbers: fact.list(['WB1', 'WB2']) }
    await send({ kind: 'cancelled_wallet', to: { users: [reader.userId] }, facts })
    expect((await inbox(reader.token)).items[0]?.text).toContain('WB1, WB2')
    expect((await inbox(reader.token, 'cn_zh')).items[0]?.text).toContain('WB1、WB2')
  })

  it('exists only if its transaction commits', async () => {
    const { accountId, token, email } = await createCustomer(test)
    const failing = tx(test.deps.db, async (trx) => {
      await notify(test.deps, trx, { ...payout, to: { owner: accountId } })
      throw new Error('the payout failed')
    })
    await expect(failing).rejects.toThrow('the payout failed')
    await test.settle()
    expect((await inbox(token)).items).toEqual([])
    expect(mailsTo(email)).toEqual([])
  })

  it('is only an email if it contains a code', async () => {
    const { userId, token, email } = await createCustomer(test)
    await send({ kind: 'reset_password', to: { users: [userId] }, facts: { code: '123456', minutes: 15, url: 'x' } })
    await test.settle()
    expect(mailsTo(email)).toHaveLength(1)
    expect((await inbox(token)).items).toEqual([])
    expect((await test.call(notificationAlert, { token })).body).toEqual({ alerts: [], unread: 0 })
  })

  it('is marked as read by id or all at once, and only by its own user', async () => {
    const { accountId, token } = await createCustomer(test)
    for (let n = 0; n < 3; n++) await send({ ...payout, to: { owner: accountId } })
    const ids = (await inbox(token)).items.map(({ id }) => id)
    const foreign = await test.call(readNotifications, { token: owner.token, body: { ids } })
    expect(foreign.status).toBe(200)
    expect((await inbox(token)).unread).toBe(3)
    expect((await test.call(readNotifications, { token, body: { ids: ids.slice(0, 1) } })).body).toEqual({ unread: 2 })
    const { body } = await test.call(listNotifications, { token, query: { unread: 'true' } })
    expect(body.items.map(({ id }) => id)).toEqual(ids.slice(1))
    expect((await test.call(readNotifications, { token, body: { all: true } })).body).toEqual({ unread: 0 })
    const wrong = await test.call(readNotifications, { token, body: {} as { all: true } })
    expect(wrong.status).toBe(422)
    expect(wrong.error.errors).toMatchObject([{ field: 'ids' }])
  })

  it('is listed in pages, newest first, and filtered by topic', async () => {
    const { accountId, token } = await createCustomer(test)
    for (let n = 0; n < 5; n++) await send({ ...payout, to: { owner: accountId } })
    await send({ kind: 'webhook_disabled', to: { owner: accountId }, facts: { address: 'a.test', days: 5 } })
    const first = (await test.call(listNotifications, { token, query: { limit: '4' } })).body
    expect(first.items.map(({ kind }) => kind)).toEqual(['webhook_disabled', ...Array(3).fill('cod_payout')])
    const second = (await test.call(listNotifications, { token, query: { limit: '4', after: first.next ?? '' } })).body
    expect(second.items).toHaveLength(2)
    expect(second.next).toBeNull()
    const account = (await test.call(listNotifications, { token, query: { topic: 'account' } })).body
    expect(account).toMatchObject({ total: 1, unread: 6 })
  })

  it('reaches staff according to their permissions', async () => {
    const [admin, rider] = [await createStaff(test, { role: 'it_executive' }), await createStaff(test)]
    await send({ kind: 'failed_work', to: { staff: 'staff.logs' }, facts: { list: 'mail:send: 2' } })
    expect((await inbox(admin.token)).items).toMatchObject([{ kind: 'failed_work', path: '/staff/failed-work' }])
    expect((await inbox(rider.token)).items).toEqual([])
  })

  it('reaches the right staff among thousands, whatever the order of their ids', async () => {
    const boss = await createStaff(test, { role: 'it_executive' })
    await sql`
      insert into users (id, kind, email, name, status, staff_type, staff_role, created_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'staff', 'rider-' || n || '@many.example',
        'Rider', 'active', 'staff', 'normal_staff', now()
      from generate_series(1, 2001) n`.execute(test.deps.db)
    await send({ kind: 'failed_work', to: { staff: 'staff.logs' }, facts: { list: 'mail:send: 2' } })
    expect((await inbox(boss.token)).items).toMatchObject([{ kind: 'failed_work' }])
    const { rows } = await sql`
      select 1 from notifications n join users u on u.id = n.user_id
      where u.email like '%@many.example'`.execute(test.deps.db)
    expect(rows).toEqual([])
    await sql`update users set status = 'inactive' where email like '%@many.example'`.execute(test.deps.db)
  })

  it('is never emailed once its topic is switched off, even if it was already waiting', async () => {
    const { accountId, token, email } = await createCustomer(test)
    const { topics } = await choose(token, { channels: [{ topic: 'cod', channel: 'mail', on: false }] })
    expect(topics.find(({ topic }) => topic === 'cod')?.channels[0]).toEqual({
      channel: 'mail',
      on: false,
      fixed: false,
    })
    await send({ ...payout, to: { owner: accountId } })
    await test.settle()
    expect(mailsTo(email)).toEqual([])
    expect((await inbox(token)).unread).toBe(1)
  })

  it("is always emailed if it is about signing in, whatever the user's preferences are", async () => {
    const { userId, token, email } = await createCustomer(test)
    const { topics } = await choose(token, {
      channels: [{ topic: 'security', channel: 'mail', on: false }],
      quietHours: { from: '00:00', until: '23:59' },
    })
    expect(topics[0]?.channels[0]).toEqual({ channel: 'mail', on: true, fixed: true })
    await send({ kind: 'password_changed', to: { users: [userId] } })
    await test.settle()
    expect(mailsTo(email)).toHaveLength(1)
  })

  it('is emailed after the quiet hours, but is in the list immediately', async () => {
    const customer = await createCustomer(test)
    const { accountId, token, email } = customer
    const at = (ahead: number) => {
      const time = new Date(test.clock.now().getTime() + minutes(ahead))
      const zone = { timeZone: test.deps.settings.get('timezone'), hourCycle: 'h23' } as const
      return time.toLocaleTimeString('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' })
    }
    await choose(token, { quietHours: { from: at(-60), until: at(30) } })
    await send({ ...payout, to: { owner: accountId } })
    await deliverNotifications(test.deps)
    await test.settle()
    expect(await inbox(token)).toMatchObject({ unread: 1 })
    expect((await test.call(notificationAlert, { token })).body.alerts).toEqual([])
    expect(mailsTo(email)).toEqual([])
    test.clock.advance(minutes(31))
    await deliverNotifications(test.deps)
    await test.settle()
    expect(mailsTo(email)).toHaveLength(1)
    const device = await createDevice(test, customer)
    expect((await test.call(notificationAlert, { token: device })).body.alerts).toHaveLength(1)
    await deliverNotifications(test.deps)
    await test.settle()
    expect(mailsTo(email)).toHaveLength(1)
  })

  it('rejects preferences that are stale or invalid', async () => {
    const { token } = await createCustomer(test)
    await choose(token, {})
    const stale = await test.call(putNotificationPreferences, {
      token,
      body: { channels: [], quietHours: null, version: 0 },
    })
    expect(stale).toMatchObject({ status: 409, error: { code: 'version_conflict' } })
    const wrong = await test.call(putNotificationPreferences, {
      token,
      body: { channels: [], quietHours: { from: '25:00', until: '07:00' }, version: 1 },
    })
    expect(wrong).toMatchObject({ status: 422, error: { errors: [{ field: 'quietHours.from' }] } })
    const unknown = [{ topic: 'codes', channel: 'mail', on: false }]
    const body = { channels: unknown as [], quietHours: null, version: 1 }
    expect((await test.call(putNotificationPreferences, { token, body })).status).toBe(422)
  })

  it('pops up once per device, however many tabs are open', async () => {
    const customer = await createCustomer(test)
    const { accountId, token } = customer
    await send({ ...payout, to: { owner: accountId } })
    const tabs = await Promise.all(Array.from({ length: 5 }, () => test.call(notificationAlert, { token })))
    expect(tabs.flatMap(({ body }) => body.alerts)).toHaveLength(1)
    expect(tabs.every(({ body }) => body.unread === 1)).toBe(true)
    const otherDevice = await createDevice(test, customer)
    expect((await test.call(notificationAlert, { token: otherDevice })).body.alerts).toHaveLength(1)
    expect((await test.call(notificationAlert, { token: otherDevice })).body.alerts).toEqual([])
  })

  it('does not pop up if it was read elsewhere, is switched off or is old', async () => {
    const customer = await createCustomer(test)
    const { accountId, token } = customer
    const alerts = async (device: string) =>
      (await test.call(notificationAlert, { token: device })).body.alerts.map(({ kind }) => kind)
    await send({ ...payout, to: { owner: accountId } })
    await test.call(readNotifications, { token: await createDevice(test, customer), body: { all: true } })
    expect(await alerts(token)).toEqual([])
    await choose(token, { channels: [{ topic: 'cod', channel: 'popup', on: false }] })
    await send({ ...payout, to: { owner: accountId } })
    await send({ kind: 'webhook_disabled', to: { owner: accountId }, facts: { address: 'a.test', days: 5 } })
    expect(await alerts(token)).toEqual(['webhook_disabled'])
    test.clock.advance(minutes(61))
    expect(await alerts(await createDevice(test, customer))).toEqual([])
  })
})
