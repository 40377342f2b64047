import { acceptOwnership, offerOwnership } from '@waybill/contract/accounts/ownership'
import { login } from '@waybill/contract/accounts/sign-in'
import { listApiKeys } from '@waybill/contract/integrations/api-keys'
import { listParcels } from '@waybill/contract/parcels/list'
import { beforeAll, describe, expect, it } from 'vitest'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember } from '../../testing/factories/accounts.ts'
import { createApiKey } from '../../testing/factories/api-keys.ts'

const password = 'correct horse battery'

describe('API keys of a company that is handed over', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  it('are revoked: the former owner knows them, and they can do more than a member', async () => {
    const owner = await createCustomer(test, { userType: 'corporate', password })
    const member = await createMember(test, owner, [], { password })
    const { id, secret } = await createApiKey(test, owner, ['parcels', 'payments'])
    const callWithKey = async () => (await test.call(listParcels, { token: secret })).status
    expect(await callWithKey()).toBe(200)

    const body = { memberId: member.userId, currentPassword: password }
    const offer = await test.call(offerOwnership, { token: owner.token, body })
    const accepted = await test.call(acceptOwnership, { token: member.token, params: { id: offer.body.id } })
    expect(accepted.status).toBe(200)
    await test.settle()
    expect(await callWithKey()).toBe(401)
    const { token } = (await test.call(login, { body: { email: member.email, password } })).body
    expect((await test.call(listApiKeys, { token })).body.items).toMatchObject([{ id, status: 'revoked' }])
    const log = await listActivities(test, { subject: id })
    expect(log).toMatchObject([{ action: 'apiKeys.revoked', user_id: member.userId }])
  })
})
