import { listAddresses, updateAddress } from '@waybill/contract/addresses/addresses'
import {
  answerAddressRequest,
  createAddressRequest,
  getPublicAddressRequest,
  listAddressRequests,
  withdrawAddressRequest,
} from '@waybill/contract/addresses/requests'
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepAddresses } from '../../src/domains/addresses/jobs.ts'
import { days, later, minutes } from '../../src/lib/clock.ts'
import { sha256 } from '../../src/lib/crypto.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})
// All requests come from one IP address, whose rate limit would stop the later tests.
beforeEach(async () => {
  await test.deps.db.deleteFrom('rate_limits').execute()
})

const receiver = {
  contactName: 'Farah binti Osman',
  phone: '+60123847265',
  line1: '8, Lorong Meranti 2',
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
}

async function makeLink(sender: TestCustomer, body: { label?: string; email?: string } = {}) {
  const { status, body: answer } = await test.call(createAddressRequest, { token: sender.token, body })
  expect(status).toBe(200)
  return { id: answer.request.id, url: answer.url, token: answer.url.split('/').at(-1) as string }
}

const answer = (token: string, body: object = receiver) =>
  test.call(answerAddressRequest, { params: { token }, body: body as typeof receiver })
const look = (token: string) => test.call(getPublicAddressRequest, { params: { token } })
const listBook = async (sender: TestCustomer) => (await test.call(listAddresses, { token: sender.token })).body.items
const listLinks = async (sender: TestCustomer) => (await test.call(listAddressRequests, { token: sender.token })).body

