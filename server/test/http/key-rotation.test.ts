import { getProfile, refresh } from '@waybill/contract/accounts/sign-in'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { createWebhook, rotateWebhookSecret } from '@waybill/contract/integrations/webhooks'
import { putSettings } from '@waybill/contract/settings/settings'
import { verifyPin } from '@waybill/contract/wallet/wallet'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import type { Deps } from '../../src/deps.ts'
import { findUser, type UserRow } from '../../src/domains/accounts/queries.ts'
import { lockRights } from '../../src/domains/accounts/rights.ts'
import {
  confirmPreparedFactor,
  prepareFactor,
  spendFactorCode,
} from '../../src/domains/accounts/second-factor/service.ts'
import { issueCode, spendCode } from '../../src/domains/accounts/sign-in/codes.ts'
import { startSession } from '../../src/domains/accounts/sign-in/sessions.ts'
import { attachmentLink } from '../../src/domains/attachments/file-links.ts'
import { storeAttachment } from '../../src/domains/attachments/service.ts'
import { findWebhook, replaceWebhookSecret } from '../../src/domains/integrations/webhooks/queries.ts'
import { signingSecrets } from '../../src/domains/integrations/webhooks/signing.ts'
import { minutes } from '../../src/lib/clock.ts'
import { totpCode, totpStep } from '../../src/lib/totp.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { setWalletPin, testPin } from '../testing/factories/wallet.ts'
import { secondProcess } from '../testing/second-process.ts'

const keys = { before: 'the key of before, long enough for a test', now: 'the key of now, also long enough for a test' }

