import { resendCredential } from '@waybill/contract/accounts/company'
import {
  changePassword,
  forgetPassword,
  getProfile,
  login,
  refresh,
  resetPassword,
} from '@waybill/contract/accounts/sign-in'
import type { SignInSide } from '@waybill/contract/ground/constants'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../../src/domains/accounts/sign-in/passwords.ts'
import { minutes } from '../../../src/lib/clock.ts'
import { isCommonPassword } from '../../../src/lib/common-passwords.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { type CustomerDefaults, createCustomer, createMember, createStaff } from '../../testing/factories/accounts.ts'
import { latestCode, latestMail, readCode, readLinkToken, wrongCode } from '../../testing/factories/newcomers.ts'

const oldPassword = 'correct horse battery'
const newPassword = 'staple under a blue sky'

describe('passwords', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ TRUST_PROXY: 'on' })
  })

  let place = 0
  const nextIpHeaders = () => ({ 'x-forwarded-for': `10.4.0.${++place}` })
  const signIn = (email: string, password: string) =>
    test.call(login, { body: { email, password }, headers: nextIpHeaders() })

  const registerCustomer = (overrides: CustomerDefaults = {}) =>
    createCustomer(test, { password: oldPassword, ...overrides })

  async function forget(email: string, side: SignInSide = 'customer') {
    const request = await test.call(forgetPassword, { body: { email, side }, headers: nextIpHeaders() })
    await test.settle()
    return request
  }

  const reset = (body: BodyIn<typeof resetPassword>) => test.call(resetPassword, { body, headers: nextIpHeaders() })

  it('resets a password with the emailed code, and ends every session', async () => {
    const { email } = await registerCustomer({ language: 'cn_zh' })
    const session = (await signIn(email, oldPassword)).body
    const request = await forget(email)
    expect(request.status).toBe(200)
    const mail = await latestMail(test, email)
    expect(mail.subject).toContain('重设密码')
    expect(mail.html).toContain('lang="zh-CN"')
    const body = { browserToken: request.body.browserToken, code: readCode(mail), password: newPassword }
    expect((await reset({ ...body, code: wrongCode(body.code) })).error.code).toBe('code_wrong')
    const common = await reset({ ...body, password: 'Password123' })
    expect(common.error).toMatchObject({ code: 'password_common', errors: [{ field: 'password' }] })
    // A rejected password does not use up the code.
    expect((await reset(body)).body).toEqual({ ok: true })
    expect((await reset(body)).error.code).toBe('code_used')

    expect((await test.call(getProfile, { token: session.token })).status).toBe(401)
    expect((await test.call(refresh, { body: { refreshToken: session.refreshToken } })).status).toBe(401)
    expect((await signIn(email, oldPassword)).status).toBe(401)
    expect((await signIn(email, newPassword)).status).toBe(200)
    await test.settle()
    const notice = await test.mailbox.waitFor((each) => each.to.includes(email) && each.subject.includes('已更改'))
    expect(notice.text).toContain('http://portal.test/forgot-password')
  })

  it('resets the password of the side on which it was requested, although one address belongs to both', async () => {
    const email = 'both@sides.test'
    const customer = await registerCustomer({ email })
    const colleague = await createStaff(test, { email })
    const listHashes = async () => {
      const ids = [customer.userId, colleague.userId]
      const rows = await test.deps.db
        .selectFrom('users')
        .select(['id', 'password_hash'])
        .where('id', 'in', ids)
        .execute()
      return ids.map((id) => rows.find((row) => row.id === id)?.password_hash ?? null)
    }
    const before = await listHashes()
    const request = await forget(email, 'staff')
    const staffMail = await latestMail(test, email)
    expect(staffMail.text).toMatch(/\/reset-password\?token=\S+&staff=1/)
    const body = { browserToken: request.body.browserToken, code: readCode(staffMail), password: newPassword }
    expect((await reset(body)).status).toBe(200)
    const staffReset = await listHashes()
    expect([staffReset[0] === before[0], staffReset[1] === before[1]]).toEqual([true, false])

    await forget(email)
    const customerMail = await latestMail(test, email)
    expect(customerMail.text).not.toContain('staff=1')
    expect((await reset({ linkToken: readLinkToken(customerMail), password: newPassword })).status).toBe(200)
    const bothReset = await listHashes()
    expect([bothReset[0] === before[0], bothReset[1] === staffReset[1]]).toEqual([false, true])
  })

  it('answers the same for an address that only the other side has, and mails nothing', async () => {
    const customer = await registerCustomer()
    const colleague = await createStaff(test, { email: 'only@staff.test' })
    const answers = [
      await forget(customer.email, 'staff'),
      await forget(colleague.email),
      await forget('nobody@example.test', 'staff'),
    ]
    expect(answers.map(({ status, body }) => [status, Object.keys(body)])).toEqual(
      Array(3).fill([200, ['email', 'expiresAt', 'browserToken']]),
    )
    const addresses = [customer.email, colleague.email]
    expect(test.mailbox.mails().filter(({ to }) => to.some((address) => addresses.includes(address)))).toEqual([])
  })

  it('sends staff from the warning about a new password to their own page', async () => {
    const colleague = await createStaff(test, { email: 'warned@staff.test', password: oldPassword })
    await forget(colleague.email, 'staff')
    const linkToken = readLinkToken(await latestMail(test, colleague.email))
    await reset({ linkToken, password: newPassword })
    await test.settle()
    const notice = await test.mailbox.waitFor(
      ({ to, subject }) => to.includes(colleague.email) && subject.includes('changed'),
    )
    expect(notice.text).toContain('http://portal.test/forgot-password?staff=1')
  })

  it('resets a password with the link within 15 minutes', async () => {
    const { email } = await registerCustomer()
    await forget(email)
    const late = readLinkToken(await latestMail(test, email))
    test.clock.advance(minutes(15))
    expect((await reset({ linkToken: late, password: newPassword })).error.code).toBe('code_expired')
    await forget(email)
    const token = readLinkToken(await latestMail(test, email))
    expect((await reset({ linkToken: token, password: newPassword })).status).toBe(200)
    expect((await signIn(email, newPassword)).status).toBe(200)
  })

  it('gives the same answers to wrong codes for known, blocked and unknown addresses', async () => {
    const customer = await registerCustomer()
    const blockedCustomer = await registerCustomer({ userStatus: 'blacklisted' })
    const answers: string[][] = []
    for (const email of [customer.email, blockedCustomer.email, 'never-heard-of@example.test']) {
      const { browserToken } = (await forget(email)).body
      const code = email === customer.email ? wrongCode(await latestCode(test, email)) : '000000'
      const codes: string[] = []
      for (let each = 0; each < 6; each += 1) {
        codes.push((await reset({ browserToken, code, password: newPassword })).error.code)
      }
      answers.push(codes)
    }
    expect(answers[0]).toEqual([...Array(4).fill('code_wrong'), 'code_void', 'code_void'])
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('counts wrong codes from the moment of the request, not from the moment of the email', async () => {
    const { email } = await registerCustomer()
    const request = await test.call(forgetPassword, { body: { email }, headers: nextIpHeaders() })
    const { browserToken } = request.body
    const guess = () => reset({ browserToken, code: '000000', password: newPassword })
    for (let each = 0; each < 3; each += 1) await guess()
    await test.settle()
    const code = wrongCode(await latestCode(test, email))
    const codes: string[] = []
    for (let each = 0; each < 3; each += 1) {
      codes.push((await reset({ browserToken, code, password: newPassword })).error.code)
    }
    expect(codes).toEqual(['code_wrong', 'code_void', 'code_void'])
  })

  it('lets the owner reset the password while a stranger requests and guesses codes', async () => {
    const { email } = await registerCustomer()
    const ownRequest = (await forget(email)).body
    const mail = await latestMail(test, email)
    const strangersRequest = (await forget(email)).body
    const guess = {
      browserToken: strangersRequest.browserToken,
      code: wrongCode(readCode(mail)),
      password: newPassword,
    }
    for (let each = 0; each < 6; each += 1) await reset(guess)
    const theirMail = await latestMail(test, email)
    const body = { browserToken: ownRequest.browserToken, code: readCode(mail), password: newPassword }
    expect((await reset({ ...body, code: readCode(theirMail) })).error.code).toBe('code_wrong')
    expect((await reset(body)).status).toBe(200)
    // All other emailed codes are void.
    expect((await reset({ linkToken: readLinkToken(theirMail), password: 'another long one' })).error.code).toMatch(
      /code_(expired|void)/,
    )
    expect((await signIn(email, newPassword)).status).toBe(200)
  })

  it('answers alike for known, unknown and blocked users, but emails codes only to active ones', async () => {
    const blockedCustomer = await registerCustomer({ userStatus: 'blacklisted' })
    const staff = await createStaff(test)
    const requests = [
      [blockedCustomer.email, 'customer'],
      [staff.email, 'staff'],
      ['never-seen@example.test', 'customer'],
    ] as const
    for (const [email, side] of requests) {
      const request = await forget(email, side)
      expect(request.status).toBe(200)
      expect(request.body.email).toBe(email)
    }
    const recipients = test.mailbox.mails().flatMap(({ to }) => to)
    expect(recipients).toContain(staff.email)
    expect(recipients).not.toContain(blockedCustomer.email)
    expect(recipients).not.toContain('never-seen@example.test')
  })

  it('changes a password with the current one, and ends only the other sessions', async () => {
    const { email } = await registerCustomer()
    const thisSession = (await signIn(email, oldPassword)).body
    const otherSession = (await signIn(email, oldPassword)).body
    const change = (currentPassword: string, password: string) =>
      test.call(changePassword, { token: thisSession.token, body: { currentPassword, password } })
    const wrong = await change('not this one', newPassword)
    expect(wrong.error).toMatchObject({ code: 'password_wrong', errors: [{ field: 'currentPassword' }] })
    expect((await change(oldPassword, email)).error.code).toBe('password_common')
    expect((await change(oldPassword, newPassword)).body).toEqual({ ok: true })
    expect((await test.call(getProfile, { token: thisSession.token })).status).toBe(200)
    expect((await test.call(getProfile, { token: otherSession.token })).status).toBe(401)
    expect((await test.call(refresh, { body: { refreshToken: otherSession.refreshToken } })).status).toBe(401)
    expect((await test.call(refresh, { body: { refreshToken: thisSession.refreshToken } })).status).toBe(200)
    await test.settle()
    expect((await latestMail(test, email)).subject).toBe('Your password was changed')
  })

  it('voids mailed links when a password is changed with the current one', async () => {
    const owner = await registerCustomer({ userType: 'corporate' })
    const { email, userId, token } = await createMember(test, owner, [], { password: oldPassword })
    await test.call(resendCredential, { token: owner.token, params: { id: userId } })
    const readLink = async () => readLinkToken(await latestMail(test, email))
    await test.settle()
    const invitation = await readLink()
    await forget(email)
    const forgotten = await readLink()
    expect(new Set([invitation, forgotten]).size).toBe(2)
    const body = { currentPassword: oldPassword, password: newPassword }
    expect((await test.call(changePassword, { token, body })).status).toBe(200)
    for (const linkToken of [invitation, forgotten])
      expect((await reset({ linkToken, password: oldPassword })).error.code).toBe('code_expired')
    expect((await signIn(email, newPassword)).status).toBe(200)
  })

  it('limits the rate of guesses at the current password', async () => {
    const { token } = await registerCustomer()
    const statuses: number[] = []
    for (let each = 0; each < 6; each += 1) {
      const body = { currentPassword: `guess number ${each}`, password: newPassword }
      statuses.push((await test.call(changePassword, { token, body })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })

  it('stores argon2id hashes', async () => {
    expect(await hashPassword(oldPassword)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('common passwords', () => {
  it.each([
    '1234567890',
    '9876543210',
    'password123',
    'P@ssw0rd2026!',
    'QWERTYUIOP',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '12121212121212',
    'abcdefghijkl',
    'Welcome2026',
    'waybill12345',
    'iloveyou1234',
    'mei.ling-1990',
  ])('include %s', (password) => {
    expect(isCommonPassword(password, 'mei.ling@example.test')).toBe(true)
  })

  it.each([
    'correct horse battery',
    'tapioca-umbrella',
    'k8#Qz!vLm2',
    '床前明月光疑是地上霜',
    'my master plan for 2027',
  ])('do not include %s', (password) => {
    expect(isCommonPassword(password, 'mei.ling@example.test')).toBe(false)
  })

  it('include every repetition of a short text, and no random text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 5 }), fc.integer({ min: 10, max: 40 }), (piece, length) => {
        const text = piece.repeat(length).slice(0, length)
        expect(isCommonPassword(text, 'x@example.test')).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 12, maxLength: 24 }), (bytes) => {
        fc.pre(new Set(bytes).size > 8)
        expect(isCommonPassword(Buffer.from(bytes).toString('base64url'), 'x@example.test')).toBe(false)
      }),
    )
  })
})