describe('an address link', () => {
  it("stores the receiver's address in the sender's address book, marked as new, and emails the sender", async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender, { label: 'Aunt Farah' })
    expect((await answer(token)).body).toEqual({ ok: true })
    const [address, ...others] = await listBook(sender)
    expect(others).toEqual([])
    expect(address).toMatchObject({ ...receiver, label: 'Aunt Farah', kind: 'receiver', isNew: true })
    expect((await listLinks(sender)).items).toMatchObject([{ status: 'answered', addressId: address?.id }])
    await test.settle()
    const mail = test.mailbox.mails().find(({ subject }) => subject === 'Farah binti Osman has filled in an address')
    expect(mail?.text).toContain('Farah binti Osman in Kuala Lumpur has used your link.')
  })

  it('takes a phone number of another country than that of the address', async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender)
    expect((await answer(token, { ...receiver, phone: '+6591234567' })).body).toEqual({ ok: true })
    expect((await listBook(sender))[0]).toMatchObject({ country: 'my', phone: '+6591234567' })
  })

  it('loses the mark "new" after the sender saves the address', async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender)
    await answer(token)
    const [address] = await listBook(sender)
    if (!address) throw new Error('no address')
    const { id, version, createdAt: _c, updatedAt: _u, isNew: _n, overridden: _o, ...content } = address
    await test.call(updateAddress, { token: sender.token, params: { id }, body: { ...content, version } })
    expect(await listBook(sender)).toMatchObject([{ id, isNew: false }])
  })

  it("shows the sender's name and nothing else of the account", async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender, { label: 'Secret project' })
    const { body, raw } = await look(token)
    expect(Object.keys(body).sort()).toEqual(['country', 'expiresAt', 'senderName', 'timezone'])
    const account = await test.deps.db
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', sender.accountId)
      .executeTakeFirstOrThrow()
    expect(body.senderName).toBe(account.name)
    expect(raw.toString()).not.toContain('Secret project')
  })

  it('works once, even if two answers arrive at the same moment', async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender)
    const answers = await Promise.all([answer(token), answer(token), answer(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(await listBook(sender)).toHaveLength(1)
    const secondAnswer = await answer(token, { ...receiver, contactName: 'Somebody else' })
    expect(secondAnswer.error.code).toBe('address_link_used')
    expect((await look(token)).error.code).toBe('address_link_used')
    expect(await listBook(sender)).toHaveLength(1)
  })

  it('stays open while the answer is invalid', async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender)
    const wrong = await answer(token, { ...receiver, postcode: '99999' })
    expect(wrong.error).toMatchObject({ code: 'postcode_unknown', errors: [{ field: 'postcode' }] })
    expect(await listBook(sender)).toHaveLength(0)
    expect((await answer(token)).status).toBe(200)
  })

  it('lets the receiver confirm a city that does not belong to the postcode', async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender)
    const body = { ...receiver, city: 'Johor Bahru' }
    expect((await answer(token, body)).error).toMatchObject({ code: 'city_mismatch', details: { override: ['city'] } })
    expect((await answer(token, { ...body, override: ['city'] })).status).toBe(200)
    expect(await listBook(sender)).toMatchObject([{ city: 'Johor Bahru', overridden: ['city'] }])
  })

  it('expires after the default number of days', async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender)
    test.clock.advance(days(7) - minutes(1))
    expect((await look(token)).status).toBe(200)
    test.clock.advance(minutes(2))
    expect((await look(token)).error.code).toBe('address_link_expired')
    expect((await answer(token)).error.code).toBe('address_link_expired')
    // The session has expired too, so the test reads the database.
    const rows = await test.deps.db
      .selectFrom('addresses')
      .select('id')
      .where('account_id', '=', sender.accountId)
      .execute()
    expect(rows).toEqual([])
  })

  it('is valid for the number of days in the setting', async () => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    const setLinkDays = (linkDays: number) =>
      test.call(putSettings, { token, body: { values: { 'addresses.linkDays': linkDays } } })
    expect((await setLinkDays(2)).status).toBe(200)
    const sender = await createCustomer(test)
    const link = await test.call(createAddressRequest, { token: sender.token, body: {} })
    const { createdAt, expiresAt } = link.body.request
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(days(2))
    expect((await setLinkDays(0)).status).toBe(422)
    await setLinkDays(7)
  })

  it('requires the permission for the address book, and can be created 200 times an hour', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const reader = await createCustomer(test, {
      accountId: owner.accountId,
      userType: 'corporate',
      isOwner: false,
      permissions: [],
    })
    expect((await test.call(createAddressRequest, { token: reader.token, body: {} })).status).toBe(403)
    await test.deps.db
      .insertInto('rate_limits')
      .values({
        key: `address links account ${owner.accountId}`,
        count: 200,
        resets_at: later(test.clock.now(), minutes(10)),
      })
      .execute()
    const refusal = await test.call(createAddressRequest, { token: owner.token, body: {} })
    expect([refusal.status, refusal.error.code]).toEqual([429, 'address_link_quota'])
  })

  it('is deleted ninety days after its expiry; the address is kept', async () => {
    const sender = await createCustomer(test)
    const { id, token } = await makeLink(sender)
    await answer(token)
    const count = async () =>
      (await test.deps.db.selectFrom('address_requests').select('id').where('id', '=', id).execute()).length
    const expire = (at: Date) =>
      test.deps.db.updateTable('address_requests').set({ expires_at: at }).where('id', '=', id).execute()
    await expire(later(test.clock.now(), -days(89)))
    await sweepAddresses(test.deps)
    expect(await count()).toBe(1)
    await expire(later(test.clock.now(), -days(91)))
    await sweepAddresses(test.deps)
    expect(await count()).toBe(0)
    expect(await listBook(sender)).toHaveLength(1)
  })

  it('can be withdrawn, but not after its use', async () => {
    const sender = await createCustomer(test)
    const openLink = await makeLink(sender)
    const withdraw = (id: string) => test.call(withdrawAddressRequest, { token: sender.token, params: { id } })
    expect((await withdraw(openLink.id)).body).toEqual({ ok: true })
    expect((await answer(openLink.token)).error.code).toBe('address_link_withdrawn')
    const usedLink = await makeLink(sender)
    await answer(usedLink.token)
    expect((await withdraw(usedLink.id)).error.code).toBe('address_link_used')
  })

  it('cannot be guessed: unknown tokens reveal nothing and are counted', async () => {
    const sender = await createCustomer(test)
    const { token } = await makeLink(sender)
    const guess = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    expect((await look(guess)).error.code).toBe('link_invalid')
    expect((await answer(guess)).error.code).toBe('link_invalid')
    let refusalCount = 0
    for (let n = 0; n < 40; n++) if ((await look(`guess${n}`)).status === 429) refusalCount++
    expect(refusalCount).toBeGreaterThan(5)
  })

  it('is stored as a hash', async () => {
    const sender = await createCustomer(test)
    const { id, token } = await makeLink(sender)
    const row = await test.deps.db
      .selectFrom('address_requests')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.token_hash).toEqual(sha256(token))
    expect(JSON.stringify(row)).not.toContain(token)
    expect(JSON.stringify(await listLinks(sender))).not.toContain(token)
  })

  it('is emailed to the receiver in the language that the sender chooses', async () => {
    const sender = await createCustomer(test)
    const body = { email: 'farah@example.com', language: 'cn_zh' as const }
    const { body: link } = await test.call(createAddressRequest, { token: sender.token, body })
    await test.settle()
    const mail = test.mailbox.mails().find(({ to }) => to.includes('farah@example.com'))
    expect(mail?.subject).toContain('请您填写收件地址')
    expect(mail?.text).toContain(link.url)
  })

  it('is visible only to its own account', async () => {
    const sender = await createCustomer(test)
    const stranger = await createCustomer(test)
    const { id, token } = await makeLink(sender)
    const params = { id }
    expect((await test.call(withdrawAddressRequest, { token: stranger.token, params })).status).toBe(404)
    expect((await test.call(withdrawAddressRequest, { token: stranger.token, params: { id: newId() } })).status).toBe(
      404,
    )
    expect((await listLinks(stranger)).total).toBe(0)
    expect((await answer(token)).status).toBe(200)
    expect(await listBook(stranger)).toHaveLength(0)
  })
})
