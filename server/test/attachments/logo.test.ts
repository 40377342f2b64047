import { createAttachment, getAttachment, getLogo } from '@waybill/contract/attachments/attachments'
import { getGeneralSettings, putSettings } from '@waybill/contract/settings/settings'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { findLogo } from '../../src/domains/attachments/company-logo.ts'
import { sweep } from '../../src/jobs/housekeeping.ts'
import { sendMail } from '../../src/jobs/send-mail.ts'
import { days } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { testImage, uploadPhoto } from '../testing/factories/attachments.ts'
import { upload } from '../testing/forms.ts'

describe('the logo', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
  })
  const signIn = async () => {
    token = (await createStaff(test, { type: 'superadmin' })).token
  }
  const send = (bytes: Uint8Array<ArrayBuffer>, by = token) =>
    upload(test, createAttachment, { token: by, fields: { purpose: 'logo' }, file: { name: 'logo.png', bytes } })
  const save = (logo: string | null) => test.call(putSettings, { token, body: { values: { 'company.logo': logo } } })
  const getLogoUrl = async () => (await test.call(getGeneralSettings)).body.companyLogo
  const getMailHtml = async (to: string) => {
    await sendMail(test.deps, { to, template: 'register_code', locale: 'en', vars: { code: '012345', minutes: 15 } })
    return test.mailbox.mails().find((mail) => mail.to.includes(to))?.html ?? ''
  }

  it('is refused if it contains a script, whatever its name', async () => {
    await signIn()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for (const content of [svg, `<?xml version="1.0"?>${svg}`, '<html><script>alert(1)</script></html>', 'alert(1)']) {
      const { status, error } = await send(Uint8Array.from(Buffer.from(content)))
      expect([content, status, error.code]).toEqual([content, 415, 'unsupported_media'])
    }
    const customer = await createCustomer(test)
    expect((await send(await testImage('png'), customer.token)).status).toBe(422)
  })

  it("is converted to PNG, served from the portal's origin, and shown on pages, mails and documents", async () => {
    await signIn()
    expect([await getLogoUrl(), await findLogo(test.deps)]).toEqual([null, null])
    const picture = await testImage('webp', 1200, 300)
    const polyglot = Buffer.concat([picture, Buffer.from('<script>alert(1)</script>')])
    const { body } = await send(Uint8Array.from(polyglot))
    expect([body.mediaType, body.width]).toEqual(['image/png', 800])
    expect((await save(body.id)).status).toBe(200)
    const address = `/api/public/logo/${body.id}`
    expect(await getLogoUrl()).toBe(address)
    const answer = await test.app.inject(address)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await sharp(answer.rawPayload).metadata()).format).toBe('png')
    expect(answer.rawPayload.toString('latin1')).not.toContain('alert(1)')
    // The content security policy of the page allows it.
    const policy = String((await test.app.inject('/')).headers['content-security-policy'])
    expect(policy).toMatch(/img-src 'self'/)
    expect(await getMailHtml('logo@example.test')).toContain(`src="http://portal.test${address}"`)
    expect(await findLogo(test.deps)).toEqual(answer.rawPayload)
  })

  it('is the only picture at its URL, and is kept while the setting refers to it', async () => {
    await signIn()
    const first = (await send(await testImage('png', 60, 20))).body.id
    await save(first)
    const other = await uploadPhoto(test, (await createCustomer(test)).token, 'parcel_photo')
    for (const id of [other.id, newId()]) expect((await test.call(getLogo, { params: { id } })).status).toBe(404)
    // A picture of another purpose, of another user, or with an unknown id is refused as the logo.
    const photo = await upload(test, createAttachment, {
      token,
      fields: {},
      file: { name: 'a.png', bytes: await testImage('png') },
    })
    for (const id of [other.id, photo.body.id, newId()]) {
      const refusal = await save(id)
      expect([refusal.status, refusal.error.errors?.[0]?.field]).toEqual([422, 'company.logo'])
    }
    test.clock.advance(days(2))
    await sweep(test.deps)
    await signIn()
    expect((await test.call(getLogo, { params: { id: first } })).status).toBe(200)
    await save(null)
    expect([await getLogoUrl(), (await test.call(getLogo, { params: { id: first } })).status]).toEqual([null, 404])
    test.clock.advance(days(2))
    await sweep(test.deps)
    await signIn()
    expect((await test.call(getAttachment, { params: { id: first }, token })).status).toBe(404)
  })
})
