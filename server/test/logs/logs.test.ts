import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { exportLogs, listLogActions, listLogs } from '@waybill/contract/logs/logs'
import { createGunny } from '@waybill/contract/parcels/gunny'
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordActivity } from '../../src/activity.ts'
import { notifyFailedWork } from '../../src/domains/failed-work/jobs.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { findContradictions, loggedCalls, unloggedCalls } from './logged-calls.ts'

let test: TestApp
let executive: { token: string }
let owner: TestCustomer

beforeAll(async () => {
  test = await buildTestApp()
  executive = await createStaff(test, { type: 'staff', role: 'it_executive' })
  owner = await createCustomer(test, { userType: 'corporate', name: 'Kopi Kenangan Trading' })
  const { accountId, userId } = owner
  const at = (day: string) => new Date(`${day}T04:00:00Z`)
  await recordActivity(
    test.deps.db,
    { action: 'auth.login', accountId, userId, ip: '203.0.113.7', at: at('2026-03-02') },
    { action: 'corporate.memberAdded', accountId, userId, detail: { name: 'Mei' }, at: at('2026-03-03') },
    { action: 'auth.loginFailed', level: 'WARNING', accountId, userId, at: at('2026-03-04') },
    { action: 'accounts.noteAdded', accountId, at: at('2026-03-05') },
    { action: 'wallet.locked', level: 'CRITICAL', accountId, userId, at: at('2026-03-06') },
  )
})

const days = { from: '2026-03-01', to: '2026-03-31' }
const listActions = async (token: string, query: Parameters<typeof test.call<typeof listLogs>>[1] = {}) => {
  const answer = await test.call(listLogs, { token, ...query })
  expect(answer.status).toBe(200)
  return answer.body.items.map(({ action }) => action)
}

describe('the log of an account', () => {
  it('counts as far as every list, not only up to a thousand', async () => {
    const busy = await createCustomer(test)
    const at = new Date('2026-02-02T04:00:00Z')
    const entry = { action: 'auth.login', accountId: busy.accountId, userId: busy.userId, at }
    await recordActivity(test.deps.db, ...Array.from({ length: 1001 }, () => entry))
    const { body } = await test.call(listLogs, { token: busy.token, query: { to: '2026-02-28' } })
    expect(body.total).toBe(1001)
  })

  it('shows the owner what was done, newest first, without entries that only staff may see', async () => {
    expect(await listActions(owner.token, { query: days })).toEqual([
      'wallet.locked',
      'auth.loginFailed',
      'corporate.memberAdded',
      'auth.login',
    ])
    const [entry] = (await test.call(listLogs, { token: owner.token, query: days })).body.items
    expect(entry).toEqual({
      id: expect.any(String),
      level: 'CRITICAL',
      action: 'wallet.locked',
      by: { name: 'Kopi Kenangan Trading', staff: false },
      at: '2026-03-06T04:00:00.000Z',
    })
  })

  it('shows nothing of another account, and nothing to a member', async () => {
    const other = await createCustomer(test)
    expect(await listActions(other.token, { query: days })).toEqual([])
    const member = await createMember(test, owner, ['users'])
    expect((await test.call(listLogs, { token: member.token })).status).toBe(403)
  })
})

