import { type Attachment, type AttachmentPurpose, createAttachment } from '@waybill/contract/attachments/attachments'
import sharp from 'sharp'
import type { TestApp } from '../app.ts'
import { upload } from '../forms.ts'

type Format = 'jpeg' | 'png' | 'webp' | 'gif'

/** A picture of one colour with camera metadata. */
export async function testImage(format: Format = 'jpeg', width = 80, height = 60): Promise<Uint8Array<ArrayBuffer>> {
  const picture = sharp({ create: { width, height, channels: 3, background: { r: 200, g: 60, b: 40 } } })
    .withExif({ IFD0: { Copyright: 'camera of Siti', ImageDescription: 'at home' } })
    .toFormat(format)
  return Uint8Array.from(await picture.toBuffer())
}

/** Uploads a photo. */
export async function uploadPhoto(test: TestApp, token: string, purpose: AttachmentPurpose): Promise<Attachment> {
  const answer = await upload(test, createAttachment, {
    token,
    fields: { purpose },
    file: { name: 'photo.jpg', type: 'image/jpeg', bytes: await testImage() },
  })
  if (answer.status !== 200) throw new Error(`no photo: ${JSON.stringify(answer.error)}`)
  return answer.body
}
