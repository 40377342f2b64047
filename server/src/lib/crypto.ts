import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

/** Keys derived from the deployment's one secret, one a purpose, so that none is used for two things. */
export type KeyRing = { derive(purpose: string): Buffer }

export function keyRing(secret: string): KeyRing {
  const cache = new Map<string, Buffer>()
  return {
    derive(purpose) {
      let key = cache.get(purpose)
      if (!key) {
        key = Buffer.from(hkdfSync('sha256', secret, 'waybill', purpose, 32))
        cache.set(purpose, key)
      }
      return key
    },
  }
}

export function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

export function hmacSha256(key: Buffer, data: string | Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

/** Equal without telling by its time where they differ. */
export function sameBytes(a: Buffer | Uint8Array, b: Buffer | Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** 256 random bits, URL-safe. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** A six-digit one-time code, each equally likely. */
export function randomCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0')
}

/** AES-256-GCM: nonce, tag, ciphertext, base64. For secrets that have to be used again, such as an SMTP password. */
export function seal(key: Buffer, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** Reads what `seal` made; throws when the key is another or a bit has changed. */
export function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