describe('an entry about a parcel, an order or a gunny', () => {
  it('names it for the owner of the account, but nothing of another account', async () => {
    await seedTestNetwork(test)
    const at = test.clock.now()
    const sender = await createCustomer(test)
    const order = await placeOrder(test, sender)
    const parcel = await createParcel(test, sender, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const draft = await createParcel(test, sender, { status: 'pending', reference: 'INV-17' })
    const number = parcel.tracking_number ?? ''
    const gunny = (await test.call(createGunny, { token: sender.token, body: { numbers: [number] } })).body
    const readAbout = async ({ accountId, userId, token }: TestCustomer) => {
      const entry = { action: 'parcels.changed', accountId, userId, at }
      const subjects = [parcel.id, number, draft.id, order.number, gunny.number, 'wallet']
      await recordActivity(test.deps.db, ...subjects.map((subject) => ({ ...entry, subject })))
      const query = { action: entry.action }
      const { items } = (await test.call(listLogs, { token, query })).body
      const sheet = (await test.call(exportLogs, { token, query: { ...query, format: 'csv' } })).raw.toString()
      return { about: items.map(({ about }) => about).reverse(), sheet }
    }
    const own = await readAbout(sender)
    const ofParcel = { kind: 'parcel', id: parcel.id, number, reference: null }
    expect(own.about).toEqual([
      ofParcel,
      ofParcel,
      { kind: 'parcel', id: draft.id, number: null, reference: 'INV-17' },
      { kind: 'order', id: order.id, number: order.number, reference: null },
      { kind: 'gunny', id: gunny.id, number: gunny.number, reference: null },
      undefined,
    ])
    for (const name of [number, 'INV-17', order.number, gunny.number]) expect(own.sheet).toContain(name)
    const readForStaff = async ({ accountId }: TestCustomer) => {
      const { token } = await createStaff(test, { role: 'account_manager' })
      const { items } = (await test.call(staffAccountActivity, { token, params: { id: accountId } })).body
      return items.flatMap(({ action, about }) => (action === 'parcels.changed' ? [about] : [])).reverse()
    }
    expect(await readForStaff(sender)).toEqual(own.about)
    const other = await createCustomer(test)
    expect((await readAbout(other)).about).toEqual(Array(6).fill(undefined))
    expect(await readForStaff(other)).toEqual(Array(6).fill(undefined))
  })
})

describe('the log of the deployment', () => {
  it('shows the account, the address and the details to staff with the permission', async () => {
    const { items } = (await test.call(listLogs, { token: executive.token, query: days })).body
    expect(items.map(({ action }) => action)).toContain('accounts.noteAdded')
    expect(items.find(({ action }) => action === 'auth.login')).toMatchObject({
      account: { id: owner.accountId, name: 'Kopi Kenangan Trading' },
      ip: '203.0.113.7',
    })
    expect(items.find(({ action }) => action === 'corporate.memberAdded')?.detail).toBe('{"name":"Mei"}')
    const clerk = await createStaff(test, { type: 'staff', role: 'normal_staff' })
    expect((await test.call(listLogs, { token: clerk.token })).status).toBe(403)
  })

  it('filters by minimum level, by action and by day', async () => {
    const { token } = executive
    expect(await listActions(token, { query: { ...days, level: 'WARNING' } })).toEqual([
      'wallet.locked',
      'auth.loginFailed',
    ])
    expect(await listActions(token, { query: { ...days, level: 'ALERT' } })).toEqual([])
    expect(await listActions(token, { query: { ...days, action: 'auth.login' } })).toEqual(['auth.login'])
    expect(await listActions(token, { query: { from: '2026-03-03', to: '2026-03-03' } })).toEqual([
      'corporate.memberAdded',
    ])
  })

  it('pages by key in both directions', async () => {
    const { token } = executive
    const first = (await test.call(listLogs, { token, query: { ...days, limit: '2' } })).body
    const second = (await test.call(listLogs, { token, query: { ...days, limit: '2', after: first.next ?? '' } })).body
    expect(second.items.map(({ action }) => action)).toEqual(['auth.loginFailed', 'corporate.memberAdded'])
    const back = (await test.call(listLogs, { token, query: { ...days, limit: '2', before: second.previous ?? '' } }))
      .body
    expect(back.items).toEqual(first.items)
  })

  it('includes a change of settings immediately, and a job that failed permanently', async () => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    await test.call(putSettings, { token, body: { values: { 'company.name': 'Kurier' } } })
    expect(await listActions(executive.token)).toContain('settings.put')
    await addJob(test.deps.db, 'parcels:book-carrier', { parcelId: 'not an id' }, { maxAttempts: 1 })
    await test.settle()
    await notifyFailedWork(test.deps)
    const errors = (await test.call(listLogs, { token: executive.token, query: { level: 'ERROR' } })).body.items
    expect(errors[0]).toMatchObject({
      action: 'jobs.failed',
      level: 'ERROR',
      subject: 'parcels:book-carrier',
      by: null,
    })
  })

  it.each([
    ['level', { level: 'LOUD' }],
    ['action', { action: 'auth.login%' }],
    ['from', { from: '2026-02-30' }],
    ['after', { after: 'bm9uc2Vuc2U' }],
  ])('rejects an invalid %s and names the field', async (field, query) => {
    const { status, error } = await test.call(listLogs, {
      token: executive.token,
      query: query as Record<string, string>,
    })
    expect([status, error.errors?.map((each) => each.field)]).toEqual([422, [field]])
  })
})

