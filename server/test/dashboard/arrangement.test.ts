import { addWidget, getWidget, removeWidget, updateWidget } from '@waybill/contract/dashboard/dashboard'
import type { WidgetKind } from '@waybill/contract/dashboard/widgets'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { findWidget, listKinds, readHome } from './widgets.ts'

/** Every widget with an amount of money. */
const moneyKinds: WidgetKind[] = ['wallet', 'outstanding', 'spend_by_month', 'spend_by_user']

describe('the widgets of a user', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  const move = async ({ token }: TestCustomer, kind: WidgetKind, order: number, version?: number) => {
    const widget = findWidget(await readHome(test, token), kind)
    const body = { order, size: widget.size, version: version ?? widget.version }
    return test.call(updateWidget, { token, params: { id: widget.id }, body })
  }

  it('start with a default for the type of account, numbered from 1, with ten kinds available', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const home = await readHome(test, company.token)
    expect(listKinds(home)).toEqual([
      'parcels_per_day',
      'parcels_by_status',
      'wallet',
      'on_time',
      'top_destinations',
      'spend_by_month',
      'spend_by_user',
      'banner',
    ])
    expect(home.widgets.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect([...listKinds(home), ...home.available]).toHaveLength(10)
    expect(home.available).toEqual(['failed_deliveries', 'outstanding'])
    const individual = await createCustomer(test)
    const alone = await readHome(test, individual.token)
    expect([...listKinds(alone), ...alone.available]).not.toContain('spend_by_user')
    expect(listKinds(alone)).toContain('outstanding')
  })

  it('are read, added, moved, resized and removed separately', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const { token } = owner
    const first = findWidget(await readHome(test, token), 'on_time')
    const read = await test.call(getWidget, { token, params: { id: first.id } })
    expect(read.body).toEqual(first)

    const addition = await test.call(addWidget, { token, body: { kind: 'outstanding', size: 'large', order: 2 } })
    expect(addition.body).toMatchObject({ kind: 'outstanding', size: 'large', order: 2, version: first.version + 1 })
    expect(addition.body.data).toEqual({ parcels: 0, dueMinor: 0, currency: 'MYR' })
    expect(listKinds(await readHome(test, token)).slice(0, 3)).toEqual([
      'parcels_per_day',
      'outstanding',
      'parcels_by_status',
    ])

    expect((await move(owner, 'banner', 1)).body).toMatchObject({ kind: 'banner', order: 1 })
    const home = await readHome(test, token)
    expect(listKinds(home)[0]).toBe('banner')
    expect(findWidget(home, 'on_time').id).toBe(first.id)
    const last = await move(owner, 'banner', 100)
    expect(last.body.order).toBe(home.widgets.length)

    const wallet = findWidget(await readHome(test, token), 'wallet')
    const body = { order: wallet.order, size: 'medium' as const, version: wallet.version }
    const resizing = await test.call(updateWidget, { token, params: { id: wallet.id }, body })
    expect(resizing.body).toMatchObject({ id: wallet.id, size: 'medium', order: wallet.order })

    const removal = await test.call(removeWidget, { token, params: { id: wallet.id } })
    expect(removal.status).toBe(200)
    const remainingHome = await readHome(test, token)
    expect(listKinds(remainingHome)).not.toContain('wallet')
    expect(remainingHome.available).toContain('wallet')
    expect(remainingHome.widgets.map(({ order }) => order)).toEqual(remainingHome.widgets.map((_, index) => index + 1))
    expect((await test.call(getWidget, { token, params: { id: wallet.id } })).status).toBe(404)
  })

  it('can all be removed, and stay removed', async () => {
    const { token } = await createCustomer(test)
    for (const { id } of (await readHome(test, token)).widgets)
      expect((await test.call(removeWidget, { token, params: { id } })).status).toBe(200)
    const home = await readHome(test, token)
    expect(home.widgets).toEqual([])
    expect(home.available).toHaveLength(9)
  })

  it('reject a stale version and a second widget of a kind, and change nothing', async () => {
    const owner = await createCustomer(test)
    const { version } = findWidget(await readHome(test, owner.token), 'wallet')
    expect((await move(owner, 'banner', 1, version)).status).toBe(200)
    const stale = await move(owner, 'wallet', 1, version)
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const secondWidget = await test.call(addWidget, { token: owner.token, body: { kind: 'wallet' } })
    expect([secondWidget.status, secondWidget.error.code]).toEqual([409, 'widget_exists'])
    const home = await readHome(test, owner.token)
    expect(listKinds(home)[0]).toBe('banner')
    expect(home.widgets[0]?.version).toBe(version + 1)
  })

  it('reject one of two concurrent moves with a version conflict', async () => {
    const owner = await createCustomer(test)
    const { version } = findWidget(await readHome(test, owner.token), 'wallet')
    const answers = await Promise.all([move(owner, 'banner', 1, version), move(owner, 'wallet', 1, version)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('belong to one user, and are not visible to colleagues or other accounts', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const colleague = await createMember(test, company, ['reports', 'wallet', 'pay'])
    const stranger = await createCustomer(test)
    const { id, version, order, size } = findWidget(await readHome(test, company.token), 'banner')
    for (const { token } of [colleague, stranger]) {
      const call = { token, params: { id } }
      const answers = [
        await test.call(getWidget, call),
        await test.call(updateWidget, { ...call, body: { order, size, version } }),
        await test.call(removeWidget, call),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
    expect((await move(colleague, 'banner', 1)).status).toBe(200)
    expect(listKinds(await readHome(test, company.token))[0]).not.toBe('banner')
  })

  it('hide amounts from a user without the right to see them, who cannot add such widgets either', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, company, ['parcels.create', 'parcels.view_all'])
    await createParcel(test, company, { status: 'outstanding', delivery_mode: 'P2D', amount_due_minor: 123_456 })
    const home = await readHome(test, member.token)
    expect(JSON.stringify(home)).not.toMatch(/Minor|123456/)
    for (const kind of moneyKinds) {
      expect([...listKinds(home), ...home.available]).not.toContain(kind)
      const answer = await test.call(addWidget, { token: member.token, body: { kind } })
      expect([answer.status, answer.error.code]).toEqual([403, 'forbidden'])
    }
  })

  it('are hidden when the user loses a right, and come back with the right', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, company, ['wallet'])
    const { db, tokens } = test.deps
    const wallet = findWidget(await readHome(test, member.token), 'wallet')
    expect((await move(member, 'wallet', 1)).status).toBe(200)
    const session = await db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', member.userId)
      .executeTakeFirstOrThrow()
    const claims = { k: 'c', sub: member.userId, sid: session.id, a: member.accountId, ut: 'corporate' } as const
    const status = { as: 'active', us: 'active' } as const
    const without = await tokens.sign({ ...claims, ...status, o: false, p: [] }, { readAt: test.clock.now() })
    expect(listKinds(await readHome(test, without))).not.toContain('wallet')
    const call = { token: without, params: { id: wallet.id } }
    expect((await test.call(getWidget, call)).status).toBe(404)
    expect((await test.call(removeWidget, call)).status).toBe(404)
    const banner = findWidget(await readHome(test, without), 'banner')
    const body = { order: 1, size: banner.size, version: banner.version }
    expect((await test.call(updateWidget, { token: without, params: { id: banner.id }, body })).status).toBe(200)
    expect(listKinds(await readHome(test, member.token))).toContain('wallet')
  })

  it('name the fields of invalid input', async () => {
    const { token } = await createCustomer(test)
    const { id, version } = findWidget(await readHome(test, token), 'banner')
    const body = { order: 0, size: 'huge', version } as unknown as { order: number; size: 'small'; version: number }
    const answer = await test.call(updateWidget, { token, params: { id }, body })
    expect(answer.status).toBe(422)
    expect(answer.error.errors?.map(({ field }) => field).sort()).toEqual(['order', 'size'])
    const unknown = await test.call(addWidget, { token, body: { kind: 'stocks' as WidgetKind } })
    expect(unknown.status).toBe(422)
    expect(unknown.error.errors?.map(({ field }) => field)).toEqual(['kind'])
  })
})
