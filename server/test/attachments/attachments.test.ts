import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Attachment,
  type AttachmentPurpose,
  attachmentPurposes,
  createAttachment,
  deleteAttachment,
  getAttachment,
  largestFileBytes,
  longestSidePixels,
  updateAttachment,
} from '@waybill/contract/attachments/attachments'
import { addDocuments, createClaim } from '@waybill/contract/tickets/tickets'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimAttachments, releaseAttachments } from '../../src/domains/attachments/service.ts'
import type { AnyCaller, CustomerCaller } from '../../src/http/caller.ts'
import { sweep } from '../../src/jobs/housekeeping.ts'
import { days, hours, minutes } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { testImage, uploadPhoto } from '../testing/factories/attachments.ts'
import { createInsured } from '../testing/factories/tickets.ts'
import { upload } from '../testing/forms.ts'
import { type S3Peer, startS3Peer } from '../testing/peers/s3.ts'

const pdf = Uint8Array.from(Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'))
const toBytes = (text: string) => Uint8Array.from(Buffer.from(text))

describe.each(['disk', 'bucket'] as const)('attachments in a %s', (store) => {
  let test: TestApp
  let siti: TestCustomer
  let peer: S3Peer
  beforeAll(async () => {
    peer = await startS3Peer()
    test = await buildTestApp(store === 'bucket' ? peer.environment : {})
  })
  afterAll(() => {
    // Every test used its own store, and the bucket refused no request.
    expect(peer.refused).toEqual([])
    expect(peer.requests > 0).toBe(store === 'bucket')
  })
  // Sessions expire when the clock moves forward.
  beforeEach(async () => {
    siti = await createCustomer(test)
  })

  const send = (
    file: { name: string; type?: string; bytes: Uint8Array<ArrayBuffer> },
    fields: Record<string, string> = { purpose: 'parcel_photo' },
    token = siti.token,
  ) => upload(test, createAttachment, { token, fields, file })
  const openLink = ({ link }: Attachment, headers = {}) => test.app.inject({ url: link, headers })
  const countFiles = async () => {
    if (store === 'bucket') return peer.objects.size
    const folder = join(test.deps.config.dataDir, 'files')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isFile()).length
  }
  const getCaller = async ({ token }: { token: string }) => (await test.deps.tokens.verify(token)) as AnyCaller

  it('are identified by their content, whatever their name and type', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const { status, body } = await send({ name: 'notes.txt', type: 'text/plain', bytes: await testImage(format) })
      expect([status, body.mediaType]).toEqual([200, `image/${format}`])
      expect(body).toMatchObject({ type: 'file', width: 80, height: 60, claimed: false })
      expect(body.name).toBe(`notes.${format === 'jpeg' ? 'jpg' : format}`)
    }
    const gif = await send({ name: 'a.gif', bytes: await testImage('gif') })
    expect(gif.body.mediaType).toBe('image/png')
    const document = await send({ name: 'logo.pdf', bytes: pdf }, { purpose: 'artwork' })
    expect(document.body).toMatchObject({ mediaType: 'application/pdf', width: null })
  })

  it('are refused with 415 if they are not a picture, whatever their name', async () => {
    const whole = await testImage('png')
    const wrong: [string, Uint8Array<ArrayBuffer>][] = [
      ['page', toBytes('<html><script>alert(1)</script></html>')],
      ['drawing', toBytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ['program', toBytes('MZ\x90\0')],
      ['only the first bytes of a picture', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])],
      ['half a picture', whole.slice(0, whole.length / 2)],
      ['PDF where only a picture will do', pdf],
      ['PDF without an end', toBytes('%PDF-1.4 and no more')],
      ['nothing', new Uint8Array()],
    ]
    for (const [what, bytes] of wrong) {
      const { status, error } = await send({ name: 'photo.jpg', type: 'image/jpeg', bytes })
      expect([what, status, error.code]).toEqual([what, 415, 'unsupported_media'])
    }
  })

  it('are refused with 413 if they are too large in bytes or in pixels', async () => {
    const heavy = new Uint8Array(largestFileBytes + 1)
    heavy.set(await testImage())
    const { error } = await send({ name: 'a.jpg', bytes: heavy })
    expect([error.statusCode, error.code, error.message]).toEqual([
      413,
      'too_large',
      'The file is larger than 10 MB. Choose a smaller one.',
    ])
    const bomb = await sharp({ create: { width: 7100, height: 7100, channels: 3, background: 'white' } })
      .png({ compressionLevel: 2 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(largestFileBytes)
    expect((await send({ name: 'a.png', bytes: Uint8Array.from(bomb) })).status).toBe(413)
  })

  it('are scaled down, and lose camera data and content hidden behind the picture', async () => {
    const picture = await testImage('jpeg', longestSidePixels + 400, 300)
    expect(Buffer.from(picture).toString('latin1')).toContain('camera of Siti')
    const script = toBytes('<script>alert("polyglot")</script>')
    const both = new Uint8Array(picture.length + script.length)
    both.set(picture)
    both.set(script, picture.length)
    const { body } = await send({ name: 'a.jpg', bytes: both })
    expect(body.width).toBe(longestSidePixels)
    const bytes = (await openLink(body)).rawPayload
    expect(bytes.toString('latin1')).not.toContain('camera of Siti')
    expect(bytes.toString('latin1')).not.toContain('polyglot')
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  })

  it('are rotated upright before the camera data is removed', async () => {
    const upright = sharp({ create: { width: 80, height: 60, channels: 3, background: 'white' } })
    const rotated = await upright.jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const { body } = await send({ name: 'a.jpg', bytes: Uint8Array.from(rotated) })
    expect([body.width, body.height]).toEqual([60, 80])
  })

  it('open with their link until it expires, and with no other link', async () => {
    const photo = await uploadPhoto(test, siti.token, 'parcel_photo')
    const right = await openLink(photo)
    expect(right.statusCode).toBe(200)
    expect(right.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename="photo.jpg"; filename*=UTF-8\'\'photo.jpg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect((await openLink(photo, { 'if-none-match': right.headers.etag })).statusCode).toBe(304)
    const other = await uploadPhoto(test, siti.token, 'parcel_photo')
    const search = photo.link.slice(photo.link.indexOf('?'))
    const later = photo.link.replace(/expires=\d+/, 'expires=9999999999')
    for (const link of [
      `/${photo.id}/file`,
      later,
      `/${other.id}/file${search}`,
      `/${newId()}/file${search}`,
      '/x/file',
    ]) {
      expect([link, (await test.app.inject({ url: link })).statusCode]).toEqual([link, 404])
    }
    test.clock.advance(minutes(21))
    expect((await openLink(photo)).statusCode).toBe(404)
    const counter = await createStaff(test)
    const secondRead = await test.call(getAttachment, { params: { id: photo.id }, token: counter.token })
    expect((await openLink(secondRead.body)).statusCode).toBe(200)
  })

  it('are offered only as downloads if they are not pictures, under a safe file name', async () => {
    const name = '../..\\发票 "一" <b>.exe'
    const { body } = await send({ name: 'x', bytes: pdf }, { purpose: 'artwork', name })
    expect(body.name).toBe('发票 一 b.pdf')
    const { headers } = await openLink(body)
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="__ _ b\.pdf"; filename\*=UTF-8''%E5%8F%91/)
  })

  it('can be links, which are stored unchanged', async () => {
    const fields = { url: 'https://example.test/logo' }
    const { body } = await upload(test, createAttachment, { token: siti.token, fields })
    expect(body).toMatchObject({ type: 'url', link: fields.url, name: 'example.test', linkExpiresAt: null })
    expect((await test.app.inject(`/${body.id}/file?expires=1&signature=x`)).statusCode).toBe(404)
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'no address', `https://a.test/${'x'.repeat(2048)}`]) {
      const wrong = await upload(test, createAttachment, { token: siti.token, fields: { ...fields, url } })
      expect([url.slice(0, 20), wrong.status]).toEqual([url.slice(0, 20), 422])
    }
  })

  it('cannot be links where a record needs the file, whether at the upload, later, or when they are used', async () => {
    const url = 'https://example.test/damage.jpg'
    const getField = (answer: { error: { errors?: { field: string }[] } }) => answer.error.errors?.[0]?.field
    const staff = await createStaff(test)
    for (const [purpose, { by }] of Object.entries(attachmentPurposes)) {
      const { token } = by === 'staff' ? staff : siti
      const link = await upload(test, createAttachment, { token, fields: { purpose, url, name: 'damage.jpg' } })
      expect([purpose, getField(link)]).toEqual([purpose, purpose === 'general' ? undefined : 'url'])
    }
    const photo = await uploadPhoto(test, siti.token, 'ticket_document')
    const replaced = { token: siti.token, params: { id: photo.id }, fields: { version: '1', url } }
    expect(getField(await upload(test, updateAttachment, replaced))).toBe('url')

    const link = (await upload(test, createAttachment, { token: siti.token, fields: { url, name: 'damage.jpg' } })).body
    const { id: parcelId } = await createInsured(test, siti)
    const claimed = { parcelId, reason: 'lost', amountMinor: 40_000, description: 'Gone.' } as const
    const claim = await test.call(createClaim, { token: siti.token, body: claimed })
    const documents = [{ kind: 'proof_of_value', attachmentId: link.id } as const]
    const request = { token: siti.token, params: { id: claim.body.id }, body: { version: 1, documents } }
    expect(getField(await test.call(addDocuments, request))).toBe('documents')
  })

  it('name the invalid field', async () => {
    const bytes = await testImage()
    const getField = (answer: { error: { errors?: { field: string }[] } }) => answer.error.errors?.[0]?.field
    expect(getField(await send({ name: 'a', bytes }, { purpose: 'holiday' }))).toBe('purpose')
    expect(getField(await send({ name: 'a', bytes }, { purpose: 'proof_photo' }))).toBe('purpose')
    const fields = { purpose: 'parcel_photo' }
    expect(getField(await upload(test, createAttachment, { token: siti.token, fields }))).toBe('file')
    const request = { token: siti.token, fields, file: { name: 'a', bytes }, fileField: 'photo' }
    expect(getField(await upload(test, createAttachment, request))).toBe('photo')
    expect((await test.call(createAttachment, { token: siti.token })).status).toBe(415)
    const invalidForm = await test.app.inject({
      method: 'POST',
      url: createAttachment.path,
      headers: { authorization: `Bearer ${siti.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nno end',
    })
    expect(invalidForm.statusCode).toBe(400)
  })

  it('are visible to their uploader and to users of the account with the right, and to nobody else', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createCustomer(test, { accountId: company.accountId, isOwner: false })
    const colleague = await createCustomer(test, { accountId: company.accountId, isOwner: false })
    const photo = await uploadPhoto(test, member.token, 'parcel_photo')
    const [counter, marketing] = [await createStaff(test), await createStaff(test, { role: 'e_marketing' })]
    const getStatusFor = async ({ token }: { token: string }) =>
      (await test.call(getAttachment, { params: { id: photo.id }, token })).status
    expect(await Promise.all([member, company, counter].map(getStatusFor))).toEqual([200, 200, 200])
    expect(await Promise.all([colleague, siti, marketing].map(getStatusFor))).toEqual([404, 404, 404])
    for (const { token } of [company, siti, counter]) {
      const fields = { version: '1', name: 'mine' }
      expect((await upload(test, updateAttachment, { token, params: { id: photo.id }, fields })).status).toBe(404)
      expect((await test.call(deleteAttachment, { params: { id: photo.id }, token })).status).toBe(404)
    }
  })

  it('can be replaced and deleted while unused, and leave no file behind', async () => {
    const before = await countFiles()
    const photo = await uploadPhoto(test, siti.token, 'parcel_photo')
    const change = async (version: number) =>
      upload(test, updateAttachment, {
        token: siti.token,
        params: { id: photo.id },
        fields: { version: String(version) },
        file: { name: 'b.png', bytes: await testImage('png', 40, 40) },
      })
    const update = await change(1)
    expect(update.body).toMatchObject({ name: 'b.png', mediaType: 'image/png', width: 40, version: 2 })
    expect(await countFiles()).toBe(before + 1)
    expect((await change(1)).error.code).toBe('version_conflict')
    const deletion = await test.call(deleteAttachment, { params: { id: photo.id }, token: siti.token })
    expect(deletion.status).toBe(200)
    expect((await openLink(update.body)).statusCode).toBe(404)
    test.clock.advance(hours(2))
    await sweep(test.deps)
    expect(await countFiles()).toBe(before)
  })

  it('get the purpose of their first use if caller and file are suitable', async () => {
    const caller = (await getCaller(siti)) as CustomerCaller
    const claim = ({ id }: Attachment, purpose: AttachmentPurpose) =>
      test.deps.db.transaction().execute((trx) =>
        claimAttachments(test.deps, trx, [id], caller, {
          kind: 'parcel',
          id: newId(),
          accountId: siti.accountId,
          purpose,
        }),
      )
    const photo = (await send({ name: 'a.png', bytes: await testImage('png') }, {})).body
    const document = (await send({ name: 'a.pdf', bytes: pdf }, {})).body
    expect([photo.purpose, document.purpose]).toEqual(['general', 'general'])
    // A PDF cannot be a photo of a parcel, and only riders upload proofs of delivery.
    for (const [file, purpose] of [
      [document, 'parcel_photo'],
      [photo, 'proof_photo'],
    ] as const)
      await expect(claim(file, purpose)).rejects.toMatchObject({ code: 'validation' })
    await claim(photo, 'parcel_photo')
    await claim(document, 'customs_document')
    const getPurpose = async ({ id }: Attachment) =>
      (await test.call(getAttachment, { params: { id }, token: siti.token })).body.purpose
    expect([await getPurpose(photo), await getPurpose(document)]).toEqual(['parcel_photo', 'customs_document'])
  })

  it('are kept while something claims them, and deleted a day after the claim ends', async () => {
    const [used, unused] = [
      await uploadPhoto(test, siti.token, 'parcel_photo'),
      await uploadPhoto(test, siti.token, 'parcel_photo'),
    ]
    const caller = (await getCaller(siti)) as CustomerCaller
    const subject = { kind: 'parcel', id: newId(), accountId: siti.accountId, purpose: 'parcel_photo' } as const
    const claim = (by: CustomerCaller, overrides: Partial<Parameters<typeof claimAttachments>[4]> = {}) =>
      test.deps.db
        .transaction()
        .execute((trx) => claimAttachments(test.deps, trx, [used.id], by, { ...subject, ...overrides }))
    const stranger = await createCustomer(test)
    await expect(claim((await getCaller(stranger)) as CustomerCaller)).rejects.toMatchObject({ code: 'validation' })
    await expect(claim(caller, { purpose: 'artwork' })).rejects.toMatchObject({ code: 'validation' })
    await claim(caller)
    await claim(caller)
    await expect(claim(caller, { id: newId() })).rejects.toMatchObject({ code: 'validation' })
    const refusal = await test.call(deleteAttachment, { params: { id: used.id }, token: siti.token })
    expect([refusal.status, refusal.error.code]).toEqual([409, 'attachment_in_use'])

    const getStatusFor = async (id: string) => {
      const fresh = await createStaff(test, { type: 'admin' })
      return (await test.call(getAttachment, { params: { id }, token: fresh.token })).status
    }
    test.clock.advance(days(1) + hours(1))
    await sweep(test.deps)
    expect([await getStatusFor(used.id), await getStatusFor(unused.id)]).toEqual([200, 404])
    await releaseAttachments(test.deps, test.deps.db, [used.id])
    test.clock.advance(days(1) + hours(1))
    await sweep(test.deps)
    expect(await getStatusFor(used.id)).toBe(404)
    // Only the two files claimed by the test above are left.
    expect(await countFiles()).toBe(2)
  })
})