describe('the list of actions for the filter', () => {
  const readActions = async (token: string) => (await test.call(listLogActions, { token })).body.items

  it('contains the actions in the log of the account, each once, without those that only staff may see', async () => {
    const actions = await readActions(owner.token)
    expect(actions).toEqual(expect.arrayContaining(['auth.login', 'auth.loginFailed', 'corporate.memberAdded']))
    expect(actions).not.toContain('accounts.noteAdded')
    expect(actions).not.toContain('settings.put')
    expect(new Set(actions).size).toBe(actions.length)
    const other = await readActions((await createCustomer(test)).token)
    expect(other).not.toContain('corporate.memberAdded')
  })

  it('contains the actions of the whole deployment for staff, and none for other users', async () => {
    expect(await readActions(executive.token)).toEqual(expect.arrayContaining(['accounts.noteAdded', 'wallet.locked']))
    const member = await createMember(test, owner, ['users'])
    expect((await test.call(listLogActions, { token: member.token })).status).toBe(403)
  })
})

describe('the exported spreadsheet', () => {
  it("has all entries of the filter in the reader's language, and no internal columns for a customer", async () => {
    const get = async (token: string, language: string) =>
      (await test.call(exportLogs, { token, language, query: { ...days, format: 'csv' } })).raw.toString()
    const own = await get(owner.token, 'en')
    expect(own.trim().split('\n')).toHaveLength(5)
    expect(own).toContain('Signed in')
    expect(own).not.toContain('203.0.113.7')
    const staff = await get(executive.token, 'zh')
    expect(staff.trim().split('\n')).toHaveLength(6)
    expect(staff).toContain('203.0.113.7')
  })
})

describe('the tables of calls and their entries', () => {
  it('have every call that may change something exactly once', async () => {
    const endpoints = await contractEndpoints()
    const changing = endpoints.filter(({ method, question }) => method !== 'GET' && !question).map(({ id }) => id)
    const listed = [...Object.keys(loggedCalls), ...Object.values(unloggedCalls).flat()]
    expect(listed.sort()).toEqual(changing.sort())
  })

  it.each(['en', 'cn_zh'] as const)('have only actions with a text (%s)', (language) => {
    const t = test.deps.translations(language)
    const actions = Object.values(loggedCalls).flat()
    expect(actions.filter((action) => t(`action.${action}`, { defaultValue: '' }) === '')).toEqual([])
  })

  it('are contradicted by a call without its entry, and by an entry of a call that should have none', () => {
    const calls = new Set(Object.entries(loggedCalls).map(([id, [action]]) => `${id} ${action}`))
    expect(findContradictions(calls)).toEqual([])
    calls.delete('settings.put settings.put')
    calls.add('orders.create orders.created')
    expect(findContradictions(calls)).toEqual([
      expect.stringContaining('settings.put: no test has seen its entry'),
      expect.stringContaining('orders.create orders.created: writes an entry'),
    ])
  })
})
