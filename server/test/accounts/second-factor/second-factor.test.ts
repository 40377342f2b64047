import {
  changeFactor,
  confirmFactor,
  confirmFactorChange,
  getOwnFactor,
  resetFactor,
  setUpFactor,
  signInWithFactor,
} from '@waybill/contract/accounts/second-factor'
import {
  changePassword,
  forgetPassword,
  getProfile,
  refresh,
  resetPassword,
  staffLogin,
} from '@waybill/contract/accounts/sign-in'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../../src/lib/clock.ts'
import { totpCode, totpStep } from '../../../src/lib/totp.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type StaffDefaults } from '../../testing/factories/accounts.ts'
import { latestCode, latestMail, wrongCode } from '../../testing/factories/newcomers.ts'
import { readMailedProof } from '../../testing/factories/proof.ts'
import { useManyAddresses } from '../../testing/many-addresses.ts'

const password = 'correct horse battery'
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Decodes the secret as an authenticator app does. */
function decodeSecret(secret: string): Buffer {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

describe('the second factor of staff', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ TRUST_PROXY: 'on' })
    useManyAddresses(test)
    await requireFactor('required')
  })

  async function requireFactor(value: 'off' | 'required') {
    const keeper = await createStaff(test, { type: 'superadmin' })
    const body = { values: { 'auth.staffSecondFactor': value } }
    expect((await test.call(putSettings, { token: keeper.token, body })).status).toBe(200)
  }

  const member = (overrides: StaffDefaults = {}) => createStaff(test, { password, ...overrides })

  const signIn = (email: string) => test.call(staffLogin, { body: { email, password } })
  async function getTicket(email: string, step: 'code' | 'setup'): Promise<string> {
    const answer = await signIn(email)
    expect(answer).toMatchObject({ status: 401, error: { code: 'second_factor', details: { step } } })
    return String(answer.error.details?.ticket)
  }
  const now = (secret: Buffer, ahead = 0) => totpCode(secret, totpStep(test.clock.now()) + ahead)
  const nextStep = () => test.clock.advance(30_000)
  const use = (ticket: string, code: string) => test.call(signInWithFactor, { body: { ticket, code } })

  /** A member of staff with a second factor. */
  async function enrolStaff(overrides: StaffDefaults = {}) {
    const staff = await member(overrides)
    const ticket = await getTicket(staff.email, 'setup')
    const setup = await test.call(setUpFactor, { body: { ticket } })
    const secret = decodeSecret(setup.body.secret)
    const confirmation = await test.call(confirmFactor, { body: { ticket, code: now(secret) } })
    expect(confirmation.status).toBe(200)
    nextStep()
    return { ...staff, secret, ...confirmation.body, ticket, setup: setup.body }
  }

  const listActions = async (userId: string) => (await listActivities(test, { userId })).map(({ action }) => action)

  it('is not required when the setting is off', async () => {
    await requireFactor('off')
    const staff = await member()
    expect((await signIn(staff.email)).status).toBe(200)
    await requireFactor('required')
    expect((await signIn(staff.email)).status).toBe(401)
  })

  it('is set up at the first sign-in, shows the recovery codes once, and sends an email', async () => {
    const { email, userId, session, recoveryCodes, setup, secret } = await enrolStaff()
    expect(setup.qr.path).toMatch(/^(M\d+ \d+h\d+v\d+h-\d+z)+$/)
    expect(secret).toHaveLength(20)
    expect((await test.call(getProfile, { token: session.token })).body.email).toBe(email)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/)
    const factor = await test.call(getOwnFactor, { token: session.token })
    expect(factor.body).toEqual({ required: true, since: expect.any(String), recoveryCodesLeft: 10 })
    await test.settle()
    expect((await latestMail(test, email)).subject).toBe('Your second factor was set up')
    expect(await listActions(userId)).toEqual(['auth.secondFactorSet', 'auth.login'])
    const row = await test.deps.db
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    // The database contains neither the secret nor a recovery code in plain text.
    const text = JSON.stringify(row) + row.recovery_hashes.map((hash) => hash.toString('latin1')).join('')
    for (const plain of [setup.secret, secret.toString('base64'), ...recoveryCodes]) expect(text).not.toContain(plain)
  })

  it('creates no session for a wrong code, or before the first code', async () => {
    const staff = await member()
    const ticket = await getTicket(staff.email, 'setup')
    expect((await test.call(confirmFactor, { body: { ticket, code: '000000' } })).error.code).toBe('conflict')
    const { secret } = (await test.call(setUpFactor, { body: { ticket } })).body
    const code = wrongCode(now(decodeSecret(secret)))
    const wrong = await test.call(confirmFactor, { body: { ticket, code } })
    expect(wrong.error).toMatchObject({ code: 'factor_code_wrong', errors: [{ field: 'code' }] })
    expect((await use(ticket, now(decodeSecret(secret)))).error.code).toBe('factor_code_wrong')
    expect(await listActions(staff.userId)).toEqual(['auth.secondFactorFailed', 'auth.secondFactorFailed'])
  })

  it('accepts a code once, up to one step early or late', async () => {
    const { email, secret } = await enrolStaff()
    const code = now(secret)
    const ticket = await getTicket(email, 'code')
    expect((await use(ticket, code)).status).toBe(200)
    expect((await use(ticket, code)).error.code).toBe('sign_in_again')
    expect((await use(await getTicket(email, 'code'), code)).error.code).toBe('factor_code_wrong')
    expect((await use(await getTicket(email, 'code'), now(secret, 1))).status).toBe(200)
    // A code older than the last accepted one is rejected too.
    expect((await use(await getTicket(email, 'code'), now(secret))).error.code).toBe('factor_code_wrong')
    test.clock.advance(minutes(2))
    expect((await use(await getTicket(email, 'code'), now(secret, -2))).error.code).toBe('factor_code_wrong')
    expect((await use(await getTicket(email, 'code'), now(secret, -1))).status).toBe(200)
  })

  it('accepts the same code in only one of two sign-ins', async () => {
    const { email, secret } = await enrolStaff()
    const tickets = [await getTicket(email, 'code'), await getTicket(email, 'code')]
    const both = await Promise.all(tickets.map((ticket) => use(ticket, now(secret))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('counts attempts per user, not per ticket, before it compares the code', async () => {
    const { email, secret } = await enrolStaff()
    const tickets = await Promise.all(Array.from({ length: 3 }, () => getTicket(email, 'code')))
    const code = wrongCode(now(secret))
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, at) => use(tickets[at % 3] ?? '', code)))
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(5)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7)
    // During the wait even the correct code is not checked.
    expect((await use(tickets[0] ?? '', now(secret))).status).toBe(429)
    test.clock.advance(31_000)
    expect((await use(tickets[0] ?? '', now(secret))).status).toBe(200)
  })

  it('accepts a recovery code once, in any spelling', async () => {
    const { email, userId, recoveryCodes } = await enrolStaff()
    const [first = '', second = ''] = recoveryCodes
    const spelling = first.replace('-', ' ').toLowerCase()
    const session = await use(await getTicket(email, 'code'), spelling)
    expect(session.status).toBe(200)
    expect((await use(await getTicket(email, 'code'), first)).error.code).toBe('factor_code_wrong')
    const factor = await test.call(getOwnFactor, { token: session.body.token })
    expect(factor.body.recoveryCodesLeft).toBe(9)
    expect((await use(await getTicket(email, 'code'), second)).status).toBe(200)
    expect((await listActions(userId)).filter((action) => action === 'auth.recoveryCode')).toHaveLength(2)
    const other = await enrolStaff()
    expect((await use(await getTicket(other.email, 'code'), recoveryCodes[2] ?? '')).error.code).toBe(
      'factor_code_wrong',
    )
  })

  it('cannot be replaced with the password alone', async () => {
    const first = await member()
    const early = await getTicket(first.email, 'setup')
    const { email, secret, ticket } = await enrolStaff()
    expect((await test.call(setUpFactor, { body: { ticket } })).error.code).toBe('sign_in_again')
    const fresh = await getTicket(email, 'code')
    expect((await test.call(setUpFactor, { body: { ticket: fresh } })).error.code).toBe('conflict')
    expect((await test.call(confirmFactor, { body: { ticket: fresh, code: now(secret) } })).error.code).toBe('conflict')
    // A ticket issued before the factor was set up with another ticket cannot set up a second one.
    const second = await getTicket(first.email, 'setup')
    const { secret: text } = (await test.call(setUpFactor, { body: { ticket: second } })).body
    await test.call(confirmFactor, { body: { ticket: second, code: now(decodeSecret(text)) } })
    expect((await test.call(setUpFactor, { body: { ticket: early } })).error.code).toBe('conflict')
  })

  it('requires the password again after ten minutes, or after a change of password', async () => {
    const { email, secret, session } = await enrolStaff()
    const old = await getTicket(email, 'code')
    test.clock.advance(minutes(10))
    expect((await use(old, now(secret))).error.code).toBe('sign_in_again')
    expect((await use('nothing of ours', now(secret))).error.code).toBe('sign_in_again')
    const ticket = await getTicket(email, 'code')
    const { token } = (await test.call(refresh, { body: { refreshToken: session.refreshToken } })).body
    const body = { currentPassword: password, password: 'another long password' }
    expect((await test.call(changePassword, { token, body })).status).toBe(200)
    expect((await use(ticket, now(secret))).error.code).toBe('sign_in_again')
  })

  it('is kept when the password is reset by email', async () => {
    const { email } = await enrolStaff()
    const { browserToken } = (await test.call(forgetPassword, { body: { email, side: 'staff' } })).body
    await test.settle()
    const code = await latestCode(test, email)
    const body = { browserToken, code, password: 'a new password by mail' }
    expect((await test.call(resetPassword, { body })).status).toBe(200)
    const signedIn = await test.call(staffLogin, { body: { email, password: body.password } })
    expect(signedIn.error.details).toMatchObject({ step: 'code' })
  })

  it('moves to another phone with the password and a code, and signs out the other devices', async () => {
    const { email, secret, session } = await enrolStaff()
    const secondSession = (await use(await getTicket(email, 'code'), now(secret))).body
    nextStep()
    const { token } = session
    const begin = (currentPassword: string, code?: string) =>
      test.call(changeFactor, { token, body: { currentPassword, ...(code ? { factorCode: code } : {}) } })
    expect((await begin('not the password', now(secret))).error.code).toBe('password_wrong')
    expect((await begin(password)).error.code).toBe('factor_code_wrong')
    const setup = await begin(password, now(secret))
    expect(setup.status).toBe(200)
    nextStep()
    // The old factor is valid until the new one is confirmed.
    expect((await use(await getTicket(email, 'code'), now(secret))).status).toBe(200)
    const next = decodeSecret(setup.body.secret)
    const wrong = await test.call(confirmFactorChange, { token, body: { code: wrongCode(now(next)) } })
    expect(wrong.error.code).toBe('factor_code_wrong')
    const confirmation = await test.call(confirmFactorChange, { token, body: { code: now(next) } })
    expect(confirmation.body.recoveryCodes).toHaveLength(10)
    expect((await test.call(refresh, { body: { refreshToken: secondSession.refreshToken } })).status).toBe(401)
    expect((await test.call(getProfile, { token })).status).toBe(200)
    nextStep()
    expect((await use(await getTicket(email, 'code'), now(secret))).error.code).toBe('factor_code_wrong')
    expect((await use(await getTicket(email, 'code'), now(next))).status).toBe(200)
    expect((await test.call(confirmFactorChange, { token, body: { code: now(next) } })).error.code).toBe('conflict')
  })

  it('moves to another phone with a mailed code and a code of the app, for staff without a password', async () => {
    const { email, userId, secret, session } = await enrolStaff()
    await test.deps.db.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute()
    nextStep()
    const { token } = session
    const begin = (body: BodyIn<typeof changeFactor>) => test.call(changeFactor, { token, body })
    const withPassword = await begin({ currentPassword: password, factorCode: now(secret) })
    expect(withPassword).toMatchObject({ status: 422, error: { errors: [{ field: 'code' }] } })
    const proof = await readMailedProof(test, { token, email }, 'change_factor')
    expect((await begin({ ...proof, code: wrongCode(proof.code), factorCode: now(secret) })).error.code).toBe(
      'code_wrong',
    )
    // A wrong code of the app does not use up the mailed one.
    expect((await begin({ ...proof, factorCode: wrongCode(now(secret)) })).error).toMatchObject({
      code: 'factor_code_wrong',
      errors: [{ field: 'factorCode' }],
    })
    const setup = await begin({ ...proof, factorCode: now(secret) })
    expect(setup.status).toBe(200)
    const code = now(decodeSecret(setup.body.secret))
    expect((await test.call(confirmFactorChange, { token, body: { code } })).body.recoveryCodes).toHaveLength(10)
  })

  it('can be reset by an administrator of the same or a higher rank, and the user gets an email', async () => {
    const lost = await enrolStaff()
    const chief = await enrolStaff({ type: 'superadmin' })
    const admin = await createStaff(test, { type: 'admin' })
    const reset = (id: string, token: string) => test.call(resetFactor, { token, params: { id } })
    expect((await reset(chief.userId, admin.token)).error.code).toBe('user_rank')
    expect((await reset(admin.userId, admin.token)).error.code).toBe('user_is_you')
    const clerk = await createStaff(test)
    expect((await reset(lost.userId, clerk.token)).error.code).toBe('forbidden')
    expect((await reset(lost.userId, admin.token)).body).toEqual({ ok: true })
    expect((await reset(lost.userId, admin.token)).error.code).toBe('not_found')
    expect((await test.call(getProfile, { token: lost.session.token })).status).toBe(401)
    expect((await test.call(refresh, { body: { refreshToken: lost.session.refreshToken } })).status).toBe(401)
    await getTicket(lost.email, 'setup')
    await test.settle()
    expect((await latestMail(test, lost.email)).subject).toBe('Your second factor was reset')
    expect(await listActions(admin.userId)).toContain('users.secondFactorReset')
  })
})
