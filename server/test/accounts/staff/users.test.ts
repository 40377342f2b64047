import { getProfile, login, refresh } from '@waybill/contract/accounts/sign-in'
import { endUserSessions, listUsers } from '@waybill/contract/accounts/staff'
import { getColleague, listTeam } from '@waybill/contract/accounts/team'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestStaff } from '../../testing/factories/accounts.ts'
import { secondProcess } from '../../testing/second-process.ts'

describe('users as administrators see them', () => {
  let test: TestApp
  let admin: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    admin = await createStaff(test, { type: 'admin' })
  })

  const find = async (search: string, token = admin.token) =>
    (await test.call(listUsers, { token, query: { search } })).body.items

  it('are found by name, email and account', async () => {
    const customer = await createCustomer(test, { userType: 'corporate', name: 'Kedai 100% Murah' })
    for (const search of ['kedai 100%', customer.email, '']) {
      expect((await find(search)).map(({ id }) => id)).toContain(customer.userId)
    }
    expect(await find('kedai_100')).toEqual([])
    expect((await test.call(listTeam, { token: admin.token, query: { search: customer.email } })).body.items).toEqual(
      [],
    )
    const [row] = await find(customer.email)
    expect(row).toMatchObject({
      accountName: 'Kedai 100% Murah',
      sessions: 1,
    })
    const staff = await createStaff(test, { role: 'e_marketing' })
    expect(await find(staff.email)).toEqual([])
    const team = await test.call(listTeam, { token: admin.token, query: { search: staff.email } })
    expect(team.body.items).toMatchObject([
      { type: 'staff', role: 'e_marketing', hasSecondFactor: false, editable: true },
    ])
  })

  it('are signed out everywhere at once, in this and another process', async () => {
    const password = 'correct horse battery'
    const customer = await createCustomer(test, { password })
    const { token, refreshToken } = (await test.call(login, { body: { email: customer.email, password } })).body
    const second = await secondProcess(test)
    const getStatusThere = () =>
      second.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } }).then((r) => r.statusCode)
    expect(await getStatusThere()).toBe(200)
    const end = await test.call(endUserSessions, { token: admin.token, params: { id: customer.userId } })
    expect(end.body).toEqual({ ended: 2 })
    expect((await test.call(getProfile, { token })).status).toBe(401)
    await expect.poll(getStatusThere).toBe(401)
    expect((await test.call(refresh, { body: { refreshToken } })).status).toBe(401)
    expect((await test.call(login, { body: { email: customer.email, password } })).status).toBe(200)
    const log = await listActivities(test, { action: 'users.sessionsEnded', subject: customer.userId })
    expect(log).toMatchObject([
      { user_id: admin.userId, account_id: customer.accountId, level: 'NOTICE', detail: { sessions: 2 } },
    ])
  })

  it('cannot be changed by lower ranks, or by themselves', async () => {
    const end = async (id: string, token: string) =>
      (await test.call(endUserSessions, { token, params: { id } })).error?.code ?? 'done'
    const chief = await createStaff(test, { type: 'superadmin' })
    const branch = await createStaff(test, { role: 'admin' })
    const clerk = await createStaff(test)
    expect(await end(chief.userId, admin.token)).toBe('user_rank')
    expect(await end(admin.userId, branch.token)).toBe('user_rank')
    expect(await end(admin.userId, admin.token)).toBe('user_is_you')
    expect(await end(clerk.userId, clerk.token)).toBe('forbidden')
    expect(await end(newId(), admin.token)).toBe('not_found')
    const chiefs = await test.call(getColleague, { token: branch.token, params: { id: chief.userId } })
    expect(chiefs.body.editable).toBe(false)
    expect(await end(branch.userId, admin.token)).toBe('done')
    expect(await end(admin.userId, chief.token)).toBe('done')
  })
})
