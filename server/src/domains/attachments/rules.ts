/** Rules of attachments. */
import { type AttachmentPurpose, attachmentPurposes, pdfMediaType } from '@waybill/contract/attachments/attachments'

const startsWith = (bytes: Uint8Array, signature: readonly (number | null)[]) =>
  bytes.length >= signature.length && signature.every((byte, at) => byte === null || bytes[at] === byte)
const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
const any4 = [null, null, null, null]

/**
 * The media type by the first bytes (WHATWG MIME sniffing); null for types that are not accepted. Names and headers
 * are not trusted.
 */
export function detectMediaType(bytes: Uint8Array): string | null {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(bytes, [0x89, ...letters('PNG\r\n'), 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, [...letters('RIFF'), ...any4, ...letters('WEBPVP')])) return 'image/webp'
  if (startsWith(bytes, letters('GIF87a')) || startsWith(bytes, letters('GIF89a'))) return 'image/gif'
  if (startsWith(bytes, letters('%PDF-')) && endsLikePdf(bytes)) return 'application/pdf'
  return null
}

/** Every complete PDF has its end mark in the last kilobyte. */
function endsLikePdf(bytes: Uint8Array): boolean {
  const tail = String.fromCharCode(...bytes.subarray(Math.max(0, bytes.length - 1024)))
  return tail.includes('%%EOF')
}

/** A safe file name: the last part of a path, without control characters and characters that file systems forbid. */
export function fileName(originalName: string, extension: string): string {
  const last = originalName.split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .normalize('NFC')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '')
    .replace(/^\.+/, '')
    .trim()
  const stem = clean.replace(/\.[^.]*$/, '').slice(0, 120) || 'file'
  return `${stem}.${extension}`
}

/** Whether a kind of caller may upload for a purpose. */
export function mayUpload(purpose: AttachmentPurpose, kind: 'customer' | 'staff'): boolean {
  const { by } = attachmentPurposes[purpose]
  return by === 'anyone' || by === kind
}

/**
 * Whether an upload can be used for a purpose: it was uploaded for it, or for none and would have been allowed for it.
 */
export function fitsPurpose(
  upload: { type: string; purpose: AttachmentPurpose; media_type: string | null },
  purpose: AttachmentPurpose,
  kind: 'customer' | 'staff',
): boolean {
  const { pdf, link } = attachmentPurposes[purpose]
  if (upload.type === 'url' && !link) return false
  if (upload.media_type === pdfMediaType && !pdf) return false
  if (upload.purpose === purpose) return true
  // Uploads for these purposes are stored in a special form.
  if (purpose === 'logo' || purpose === 'profile_photo') return false
  return upload.purpose === 'general' && mayUpload(purpose, kind)
}

/**
 * The lifetime of links in seconds. A link stays the same for five minutes, so that a browser can cache the picture.
 */
const linkSeconds = 15 * 60
const changeSeconds = 5 * 60

/** The expiry of a link created now, in seconds since 1970. */
export function linkEnd(nowMs: number): number {
  return Math.ceil(nowMs / 1000 / changeSeconds) * changeSeconds + linkSeconds - changeSeconds
}
