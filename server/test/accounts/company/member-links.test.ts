import { resendCredential, setMemberStatus } from '@waybill/contract/accounts/company'
import { forgetPassword, resetPassword } from '@waybill/contract/accounts/sign-in'
import { beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { latestMail, readLinkToken } from '../../testing/factories/newcomers.ts'

let test: TestApp
let owner: TestCustomer
beforeAll(async () => {
  test = await buildTestApp()
  owner = await createCustomer(test, { userType: 'corporate' })
})

it('voids the links and codes of a blocked member, also after the member is active again', async () => {
  const { userId: id, email } = await createMember(test, owner, [], { password: 'a long enough one' })
  await test.call(resendCredential, { token: owner.token, params: { id } })
  await test.settle()
  const link = await readLinkToken(await latestMail(test, email))
  await test.call(forgetPassword, { body: { email } })
  await test.settle()
  const reset = await readLinkToken(await latestMail(test, email))
  expect(new Set([link, reset]).size).toBe(2)
  for (const status of ['blacklisted', 'active'] as const)
    await test.call(setMemberStatus, { token: owner.token, params: { id, status } })
  for (const linkToken of [link, reset]) {
    const answer = await test.call(resetPassword, { body: { linkToken, password: 'another long one' } })
    expect(answer.error.code).toBe('code_expired')
  }
})

it('lets no member mail a link to the owner, or to a member with more rights', async () => {
  const [manager, payer] = [await createMember(test, owner, ['users']), await createMember(test, owner, ['pay'])]
  const resend = (to: TestCustomer, by: TestCustomer) =>
    test.call(resendCredential, { token: by.token, params: { id: to.userId } })
  expect((await resend(owner, manager)).error.code).toBe('member_is_owner')
  expect((await resend(payer, manager)).error.code).toBe('member_rights')
  // Refusals use up none of the mails.
  expect((await resend(payer, owner)).status).toBe(200)
  expect((await resend(await createMember(test, owner, ['users']), manager)).status).toBe(200)
})
