import { createMember as inviteMember, removeMember, setMemberStatus } from '@waybill/contract/accounts/company'
import * as ownership from '@waybill/contract/accounts/ownership'
import { mailProofCode } from '@waybill/contract/accounts/proof'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import type { MemberPermission } from '@waybill/contract/ground/enums/enums'
import { beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { wrongCode } from '../../testing/factories/newcomers.ts'
import { readMailedProof } from '../../testing/factories/proof.ts'

const currentPassword = 'correct horse battery'
let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})

async function createCompany(permissions: MemberPermission[] = ['addresses']) {
  const owner = await createCustomer(test, { userType: 'corporate', password: currentPassword })
  const member = await createMember(test, owner, permissions, { language: 'cn_zh' })
  return { owner, member }
}

const { acceptOwnership, declineOwnership, withdrawOwnership } = ownership
const decisions = { acceptOwnership, declineOwnership, withdrawOwnership }
const offer = ({ token }: TestCustomer, memberId: string, body: object = {}) =>
  test.call(ownership.offerOwnership, { token, body: { memberId, currentPassword, ...body } })
const decide = (what: keyof typeof decisions, { token }: TestCustomer, id: string) =>
  test.call(decisions[what], { token, params: { id } })
const openOffer = async ({ token }: TestCustomer) =>
  (await test.call(ownership.getOwnershipOffer, { token })).body.offer
