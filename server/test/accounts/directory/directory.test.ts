import { deleteOwnAccount } from '@waybill/contract/account-closure/account-closure'
import * as directory from '@waybill/contract/accounts/directory'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { listAddresses } from '@waybill/contract/addresses/addresses'
import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { listLogs } from '@waybill/contract/logs/logs'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import {
  type CustomerDefaults,
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../../testing/factories/accounts.ts'
import { createApiKey } from '../../testing/factories/api-keys.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { secondProcess } from '../../testing/second-process.ts'

let test: TestApp
let manager: TestStaff
beforeAll(async () => {
  test = await buildTestApp()
  manager = await createStaff(test, { role: 'account_manager' })
})

const list = async (query: object = {}) => {
  const { status, body } = await test.call(directory.listAccounts, { token: manager.token, query })
  expect(status).toBe(200)
  return body
}
const search = async (search: string) => (await list({ search })).items.map(({ id }) => id)
const read = async (id: string) =>
  (await test.call(directory.getAccount, { token: manager.token, params: { id } })).body

async function setStatus(
  id: string,
  status: 'active' | 'inactive' | 'blacklisted',
  reason = 'Invoices unpaid since May',
) {
  const body = { status, reason, version: (await read(id)).version }
  return test.call(directory.setAccountStatus, { token: manager.token, params: { id }, body })
}

describe('the list of accounts', () => {
  it('lists every individual and company, newest first, by page and by tab', async () => {
    const customers: TestCustomer[] = []
    const kinds: CustomerDefaults[] = [{}, { userType: 'corporate' }, { accountStatus: 'inactive' }, {}]
    for (const kind of kinds) customers.push(await createCustomer(test, kind))
    const newest = customers.map(({ accountId }) => accountId).reverse()
    const first = await list({ limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(newest.slice(0, 2))
    const second = await list({ limit: 2, after: first.next })
    expect(second.items.map(({ id }) => id)).toEqual(newest.slice(2, 4))
    expect((await list({ limit: 2, before: second.previous })).items).toEqual(first.items)
    const numbers = [...second.items, ...first.items].map(({ number }) => number)
    expect(numbers.every((number) => /^A\d{6,}$/.test(number))).toBe(true)
    expect(new Set(numbers).size).toBe(4)

    const listIds = async (tab: string) => (await list({ tab })).items.map(({ id }) => id)
    expect(await listIds('corporate')).toContain(newest[2])
    expect(await listIds('corporate')).not.toContain(newest[0])
    expect(await listIds('customer')).not.toContain(newest[2])
    expect(await listIds('inactive')).toEqual([newest[1]])
    expect(await listIds('blacklisted')).toEqual([])
  })

  it('finds an account by number, name, email and phone of any active user', async () => {
    const owner = await createCustomer(test, { userType: 'corporate', name: 'Kilang 100% Getah' })
    const member = await createMember(test, owner, [], { name: 'Puan Zaharah', email: 'zaharah@kilang.test' })
    const { accountId } = owner
    const phone = { phone: '+60198765432' }
    await test.deps.db.updateTable('users').set(phone).where('id', '=', member.userId).execute()
    const { number } = await read(accountId)
    for (const text of [
      number,
      number.toLowerCase(),
      '100% get',
      'getah kilang',
      owner.email,
      'ZAHARAH',
      'kilang.test',
    ])
      expect(await search(text), text).toEqual([accountId])
    for (const text of ['019-876 5432', '+60198765432', '0198765432']) expect(await search(text)).toEqual([accountId])
    expect(await search('100_')).toEqual([])
    const removal = { removed_at: test.clock.now(), email: `${member.userId}@removed.invalid` }
    await test.deps.db.updateTable('users').set(removal).where('id', '=', member.userId).execute()
    expect(await search('zaharah')).toEqual([])
    await test.deps.db.updateTable('accounts').set({ name: 'Renamed Rubber' }).where('id', '=', accountId).execute()
    expect(await search('rubber')).toEqual([accountId])
  })

  it('rejects an invalid cursor', async () => {
    const answer = await test.call(directory.listAccounts, { token: manager.token, query: { after: 'bm9uZQ' } })
    expect([answer.status, answer.error.errors?.[0]?.field]).toEqual([422, 'after'])
  })
})

describe('an account', () => {
  it('shows its users to staff with the right to accounts, and to nobody else', async () => {
    const owner = await createCustomer(test, { userType: 'corporate', language: 'cn_zh' })
    await createMember(test, owner, ['pay'], { name: 'A member' })
    const detail = await read(owner.accountId)
    expect(detail).toMatchObject({ email: owner.email, userType: 'corporate', userCount: 2, viewable: true })
    expect(detail.users.map(({ isOwner, language }) => [isOwner, language])).toEqual([
      [true, 'cn_zh'],
      [false, 'en'],
    ])
    const params = { id: owner.accountId }
    for (const role of ['normal_staff', 'product_manager', 'it_executive', 'e_marketing'] as const) {
      const { token } = await createStaff(test, { role })
      expect((await test.call(directory.getAccount, { token, params })).status, role).toBe(403)
    }
    expect((await test.call(directory.getAccount, { token: owner.token, params })).status).toBe(403)
  })

  it('answers 404 to every call with an unknown id', async () => {
    const id = newId()
    const params = { id }
    const { token } = manager
    const text = 'x'
    const answers = await Promise.all([
      test.call(directory.getAccount, { token, params }),
      test.call(directory.setAccountStatus, { token, params, body: { status: 'active', reason: text, version: 1 } }),
      test.call(directory.listAccountNotes, { token, params }),
      test.call(directory.addAccountNote, { token, params, body: { text } }),
      test.call(directory.deleteAccountNote, { token, params: { id, noteId: newId() } }),
      test.call(staffAccountActivity, { token, params }),
      test.call(directory.viewAccount, { token, params }),
    ])
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual(answers.map(() => [404, 'not_found']))
  })
})

describe('the status of an account', () => {
  it('takes effect within a second in every process, for users and API keys; blocking ends sessions', async () => {
    const owner = await createCustomer(test, { userType: 'corporate', language: 'cn_zh' })
    const member = await createMember(test, owner, ['addresses'])
    const key = await createApiKey(test, owner, ['addresses'], {})
    const second = await secondProcess(test)
    const getStatusThere = async (token: string, url: string = getProfile.path) =>
      (await second.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode
    expect(await Promise.all([getStatusThere(owner.token), getStatusThere(key.secret, listAddresses.path)])).toEqual([
      200, 200,
    ])

    const suspension = await setStatus(owner.accountId, 'inactive')
    expect(suspension.body).toMatchObject({ status: 'inactive' })
    // Their tokens are void: the next sign-in returns a token of a suspended account.
    await Promise.all([
      expect.poll(() => getStatusThere(member.token), { timeout: 1000 }).toBe(401),
      expect.poll(() => getStatusThere(key.secret, listAddresses.path), { timeout: 1000 }).toBe(403),
    ])
    const open = () =>
      test.deps.db.selectFrom('sessions').select('id').where('user_id', '=', owner.userId).where('ended_at', 'is', null)
    expect(await open().execute()).toHaveLength(1)
    const mail = await latestMail(test, owner.email)
    expect(mail.subject).toContain('已停用')
    expect(mail.text).not.toContain('Invoices')

    const block = await setStatus(owner.accountId, 'blacklisted', 'Fraud, see the police report')
    expect(block.body).toMatchObject({ status: 'blacklisted', viewable: false })
    expect(block.body.statusChanges.map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ['inactive', 'blacklisted', 'Fraud, see the police report'],
      ['active', 'inactive', 'Invoices unpaid since May'],
    ])
    expect(await open().execute()).toEqual([])
    await expect.poll(() => getStatusThere(key.secret, listAddresses.path), { timeout: 1000 }).toBe(401)
    await expect.poll(() => test.mailbox.mails().filter(({ to }) => to.includes(owner.email)).length).toBe(2)

    expect((await setStatus(owner.accountId, 'active')).body.status).toBe('active')
    const log = await test.call(staffAccountActivity, {
      token: manager.token,
      params: { id: owner.accountId },
    })
    expect(log.body.items.filter(({ action }) => action === 'accounts.status')).toHaveLength(3)
    expect(log.body.items[0]).toMatchObject({ level: 'NOTICE', by: { staff: true } })
  })

  it('requires a reason and the current version; setting the same status again changes nothing', async () => {
    const { accountId } = await createCustomer(test)
    const params = { id: accountId }
    const { version } = await read(accountId)
    const change = (body: { status: 'inactive' | 'active'; reason: string; version: number }) =>
      test.call(directory.setAccountStatus, { token: manager.token, params, body })
    const empty = await change({ status: 'inactive', reason: '  ', version })
    expect([empty.status, empty.error.errors?.[0]?.field]).toEqual([422, 'reason'])
    expect((await change({ status: 'inactive', reason: 'x', version: version + 1 })).error.code).toBe(
      'version_conflict',
    )
    expect((await change({ status: 'active', reason: 'x', version })).body).toMatchObject({
      statusChanges: [],
      version,
    })
  })
})

describe('an account deleted by its owner', () => {
  it('cannot be reactivated, and loses its notes', async () => {
    const currentPassword = 'correct horse battery'
    const owner = await createCustomer(test, { password: currentPassword })
    const params = { id: owner.accountId }
    const { token } = manager
    await test.call(directory.addAccountNote, { token, params, body: { text: 'Moves abroad in June' } })
    const body = { currentPassword }
    await test.call(deleteOwnAccount, { token: owner.token, params: { id: owner.userId }, body })
    expect(await read(owner.accountId)).toMatchObject({ name: 'Former customer', viewable: false })
    expect((await read(owner.accountId)).closedAt).not.toBeNull()
    const inChinese = await test.call(directory.getAccount, { token, params, language: 'zh' })
    expect(inChinese.body.name).toBe('前客户')
    expect((await setStatus(owner.accountId, 'active')).error.code).toBe('account_closed')
    expect((await test.call(directory.listAccountNotes, { token, params })).body.items).toEqual([])
    expect(await search(owner.email)).toEqual([])
  })
})

describe('notes about an account', () => {
  it('lists notes newest first; only the author can delete one, and the customer sees none', async () => {
    const owner = await createCustomer(test)
    const other = await createCustomer(test)
    const params = { id: owner.accountId }
    const colleague = await createStaff(test, { role: 'inside_sales_representative' })
    const add = async (text: string, { token } = manager) =>
      (await test.call(directory.addAccountNote, { token, params, body: { text } })).body
    const first = await add('Wants a quote for 500 parcels a month')
    const second = await add('Called back', colleague)
    const { token } = manager
    const listNotes = async () => (await test.call(directory.listAccountNotes, { token, params })).body
    expect((await listNotes()).items.map(({ text, own }) => [text, own])).toEqual([
      ['Called back', false],
      ['Wants a quote for 500 parcels a month', true],
    ])
    const remove = (noteId: string, id: string = owner.accountId) =>
      test.call(directory.deleteAccountNote, { token, params: { id, noteId } })
    expect((await remove(second.id)).error.code).toBe('note_not_yours')
    expect((await remove(first.id, other.accountId)).error.code).toBe('not_found')
    expect((await remove(first.id)).status).toBe(200)
    expect((await listNotes()).items.map(({ id }) => id)).toEqual([second.id])
    const forStaff = (await test.call(staffAccountActivity, { token, params })).body.items
    expect(forStaff.map(({ action }) => action)).toEqual([
      'accounts.noteDeleted',
      'accounts.noteAdded',
      'accounts.noteAdded',
    ])
    expect((await test.call(listLogs, { token: owner.token })).body).toMatchObject({
      items: [],
      total: 0,
    })
  })

  it('writes a note once if it is sent again after a lost answer; another text with its key is refused', async () => {
    const { accountId } = await createCustomer(test)
    const { token } = manager
    const params = { id: accountId }
    const headers = { 'idempotency-key': `note-${accountId}` }
    const add = (text: string) => test.call(directory.addAccountNote, { token, headers, params, body: { text } })
    const first = await add('Called back')
    expect(first.status).toBe(200)
    expect(await add('Called back')).toMatchObject({ status: 200, body: first.body })
    expect((await add('Called twice')).error.code).toBe('idempotency_conflict')
    const other = { id: (await createCustomer(test)).accountId }
    const elsewhere = { token, headers, params: other, body: { text: 'Called back' } }
    expect((await test.call(directory.addAccountNote, elsewhere)).error.code).toBe('idempotency_conflict')
    expect((await test.call(directory.listAccountNotes, { token, params })).body.items).toEqual([first.body])
  })
})
