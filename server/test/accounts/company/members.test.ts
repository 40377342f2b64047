import {
  createMember,
  getMember,
  listMembers,
  type Member,
  memberActivity,
  removeMember,
  resendCredential,
  setMemberStatus,
  updateMember,
} from '@waybill/contract/accounts/company'
import { login, refresh, resetPassword } from '@waybill/contract/accounts/sign-in'
import type { MemberPermission } from '@waybill/contract/ground/enums/enums'
import { getSelector } from '@waybill/contract/settings/settings'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { excessiveRights, manageRefusal } from '../../../src/domains/accounts/company/rules.ts'
import { days, minutes } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, everyPermission, type TestCustomer } from '../../testing/factories/accounts.ts'

let serial = 0
const makeEmail = () => `new${++serial}@company.test`

describe('members of a company', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test, { userType: 'corporate' })
  })

  const addMember = (permissions: MemberPermission[] = [], accountId = owner.accountId) =>
    createCustomer(test, { accountId, userType: 'corporate', isOwner: false, permissions })
  const get = async (id: string, by = owner) => (await test.call(getMember, { token: by.token, params: { id } })).body
  const add = (body: Partial<Parameters<typeof buildInput>[0]> = {}, by = owner) =>
    test.call(createMember, { token: by.token, body: buildInput(body) })
  const buildInput = (member: {
    email?: string
    name?: string
    permissions?: MemberPermission[]
    monthlyLimitMinor?: number | null
    phone?: string
  }) => ({ name: 'Nor Aini', email: makeEmail(), permissions: ['parcels.create' as const], ...member })
  const change = async (id: string, changes: Partial<Member>, by = owner) => {
    const { name, phone, jobTitle, costCentre, permissions, monthlyLimitMinor, version } = {
      ...(await get(id)),
      ...changes,
    }
    const body = { name, phone, jobTitle, costCentre, permissions, monthlyLimitMinor, version }
    return test.call(updateMember, { token: by.token, params: { id }, body })
  }
  const setStatus = (id: string, to: 'active' | 'inactive' | 'blacklisted', by = owner) =>
    test.call(setMemberStatus, { token: by.token, params: { id, status: to } })
  const getLinkTo = async (email: string) => {
    await test.settle()
    const mail = test.mailbox.mails().find(({ to }) => to.includes(email))
    return /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }
  const choose = (linkToken: string, password = 'a long enough one') =>
    test.call(resetPassword, { body: { linkToken, password } })

  it('creates a member with a link for a first password, which works once', async () => {
    const email = makeEmail()
    const member = await add({ email, permissions: ['parcels.create', 'pay'], monthlyLimitMinor: 50_000 })
    expect(member.body).toMatchObject({ email, invited: true, status: 'active', monthlyLimitMinor: 50_000, version: 1 })
    expect((await test.call(login, { body: { email, password: 'a long enough one' } })).status).toBe(401)
    const token = await getLinkTo(email)
    expect((await choose(token, 'password12')).error.code).toBe('password_common')
    expect((await choose(token)).status).toBe(200)
    expect((await choose(token)).error.code).toBe('code_used')
    const session = await test.call(login, { body: { email, password: 'a long enough one' } })
    expect(session.body.user.account?.memberPermissions).toEqual(['parcels.create', 'pay'])
    expect((await get(member.body.id)).invited).toBe(false)
    await test.settle()
    const subjects = test.mailbox
      .mails()
      .filter(({ to }) => to.includes(email))
      .map(({ subject }) => subject)
    expect(subjects).toHaveLength(1)
  })

  it('sends another link, which voids the previous one, at a limited rate and to active members only', async () => {
    const email = makeEmail()
    const { id } = (await add({ email })).body
    const first = await getLinkTo(email)
    const resendLink = (of = id, by = owner) => test.call(resendCredential, { token: by.token, params: { id: of } })
    expect((await resendLink()).body.email).toBe(email)
    const second = await getLinkTo(email)
    expect((await choose(first)).error.code).toBe('code_expired')
    expect((await resendLink()).status).toBe(200)
    expect((await resendLink()).status).toBe(429)
    expect((await choose(second)).error.code).toBe('code_expired')
    const third = await getLinkTo(email)
    test.clock.advance(days(3) + 1000)
    owner = await createCustomer(test, { accountId: owner.accountId, userType: 'corporate' })
    expect((await choose(third)).error.code).toBe('code_expired')
    await setStatus(id, 'blacklisted')
    expect((await resendLink()).error.code).toBe('member_blocked')
  })

  it('removes withdrawn permissions at once and voids the old token', async () => {
    const clerk = await addMember(['parcels.create', 'users'])
    expect((await test.call(listMembers, { token: clerk.token })).status).toBe(200)
    const answer = await change(clerk.userId, {
      permissions: ['parcels.create'],
      jobTitle: 'Clerk',
      costCentre: 'KL-1',
    })
    expect(answer.body).toMatchObject({
      permissions: ['parcels.create'],
      jobTitle: 'Clerk',
      costCentre: 'KL-1',
      version: 2,
    })
    expect((await test.call(listMembers, { token: clerk.token })).status).toBe(401)
  })

  it('rejects a change with a stale version', async () => {
    const clerk = await addMember()
    expect((await change(clerk.userId, { version: 1, name: 'A' })).status).toBe(200)
    expect((await change(clerk.userId, { version: 1, name: 'B' })).error.code).toBe('version_conflict')
    expect((await get(clerk.userId)).name).toBe('A')
  })

  it('lets no member grant permissions that they do not have, or raise their own', async () => {
    const clerk = await addMember(['users', 'parcels.create'])
    expect((await add({ permissions: ['pay'] }, clerk)).error).toMatchObject({
      code: 'member_rights',
      errors: [{ field: 'permissions' }],
    })
    expect((await add({ permissions: ['parcels.create'] }, clerk)).status).toBe(200)
    expect((await change(clerk.userId, { permissions: ['users', 'pay'] }, clerk)).error.code).toBe('member_rights')
    const payer = await addMember(['pay'])
    expect((await change(payer.userId, { name: 'Mine now' }, clerk)).error.code).toBe('member_rights')
    expect((await setStatus(payer.userId, 'blacklisted', clerk)).error.code).toBe('member_rights')
    expect((await get(payer.userId, clerk)).editable).toBe(false)

    const later = await addMember(['users'])
    await change(later.userId, { monthlyLimitMinor: 1000 })
    const limitedMember = await addMember(['users'])
    await test.deps.db
      .updateTable('users')
      .set({ monthly_limit_minor: 1000 })
      .where('id', '=', limitedMember.userId)
      .execute()
    expect(
      (await change(limitedMember.userId, { monthlyLimitMinor: null }, limitedMember)).error.errors?.[0]?.field,
    ).toBe('monthlyLimitMinor')
    expect((await change(later.userId, { monthlyLimitMinor: 1001 }, limitedMember)).error.code).toBe('member_rights')
    expect((await change(later.userId, { monthlyLimitMinor: 900 }, limitedMember)).body.monthlyLimitMinor).toBe(900)
  })

  it('lets no member change the owner, or block or remove themselves', async () => {
    const second = await addMember(everyPermission)
    for (const by of [owner, second]) {
      expect((await setStatus(owner.userId, 'inactive', by)).error.code).toBe('member_is_owner')
      expect((await change(owner.userId, { name: 'X' }, by)).error.code).toBe('member_is_owner')
      const removal = await test.call(removeMember, { token: by.token, params: { id: owner.userId } })
      expect(removal.error.code).toBe('member_is_owner')
    }
    expect((await setStatus(second.userId, 'inactive', second)).error.code).toBe('member_is_you')
    expect((await test.call(removeMember, { token: second.token, params: { id: second.userId } })).error.code).toBe(
      'member_is_you',
    )
  })

  it('signs blocked members out, gives suspended ones read access, and lets both be reactivated', async () => {
    const email = makeEmail()
    const { id } = (await add({ email })).body
    await choose(await getLinkTo(email))
    const signIn = () => test.call(login, { body: { email, password: 'a long enough one' } })
    const session = (await signIn()).body
    expect((await setStatus(id, 'inactive')).body.status).toBe('inactive')
    expect((await test.call(refresh, { body: { refreshToken: session.refreshToken } })).body.user.status).toBe(
      'inactive',
    )
    await setStatus(id, 'blacklisted')
    expect((await test.call(refresh, { body: { refreshToken: session.refreshToken } })).status).toBe(401)
    expect((await signIn()).error.code).toBe('account_blocked')
    await setStatus(id, 'active')
    expect((await signIn()).status).toBe(200)
  })

  it('removes a member for good: no sign-in, a free address, and the name kept in the history', async () => {
    const email = makeEmail()
    const { id } = (await add({ email, name: 'Leaving Soon' })).body
    const link = await getLinkTo(email)
    expect((await test.call(removeMember, { token: owner.token, params: { id } })).status).toBe(200)
    expect((await choose(link)).status).toBe(422)
    expect((await test.call(getMember, { token: owner.token, params: { id } })).status).toBe(404)
    expect((await test.call(removeMember, { token: owner.token, params: { id } })).status).toBe(404)
    const { items } = (await test.call(listMembers, { token: owner.token, query: { limit: 200 } })).body
    expect(items.map((each) => each.id)).not.toContain(id)
    expect((await add({ email })).status).toBe(200)
    const members = await test.call(getSelector, { token: owner.token, params: { name: 'corporate-users' } })
    expect(members.body.items).toContainEqual({ value: id, label: 'Leaving Soon' })
  })

  it.each([
    ['an address of the same company', async () => ({ email: (await addMember()).email }), 'email'],
    ['an address that the same company has invited', async () => ({ email: (await add()).body.email }), 'email'],
    ['no address', async () => ({ email: 'nobody' }), 'email'],
    ['an unknown permission', async () => ({ permissions: ['everything' as MemberPermission] }), 'permissions.0'],
    ['a negative limit', async () => ({ monthlyLimitMinor: -1 }), 'monthlyLimitMinor'],
    ['an impossible phone number', async () => ({ phone: '+60999' }), 'phone'],
    ['no name', async () => ({ name: '  ' }), 'name'],
    ['a link as the name', async () => ({ name: 'Your parcel: https://host.example' }), 'name'],
  ])('rejects a new member with %s', async (_, overrides, field) => {
    const answer = await add(await overrides())
    expect(answer.status).toBe(422)
    expect(answer.error.errors?.map((each) => each.field)).toEqual([field])
  })

  it('returns the same answer whether or not the address has an account; only its owner is notified', async () => {
    const customer = await createCustomer(test, { name: 'Lim Ah Seng', language: 'cn_zh' })
    const unknown = makeEmail()
    const shapes: object[] = []
    for (const email of [customer.email, unknown]) {
      const member = await add({ email })
      const { id } = member.body
      const list = await test.call(listMembers, { token: owner.token, query: { search: email } })
      const resend = await test.call(resendCredential, { token: owner.token, params: { id } })
      const secondInvitation = await add({ email })
      await test.settle()
      const anyValues = { id: '', email: '', createdAt: '' }
      shapes.push({
        made: [member.status, { ...member.body, ...anyValues }],
        listed: list.body.items.map((item) => ({ ...item, ...anyValues })),
        again: [resend.status, resend.body.email === email],
        twice: [secondInvitation.status, secondInvitation.error.code],
        seen: (await get(id)).email === email,
      })
    }
    expect(shapes[0]).toEqual(shapes[1])
    const findMailTo = (email: string) => test.mailbox.mails().find(({ to }) => to.includes(email))
    expect(findMailTo(customer.email)?.subject).toContain('想邀请您加入')
    expect(findMailTo(customer.email)?.text).toContain('Lim Ah Seng')
    expect(findMailTo(customer.email)?.text).toContain('您的原账户不受影响')
    expect(findMailTo(customer.email)?.text).not.toContain('token=')
    expect(findMailTo(unknown)?.text).toContain('token=')
  })

  it('gives the address to the first member who sets a password, not to the first one invited', async () => {
    const email = makeEmail()
    const elsewhere = await createCustomer(test, { userType: 'corporate' })
    await add({ email })
    const first = await getLinkTo(email)
    expect((await add({ email }, elsewhere)).status).toBe(200)
    const second = await getLinkTo(email)
    expect(second).not.toBe(first)
    expect((await choose(second)).status).toBe(200)
    const session = await test.call(login, { body: { email, password: 'a long enough one' } })
    expect(session.body.user.account?.id).toBe(elsewhere.accountId)
    expect((await choose(first)).error).toMatchObject({ code: 'email_taken', errors: [{ field: 'email' }] })
    const user = await test.deps.db
      .selectFrom('users')
      .select(['email', 'invited_email'])
      .where('account_id', '=', owner.accountId)
      .where('invited_email', '=', email)
      .executeTakeFirstOrThrow()
    expect(user.email).toMatch(/@invited\.invalid$/)
  })

  it('limits the rate of invitations', async () => {
    const boss = await createCustomer(test, { userType: 'corporate' })
    const statuses: number[] = []
    for (let each = 0; each < 33; each += 1) statuses.push((await add({}, boss)).status)
    expect(statuses.filter((code) => code === 200)).toHaveLength(30)
    const refusal = await add({}, boss)
    expect(refusal.error.code).toBe('too_many_requests')
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(200)
    // After a wait invitations are possible again. Other companies are not affected by the limit.
    test.clock.advance(minutes(5))
    boss.token = (await createCustomer(test, { userType: 'corporate', accountId: boss.accountId })).token
    expect((await add({}, boss)).status).toBe(200)
    expect((await add({}, boss)).status).toBe(429)
    const other = await createCustomer(test, { userType: 'corporate' })
    expect((await add({}, other)).status).toBe(200)
  })

  it('hides members from other companies', async () => {
    const stranger = await createCustomer(test, { userType: 'corporate' })
    const clerk = await addMember()
    const params = { id: clerk.userId }
    const { token } = stranger
    const body = { name: 'X', permissions: [], version: 1 }
    const answers = await Promise.all([
      test.call(getMember, { token, params }),
      test.call(updateMember, { token, params, body }),
      test.call(setMemberStatus, { token, params: { ...params, status: 'inactive' } }),
      test.call(removeMember, { token, params }),
      test.call(resendCredential, { token, params }),
      test.call(memberActivity, { token, params }),
      test.call(getMember, { token: owner.token, params: { id: newId() } }),
    ])
    expect(answers.map((each) => each.status)).toEqual(answers.map(() => 404))
    const unknownStatus = await test.call(setMemberStatus, {
      token: owner.token,
      params: { ...params, status: 'gone' as 'active' },
    })
    expect(unknownStatus.status).toBe(422)
  })

  it('lists the owner, searches and counts members, and shows the activity of each', async () => {
    const boss = await createCustomer(test, { userType: 'corporate', name: 'Zoe Boss' })
    const [anna, ben] = [await add({ name: 'Anna Lim' }, boss), await add({ name: 'Ben Tan' }, boss)]
    await setStatus(ben.body.id, 'inactive', boss)
    const list = (query: object) => test.call(listMembers, { token: boss.token, query })
    const all = (await list({ sort: '+name' })).body
    expect(all.items.map(({ name }) => name)).toEqual(['Zoe Boss', 'Anna Lim', 'Ben Tan'])
    expect(all.counts).toEqual({ all: 3, invited: 1, active: 1, inactive: 1, blacklisted: 0 })
    expect((await list({ search: 'anna' })).body.items.map(({ id }) => id)).toEqual([anna.body.id])
    expect((await list({ tab: 'invited' })).body.items.map(({ id }) => id)).toEqual([anna.body.id])
    expect((await list({ tab: 'inactive' })).body.items.map(({ id }) => id)).toEqual([ben.body.id])
    const activity = await test.call(memberActivity, { token: boss.token, params: { id: boss.userId } })
    expect(activity.body.items.map(({ action }) => action)).toEqual([
      'corporate.memberStatus',
      'corporate.memberAdded',
      'corporate.memberAdded',
    ])
  })
})

describe('rights to change members', () => {
  const permissions = fc.subarray(everyPermission)
  const limit = fc.option(fc.nat(1000))
  const rights = fc.record({
    id: fc.constantFrom('a', 'b'),
    isOwner: fc.boolean(),
    permissions,
    monthlyLimitMinor: limit,
  })

  it('never increases rights: only an owner can grant more rights than their own', () => {
    fc.assert(
      fc.property(rights, rights, permissions, limit, (actor, target, input, monthlyLimitMinor) => {
        fc.pre(!actor.isOwner)
        if (manageRefusal(actor, target) !== null) return
        if (excessiveRights(actor, { permissions: input, monthlyLimitMinor }, target).length > 0) return
        expect(target.isOwner).toBe(false)
        expect(actor.permissions).toEqual(expect.arrayContaining(input))
        const most = actor.monthlyLimitMinor ?? Number.POSITIVE_INFINITY
        const remainder = monthlyLimitMinor ?? Number.POSITIVE_INFINITY
        expect(remainder <= most || monthlyLimitMinor === target.monthlyLimitMinor).toBe(true)
      }),
    )
  })
})
