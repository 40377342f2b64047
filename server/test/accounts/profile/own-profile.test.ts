import { getMember, listMembers } from '@waybill/contract/accounts/company'
import { deletePhoto, getPhoto, putPhoto, putPreferences } from '@waybill/contract/accounts/profile'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, createStaff } from '../../testing/factories/accounts.ts'
import { uploadPhoto } from '../../testing/factories/attachments.ts'

describe("the user's own profile", () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  it('stores a photo cropped to a square, which can be replaced and removed', async () => {
    for (const { token } of [await createCustomer(test), await createStaff(test)]) {
      expect((await test.call(getPhoto, { token })).body).toEqual({ url: null })
      const upload = await uploadPhoto(test, token, 'profile_photo')
      const set = await test.call(putPhoto, { token, body: { attachmentId: upload.id } })
      expect(set.status, JSON.stringify(set.error)).toBe(200)
      const { url } = (await test.call(getPhoto, { token })).body
      expect((await test.call(getProfile, { token })).body.photoUrl).toBe(url)
      const picture = await test.app.inject(url ?? '')
      expect(picture.statusCode).toBe(200)
      const metadata = await sharp(picture.rawPayload).metadata()
      expect(metadata).toMatchObject({ width: 512, height: 512 })
      expect(metadata.exif).toBeUndefined()
      expect((await test.call(deletePhoto, { token })).status).toBe(200)
      expect((await test.call(getProfile, { token })).body.photoUrl).toBeNull()
    }
  })

  it('shows the photo to the other users of the company, and to nobody else', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, owner)
    const upload = await uploadPhoto(test, member.token, 'profile_photo')
    await test.call(putPhoto, { token: member.token, body: { attachmentId: upload.id } })
    const { items } = (await test.call(listMembers, { token: owner.token })).body
    expect(items.find(({ isOwner }) => isOwner)?.photoUrl).toBeNull()
    const { photoUrl } = (await test.call(getMember, { token: owner.token, params: { id: member.userId } })).body
    for (const url of [items.find(({ id }) => id === member.userId)?.photoUrl, photoUrl])
      expect((await test.app.inject(url ?? '/')).headers['content-type']).toBe('image/jpeg')
    // The link does not work without its signature.
    expect((await test.app.inject((photoUrl ?? '').split('?')[0] ?? '')).statusCode).not.toBe(200)
  })

  it('rejects a photo of another user, and an attachment with another purpose', async () => {
    const [own, other] = [await createCustomer(test), await createCustomer(test)]
    const foreign = await uploadPhoto(test, other.token, 'profile_photo')
    const parcelPhoto = await uploadPhoto(test, own.token, 'parcel_photo')
    for (const { id } of [foreign, parcelPhoto]) {
      const answer = await test.call(putPhoto, { token: own.token, body: { attachmentId: id } })
      expect(answer.error.errors).toMatchObject([{ field: 'attachmentId' }])
    }
    expect((await test.call(getPhoto, { token: own.token })).body.url).toBeNull()
  })

  it('stores language and units, and rejects a stale version', async () => {
    const { token } = await createCustomer(test)
    const { version } = (await test.call(getProfile, { token })).body
    const body = {
      language: 'cn_zh',
      weightUnit: 'lb',
      dimensionUnit: null,
      version,
    } as const
    const answer = await test.call(putPreferences, { token, body })
    expect(answer.body.user).toMatchObject({ language: 'cn_zh', weightUnit: 'lb', dimensionUnit: null })
    const stale = await test.call(putPreferences, { token, body })
    expect(stale).toMatchObject({ status: 409, error: { code: 'version_conflict' } })
  })
})