const getUser = ({ userId }: TestCustomer) =>
  test.deps.db
    .selectFrom('users')
    .select(['is_owner', 'permissions'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
const listMailsTo = ({ email }: TestCustomer) => test.mailbox.mails().filter(({ to }) => to.includes(email))

describe('ownership offers', () => {
  it('swap the rights of owner and member when the member accepts, and notify both by email', async () => {
    const { owner, member } = await createCompany(['addresses', 'pay'])
    const firstOffer = (await offer(owner, member.userId)).body
    expect(firstOffer).toMatchObject({ from: { id: owner.userId }, to: { id: member.userId }, toYou: false })
    expect(await openOffer(member)).toMatchObject({ id: firstOffer.id, toYou: true })
    await expect.poll(() => listMailsTo(member).length).toBe(1)

    expect((await decide('acceptOwnership', member, firstOffer.id)).status).toBe(200)
    expect(await getUser(member)).toMatchObject({ is_owner: true, permissions: [] })
    expect(await getUser(owner)).toMatchObject({ is_owner: false, permissions: ['addresses', 'pay'] })
    // Tokens with the former rights are void.
    for (const { token } of [owner, member]) expect((await test.call(getProfile, { token })).status).toBe(401)
    await expect.poll(() => [listMailsTo(owner).length, listMailsTo(member).length]).toEqual([1, 2])
    const log = await listActivities(test, { subject: firstOffer.id })
    expect(log).toMatchObject([
      { action: 'corporate.ownershipOffered', user_id: owner.userId },
      { action: 'corporate.ownershipAccepted', user_id: member.userId },
    ])
  })

  it('take effect once, even if the member accepts twice at the same moment', async () => {
    const { owner, member } = await createCompany()
    const { id } = (await offer(owner, member.userId)).body
    const answers = await Promise.all([1, 2].map(() => decide('acceptOwnership', member, id)))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect([(await getUser(owner)).is_owner, (await getUser(member)).is_owner]).toEqual([false, true])
  })

  it('require a mailed code from an owner without a password, for this step and this user only', async () => {
    const { owner, member } = await createCompany()
    const colleague = await createMember(test, owner, [])
    const set = { password_hash: null }
    await test.deps.db.updateTable('users').set(set).where('id', '=', owner.userId).execute()
    expect((await offer(owner, member.userId)).error).toMatchObject({ errors: [{ field: 'code' }] })
    const proofs = [
      await readMailedProof(test, owner, 'delete_account'),
      await readMailedProof(test, colleague, 'offer_ownership'),
    ]
    for (const proof of proofs) expect((await offer(owner, member.userId, proof)).error.code).toBe('code_wrong')
    const proof = await readMailedProof(test, owner, 'offer_ownership')
    const guess = { ...proof, code: wrongCode(proof.code) }
    expect((await offer(owner, member.userId, guess)).error.code).toBe('code_wrong')
    // A refusal of another kind does not use up the code.
    expect((await offer(owner, newId(), proof)).error.code).toBe('not_found')
    expect((await offer(owner, member.userId, proof)).body).toMatchObject({ to: { id: member.userId } })
    expect((await offer(owner, colleague.userId, proof)).error.code).toBe('code_used')
  })

  it('void a code after five wrong attempts, and limit the mails of all steps together', async () => {
    const { owner, member } = await createCompany()
    const set = { password_hash: null }
    await test.deps.db.updateTable('users').set(set).where('id', '=', owner.userId).execute()
    const proof = await readMailedProof(test, owner, 'offer_ownership')
    const guess = { ...proof, code: wrongCode(proof.code) }
    const errors: string[] = []
    for (let each = 0; each < 5; each += 1) errors.push((await offer(owner, member.userId, guess)).error.code)
    expect(errors).toEqual([...Array(4).fill('code_wrong'), 'code_void'])
    expect((await offer(owner, member.userId, proof)).error.code).toBe('code_void')
    await readMailedProof(test, owner, 'connect_identity')
    const { token } = owner
    expect((await test.call(mailProofCode, { token, body: { step: 'delete_account' } })).status).toBe(429)
  })

  it('do not accept a mailed code from an owner with a password', async () => {
    const { owner, member } = await createCompany()
    const proof = await readMailedProof(test, owner, 'offer_ownership')
    const refusal = await offer(owner, member.userId, { ...proof, currentPassword: undefined })
    expect(refusal).toMatchObject({ status: 422, error: { errors: [{ field: 'currentPassword' }] } })
  })

  it("require the owner's password, and an active member who has signed in before", async () => {
    const { owner, member } = await createCompany()
    const wrong = await offer(owner, member.userId, { currentPassword: 'something else' })
    expect([wrong.status, wrong.error.code]).toEqual([422, 'password_wrong'])
    const stranger = await createCustomer(test)
    expect((await offer(owner, stranger.userId)).error.code).toBe('not_found')
    expect((await offer(owner, newId())).error.code).toBe('not_found')
    expect((await offer(owner, owner.userId)).error.code).toBe('ownership_member')
    const body = { name: 'Invited', email: 'invited@company.test', permissions: [] }
    const newMember = (await test.call(inviteMember, { token: owner.token, body })).body
    expect((await offer(owner, newMember.id)).error.code).toBe('ownership_member')
    expect((await offer(member, owner.userId)).status).toBe(403)
    const params = { id: member.userId, status: 'inactive' as const }
    await test.call(setMemberStatus, { token: owner.token, params })
    expect((await offer(owner, member.userId)).error.code).toBe('ownership_member')
    expect(await openOffer(owner)).toBeNull()
  })

  it('can be declined only by the member and withdrawn only by the owner', async () => {
    const { owner, member } = await createCompany()
    const other = await createMember(test, owner, ['users'])
    const elsewhere = await createCompany()
    const { id } = (await offer(owner, member.userId)).body
    expect((await offer(owner, other.userId)).error.code).toBe('ownership_offer_open')
    expect(await openOffer(other)).toBeNull()
    for (const caller of [other, elsewhere.member, elsewhere.owner, owner])
      expect((await decide('acceptOwnership', caller, id)).status).toBe(404)
    for (const caller of [other, elsewhere.owner])
      expect((await decide('declineOwnership', caller, id)).status).toBe(404)
    expect((await decide('withdrawOwnership', elsewhere.owner, id)).status).toBe(404)
    expect((await decide('withdrawOwnership', member, id)).status).toBe(403)
    expect((await decide('declineOwnership', member, id)).status).toBe(200)
    expect((await decide('acceptOwnership', member, id)).error.code).toBe('ownership_offer_over')
    const secondOffer = (await offer(owner, other.userId)).body
    expect((await decide('withdrawOwnership', owner, secondOffer.id)).status).toBe(200)
    expect((await decide('acceptOwnership', other, secondOffer.id)).error.code).toBe('ownership_offer_over')
    expect((await getUser(owner)).is_owner).toBe(true)
  })

  it('expire after seven days, and when the member is removed', async () => {
    const { owner, member } = await createCompany()
    const first = (await offer(owner, member.userId)).body
    await test.deps.db
      .updateTable('ownership_offers')
      .set({ expires_at: new Date(test.clock.now().getTime() - 1) })
      .where('id', '=', first.id)
      .execute()
    expect(new Date(first.expiresAt).getTime() - new Date(first.createdAt).getTime()).toBe(days(7))
    expect(await openOffer(owner)).toBeNull()
    expect((await decide('acceptOwnership', member, first.id)).error.code).toBe('ownership_offer_over')
    expect((await offer(owner, member.userId)).status).toBe(200)
    await test.call(removeMember, { token: owner.token, params: { id: member.userId } })
    expect(await openOffer(owner)).toBeNull()
  })
})
