import {
  forgetPassword,
  getProfile,
  login,
  register,
  resendRegistration,
  verifyRegistration,
} from '@waybill/contract/accounts/sign-in'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import {
  latestCode,
  latestMail,
  newcomer,
  readCode,
  readLinkToken,
  wrongCode,
} from '../../testing/factories/newcomers.ts'
import { useManyAddresses } from '../../testing/many-addresses.ts'

describe('registration', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ TRUST_PROXY: 'on' })
    useManyAddresses(test)
  })

  it('creates the account with the emailed code and signs in', async () => {
    const person = newcomer({ name: 'Tan Mei Ling', language: 'en' })
    const request = await test.call(register, { body: person })
    expect(request.status).toBe(200)
    expect(request.body.email).toBe(person.email)
    const lives = new Date(request.body.expiresAt).getTime() - test.clock.now().getTime()
    expect(Math.round(lives / minutes(1))).toBe(15)
    expect(await countUsers(person.email)).toBe(0)

    const mail = await latestMail(test, person.email)
    expect(mail.text).toContain('Tan Mei Ling')
    const { browserToken } = request.body
    const verification = await test.call(verifyRegistration, { body: { browserToken, code: readCode(mail) } })
    expect(verification.status).toBe(200)
    expect(verification.body.user).toMatchObject({
      email: person.email,
      name: 'Tan Mei Ling',
      phone: person.phone,
      kind: 'customer',
      account: { userType: 'customer', isOwner: true, status: 'active', name: 'Tan Mei Ling' },
      staff: null,
    })
    const createdAt = Date.parse(verification.body.user.account?.createdAt ?? '')
    expect(Math.abs(test.clock.now().getTime() - createdAt)).toBeLessThan(60_000)
    expect(verification.body.user.permissions).toContain('parcels.create')
    const profile = await test.call(getProfile, { token: verification.body.token })
    expect(profile.body).toEqual(verification.body.user)
    const signIn = await test.call(login, { body: { email: person.email, password: person.password } })
    expect(signIn.status).toBe(200)
  })

  it('accepts the link of the email instead of the code', async () => {
    const person = newcomer({ userType: 'corporate', companyName: 'Kedai Maju', registrationNumber: '202401000001' })
    const { browserToken } = (await test.call(register, { body: person })).body
    const mail = await latestMail(test, person.email)
    expect(mail.html).toContain('http://portal.test/register/verify?token=')
    const verification = await test.call(verifyRegistration, { body: { linkToken: readLinkToken(mail), browserToken } })
    expect(verification.body.user.account).toMatchObject({ userType: 'corporate', name: 'Kedai Maju' })
    const used = await test.call(verifyRegistration, { body: { linkToken: readLinkToken(mail) } })
    expect(used).toMatchObject({ status: 422, error: { code: 'code_used' } })
    const inventedLink = await test.call(verifyRegistration, { body: { linkToken: 'nothing of ours' } })
    expect(inventedLink).toMatchObject({ status: 422, error: { code: 'link_invalid' } })
  })

  it('never gives an account the password of a stranger who registered the same address', async () => {
    const victim = newcomer({ password: 'a password of the victim' })
    const ownRequest = (await test.call(register, { body: victim })).body
    const ownMail = await latestMail(test, victim.email)
    const stranger = { ...newcomer({ email: victim.email }), password: 'a password of a stranger' }
    const strangersRequest = (await test.call(register, { body: stranger })).body
    await test.settle()
    const theirMail = await latestMail(test, victim.email)
    expect(theirMail.id).not.toBe(ownMail.id)

    // The stranger's code is invalid in the victim's browser, and the victim's code in the stranger's.
    const verify = (body: BodyIn<typeof verifyRegistration>) => test.call(verifyRegistration, { body })
    for (const body of [
      { browserToken: ownRequest.browserToken, code: readCode(theirMail) },
      { browserToken: strangersRequest.browserToken, code: readCode(ownMail) },
    ]) {
      expect((await verify(body)).error.code).toBe('code_wrong')
    }
    const noBrowser = await verify({ code: readCode(theirMail) })
    expect(noBrowser.error.errors?.map(({ field }) => field)).toEqual(['browserToken'])

    // The stranger's link requires a password in every browser except the stranger's.
    const link = { linkToken: readLinkToken(theirMail) }
    for (const body of [link, { ...link, browserToken: ownRequest.browserToken }]) {
      expect((await verify(body)).error).toMatchObject({ code: 'password_needed', errors: [{ field: 'password' }] })
    }
    expect((await verify({ ...link, password: 'Password123!' })).error.code).toBe('password_common')
    const session = await verify({ ...link, password: 'chosen by who has the mailbox' })
    expect(session.status).toBe(200)
    const signIn = (password: string) => test.call(login, { body: { email: victim.email, password } })
    expect((await signIn(stranger.password)).status).toBe(401)
    expect((await signIn('chosen by who has the mailbox')).status).toBe(200)
    expect((await verify({ browserToken: ownRequest.browserToken, code: readCode(ownMail) })).error.code).toBe(
      'email_taken',
    )
  })

  it('prevents a stranger from replacing or voiding a pending registration', async () => {
    const person = newcomer()
    const ownRequest = (await test.call(register, { body: person })).body
    const code = await latestCode(test, person.email)
    const strangersRequest = (await test.call(register, { body: newcomer({ email: person.email }) })).body
    const guess = { browserToken: strangersRequest.browserToken, code: wrongCode(code) }
    for (let each = 0; each < 6; each += 1) await test.call(verifyRegistration, { body: guess })
    const verification = await test.call(verifyRegistration, { body: { browserToken: ownRequest.browserToken, code } })
    expect(verification.status).toBe(200)
  })

  it('rejects a code that is wrong, expired, used, or void after five wrong attempts', async () => {
    const person = newcomer()
    const { browserToken } = (await test.call(register, { body: person })).body
    const code = await latestCode(test, person.email)
    const attempt = (guess: string) => test.call(verifyRegistration, { body: { browserToken, code: guess } })
    for (let wrong = 1; wrong <= 4; wrong += 1) expect((await attempt(wrongCode(code))).error.code).toBe('code_wrong')
    expect((await attempt(wrongCode(code))).error.code).toBe('code_void')
    expect((await attempt(code)).error.code).toBe('code_void')

    const late = newcomer()
    const registration = (await test.call(register, { body: late })).body
    const tooLate = { browserToken: registration.browserToken, code: await latestCode(test, late.email) }
    test.clock.advance(minutes(15))
    const expiry = await test.call(verifyRegistration, { body: tooLate, language: 'zh' })
    expect(expiry.error).toMatchObject({ statusCode: 422, code: 'code_expired', errors: [{ field: 'code' }] })
    expect(expiry.error.message).toMatch(/[一-鿿]/)

    const quick = newcomer()
    const first = (await test.call(register, { body: quick })).body
    const body = { browserToken: first.browserToken, code: await latestCode(test, quick.email) }
    expect((await test.call(verifyRegistration, { body })).status).toBe(200)
    expect((await test.call(verifyRegistration, { body })).error.code).toBe('code_used')
    const nobody = await test.call(verifyRegistration, { body: { browserToken: 'nothing of ours', code: '123456' } })
    expect(nobody.error.code).toBe('code_wrong')
  })

  it('accepts only one of two verifications with the same code', async () => {
    const person = newcomer()
    const { browserToken } = (await test.call(register, { body: person })).body
    const body = { browserToken, code: await latestCode(test, person.email) }
    const both = await Promise.all([1, 2].map(() => test.call(verifyRegistration, { body })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await countUsers(person.email)).toBe(1)
  })

  it('gives the same answer for a known address, which gets a different email', async () => {
    const customer = await createCustomer(test, { language: 'cn_zh' })
    const request = await test.call(register, { body: newcomer({ email: customer.email }) })
    expect(request.status).toBe(200)
    expect(Object.keys(request.body).sort()).toEqual(['browserToken', 'email', 'expiresAt'])
    const mail = await latestMail(test, customer.email)
    expect(mail.subject).toContain('您已有')
    expect(mail.text).not.toMatch(/\b\d{6}\b/)
    // Wrong codes get the same answers as for an address with a pending registration.
    const { browserToken } = request.body
    const guess = () => test.call(verifyRegistration, { body: { browserToken, code: '000000' } })
    const answers: string[] = []
    for (let each = 0; each < 6; each += 1) answers.push((await guess()).error.code)
    expect(answers).toEqual([...Array(4).fill('code_wrong'), 'code_void', 'code_void'])
    expect(await countUsers(customer.email)).toBe(1)
  })

  it('emails a new code that replaces the previous one, and does not reveal whether an address is known', async () => {
    const person = newcomer()
    const { browserToken } = (await test.call(register, { body: person })).body
    const first = await latestMail(test, person.email)
    const resend = await test.call(resendRegistration, { body: { email: person.email, browserToken } })
    expect(resend.status).toBe(200)
    await test.settle()
    const second = await latestMail(test, person.email)
    expect(second.id).not.toBe(first.id)
    const old = await test.call(verifyRegistration, { body: { linkToken: readLinkToken(first) } })
    expect(old.error.code).toBe('code_expired')
    const body = { browserToken, code: readCode(second) }
    expect((await test.call(verifyRegistration, { body })).status).toBe(200)

    // A browser can request codes only for the address that it registered.
    const other = { email: 'stranger@example.test', browserToken }
    const stranger = await test.call(resendRegistration, { body: other })
    expect(stranger.status).toBe(200)
    expect(Object.keys(stranger.body)).toEqual(Object.keys(resend.body))
    await test.settle()
    expect(test.mailbox.mails().filter(({ to }) => to.includes('stranger@example.test'))).toEqual([])
  })

  it('limits requests for codes per address, whether or not it is known', async () => {
    const customer = await createCustomer(test)
    for (const email of [customer.email, 'unheard-of@example.test']) {
      const ask = () => test.call(forgetPassword, { body: { email } })
      expect((await ask()).status).toBe(200)
      expect((await ask()).status).toBe(200)
      const third = await ask()
      expect(third).toMatchObject({ status: 429, error: { code: 'too_many_requests' } })
      expect(Number(third.headers['retry-after'])).toBeGreaterThan(20)
      test.clock.advance(minutes(1))
    }
  })

  it('reports every invalid field in the requested language', async () => {
    const bad = {
      ...newcomer({ userType: 'corporate' }),
      name: ' ',
      email: 'not an address',
      phone: '012',
      password: 'short',
    }
    const english = await test.call(register, { body: bad, language: 'en' })
    expect(english.status).toBe(422)
    expect(english.error.errors).toEqual(
      expect.arrayContaining([
        { field: 'name', message: 'Name is required.' },
        { field: 'email', message: expect.stringContaining('Email must be an email address') },
        { field: 'phone', message: expect.any(String) },
        { field: 'password', message: 'Password needs at least 10 characters.' },
      ]),
    )
    const chinese = await test.call(register, { body: bad, language: 'zh-CN' })
    expect(chinese.error.errors?.find(({ field }) => field === 'name')?.message).toMatch(/为必填项/)
    const link = await test.call(register, { body: newcomer({ name: 'Win: https://host.example' }) })
    expect(link.error.errors).toEqual([
      { field: 'name', message: 'Name cannot contain links, email addresses or line breaks.' },
    ])
    const company = await test.call(register, { body: { ...newcomer(), userType: 'corporate' } })
    expect(company.error.errors).toEqual([{ field: 'companyName', message: 'Company name is required.' }])
    const phone = await test.call(register, { body: newcomer({ phone: '+6012345' }) })
    expect(phone.error).toMatchObject({ code: 'phone_invalid', errors: [{ field: 'phone' }] })
    const common = await test.call(register, { body: newcomer({ password: 'Password123!' }) })
    expect(common.error).toMatchObject({ code: 'password_common', errors: [{ field: 'password' }] })
    const emptyRequest = await test.call(verifyRegistration, { body: {} })
    expect(emptyRequest.error.errors?.map(({ field }) => field)).toEqual(['code', 'browserToken'])
  })

  async function countUsers(email: string): Promise<number> {
    const rows = await test.deps.db.selectFrom('users').select('id').where('email', '=', email).execute()
    return rows.length
  }
})
