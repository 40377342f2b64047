import { login } from '@waybill/contract/accounts/sign-in'
import * as team from '@waybill/contract/accounts/team'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'

describe('the team list', () => {
  it('pages by keyset, and filters by name, email, role, station and status', async () => {
    const fresh = await buildTestApp()
    const boss = await createStaff(fresh, { type: 'superadmin' })
    for (let at = 0; at < 5; at += 1) await createStaff(fresh, { role: at < 3 ? 'normal_staff' : 'e_marketing' })
    await createCustomer(fresh)
    const list = async (query: object) => (await fresh.call(team.listTeam, { token: boss.token, query })).body
    const first = await list({ limit: 4 })
    expect(first).toMatchObject({ total: 6, previous: null })
    const second = await list({ limit: 4, after: first.next })
    expect(second).toMatchObject({ next: null })
    const ids = [...first.items, ...second.items].map(({ id }) => id)
    expect(new Set(ids).size).toBe(6)
    expect(await list({ limit: 4, before: second.previous })).toMatchObject({ items: first.items })
    expect((await list({ role: 'e_marketing' })).total).toBe(2)
    expect((await list({ type: 'superadmin' })).items).toMatchObject([{ id: boss.userId, isYou: true }])
    expect((await list({ search: boss.email.toUpperCase() })).total).toBe(1)
    expect((await list({ search: '100%' })).total).toBe(0)
    expect((await list({ stationId: newId() })).total).toBe(0)
    expect((await list({ tab: 'inactive' })).total).toBe(0)
    expect((await list({ tab: 'invited' })).total).toBe(6)
    // Who has accepted the invitation is active; who is suspended before is suspended.
    const [joined = '', suspended = ''] = ids.filter((id) => id !== boss.userId)
    const setUser = (id: string, set: object) =>
      fresh.deps.db.updateTable('users').set(set).where('id', '=', id).execute()
    await setUser(joined, { password_hash: 'x' })
    await setUser(suspended, { status: 'inactive' })
    expect((await list({})).counts).toEqual({ all: 6, invited: 4, active: 1, inactive: 1, blacklisted: 0 })
    expect((await list({ tab: 'active' })).items).toMatchObject([{ id: joined }])
    expect((await list({ tab: 'inactive' })).items).toMatchObject([{ id: suspended }])
    const wrong = await fresh.call(team.listTeam, { token: boss.token, query: { after: 'nonsense' } })
    expect(wrong.error.errors?.map(({ field }) => field)).toEqual(['after'])
  })

  it('shows the activity of each member, newest first, by page', async () => {
    const test = await buildTestApp()
    const admin = await createStaff(test, { type: 'admin' })
    const busy = await createStaff(test, { type: 'admin' })
    const params = { id: (await createStaff(test)).userId }
    for (const status of ['inactive', 'active', 'blacklisted'] as const) {
      const { version } = (await test.call(team.getColleague, { token: busy.token, params })).body
      await test.call(team.setColleagueStatus, { token: busy.token, params, body: { status, version } })
    }
    const read = async (query: object) =>
      (await test.call(team.colleagueActivity, { token: admin.token, params: { id: busy.userId }, query })).body
    const first = await read({ limit: 2 })
    expect(first).toMatchObject({ total: 3, previous: null })
    expect(first.items).toMatchObject([
      { action: 'users.status', level: 'NOTICE', subject: params.id },
      { action: 'users.status' },
    ])
    expect((await read({ limit: 2, after: first.next })).items).toHaveLength(1)
    expect((await test.call(login, { body: { email: busy.email, password: 'correct horse battery' } })).status).toBe(
      401,
    )
  })
})