async function send(app: FastifyInstance, endpoint: EndpointShape, token: string | null, body?: object) {
  const answer = await app.inject({
    method: endpoint.method,
    url: endpoint.path,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body ? { payload: body } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** The bytes of a secret as an authenticator app reads them. */
function decodeBase32(base32: string): Buffer {
  const bits = [...base32].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  )
}

/** Creates a record of each kind that a key signs or encrypts. */
async function useKey(test: TestApp) {
  const { deps } = test
  const customer = await createCustomer(test)
  const admin = await createStaff(test, { type: 'superadmin' })
  await setWalletPin(test, customer)
  await test.call(putSettings, { token: admin.token, body: { values: { 'mail.password': 'smtp secret' } } })
  const device = { ip: '127.0.0.1', userAgent: null, id: null }
  const session = await tx(deps.db, async (trx) => {
    const identity = await lockRights(trx, deps, customer.userId)
    if (!identity) throw new Error('no identity')
    return startSession(trx, deps, identity, device)
  })
  const code = await issueCode(deps.db, deps, { purpose: 'test', subject: 'rotation', livesMs: minutes(15) })
  const user = (await findUser(deps.db, admin.userId)) as UserRow
  const setup = await prepareFactor(deps.db, deps, user)
  const secret = decodeBase32(setup.secret)
  const now = deps.clock.now()
  const recovery = await tx(deps.db, (trx) =>
    confirmPreparedFactor(trx, deps, admin.userId, totpCode(secret, totpStep(now))),
  )
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#808080' } })
    .png()
    .toBuffer()
  const owner = { accountId: customer.accountId, userId: customer.userId }
  const file = await storeAttachment(deps, undefined, owner, image, { purpose: 'parcel_photo', name: 'photo' })
  return {
    customer,
    admin,
    session,
    code: code.code,
    secret,
    recovery: recovery ?? [],
    link: attachmentLink(deps, file).address,
  }
}

describe('a new SECRET_KEY', () => {
  it('reads everything that the previous key signed and encrypted, and later works without it', async () => {
    const test = await buildTestApp({ SECRET_KEY: keys.before })
    const { customer, admin, session, code, secret, recovery, link } = await useKey(test)
    const appCode = (deps: Deps, step: number) =>
      tx(deps.db, (trx) =>
        spendFactorCode(trx, deps, admin.userId, totpCode(secret, totpStep(deps.clock.now()) + step)),
      )

    const rotatedApp = await secondProcess(test, { secretKey: keys.now, previousSecretKeys: [keys.before] })
    expect((await send(rotatedApp, getProfile, session.token)).status).toBe(200)
    const renewal = await send(rotatedApp, refresh, null, { refreshToken: session.refreshToken })
    expect(renewal.status).toBe(200)
    expect((await send(rotatedApp, verifyPin, customer.token, { pin: testPin })).status).toBe(200)
    expect(rotatedApp.deps.settings.secret('mail.password')).toBe('smtp secret')
    expect((await rotatedApp.inject({ method: 'GET', url: link })).statusCode).toBe(200)
    const proof = { subject: 'rotation', code }
    const verification = await tx(test.deps.db, (trx) => spendCode(trx, rotatedApp.deps, 'test', proof))
    expect(verification.ok).toBe(true)
    expect(await appCode(rotatedApp.deps, 1)).toBe('app')
    expect(
      await tx(test.deps.db, (trx) => spendFactorCode(trx, rotatedApp.deps, admin.userId, recovery[0] as string)),
    ).toBe('recovery')

    const later = await secondProcess(test, { secretKey: keys.now, previousSecretKeys: [] })
    expect((await send(later, getProfile, session.token)).status).toBe(401)
    expect((await send(later, getProfile, renewal.body.token)).status).toBe(200)
    expect((await send(later, verifyPin, renewal.body.token, { pin: testPin })).status).toBe(200)
    expect(later.deps.settings.secret('mail.password')).toBe('smtp secret')
    test.clock.advance(minutes(2))
    expect(await appCode(later.deps, 0)).toBe('app')
  })

  it('rejects everything signed by the previous key if that key is not configured', async () => {
    const test = await buildTestApp({ SECRET_KEY: keys.before })
    const { customer, session, code, link } = await useKey(test)
    const otherApp = await secondProcess(test, { secretKey: keys.now, previousSecretKeys: [] })
    expect((await send(otherApp, getProfile, session.token)).status).toBe(401)
    expect((await send(otherApp, refresh, null, { refreshToken: session.refreshToken })).status).toBe(401)
    const claims = JSON.parse(atob(customer.token.split('.')[1] as string))
    const token = await otherApp.deps.tokens.sign(claims, { readAt: test.clock.now() })
    expect((await send(otherApp, verifyPin, token, { pin: testPin })).body.code).toBe('pin_wrong')
    expect(otherApp.deps.settings.secret('mail.password')).toBeNull()
    expect((await otherApp.inject({ method: 'GET', url: link })).statusCode).toBe(404)
    const proof = { subject: 'rotation', code }
    const verification = await tx(test.deps.db, (trx) => spendCode(trx, otherApp.deps, 'test', proof))
    expect(verification.ok).toBe(false)
  })

  it('encrypts the secrets of webhooks again, including the former secret of a rotation', async () => {
    const test = await buildTestApp({ SECRET_KEY: keys.before, WEBHOOK_TARGETS: 'any' })
    const { token } = await createCustomer(test)
    const body = { url: 'http://127.0.0.1:9/hook', events: ['parcel.moved' as const] }
    const { webhook, secret } = (await test.call(createWebhook, { token, body })).body
    const renewal = await test.call(rotateWebhookSecret, { token, params: { id: webhook.id } })
    const readRow = async () => {
      const row = await findWebhook(test.deps.db, webhook.id)
      if (!row) throw new Error('the webhook is gone')
      return row
    }
    const before = await readRow()
    await secondProcess(test, { secretKey: keys.now, previousSecretKeys: [keys.before] })
    const after = await readRow()
    expect(after.secret).not.toBe(before.secret)
    expect(after.previous_secret).not.toBe(before.previous_secret)
    // A secret that was rotated meanwhile, by another process, is left alone.
    await replaceWebhookSecret(test.deps.db, webhook.id, before.secret, 'of the former secret')
    expect(await readRow()).toEqual(after)
    // Without the previous key the same secrets still sign deliveries.
    const later = await secondProcess(test, { secretKey: keys.now, previousSecretKeys: [] })
    expect(signingSecrets(later.deps, after, test.clock.now())).toEqual([renewal.body.secret, secret])
    expect(() => signingSecrets(later.deps, before, test.clock.now())).toThrow()
  })
})
