/** Keys, encryption, hashes and random tokens. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

/** Keys derived from the deployment's secret, one per purpose, so that a leak of one use does not affect another. */
export type KeyRing = {
  /** The key of a purpose, for everything that is written now. */
  derive(purpose: string): Buffer
  /** Every key that may have been used: the current one first, then those of previous secrets. */
  derivations(purpose: string): readonly Buffer[]
}

/**
 * Creates the keys of the current and the previous secrets (key rotation: read with all, write with the current one).
 */
export function keyRing(secret: string, previousSecrets: readonly string[] = []): KeyRing {
  const cache = new Map<string, readonly [Buffer, ...Buffer[]]>()
  const derivations = (purpose: string) => {
    const deriveFrom = (from: string) => Buffer.from(hkdfSync('sha256', from, 'waybill', purpose, 32))
    const keys = cache.get(purpose) ?? ([deriveFrom(secret), ...previousSecrets.map(deriveFrom)] as const)
    cache.set(purpose, keys)
    return keys
  }
  return { derive: (purpose) => derivations(purpose)[0], derivations }
}

/** Whether a MAC was made with one of the keys; `makeMac` computes it with a given key. Compares in constant time. */
export function isMacOfAny(
  keys: readonly Buffer[],
  mac: Buffer | Uint8Array,
  makeMac: (key: Buffer) => Buffer,
): boolean {
  return keys.some((key) => sameBytes(makeMac(key), mac))
}

/** The SHA-256 hash. */
export function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Node's form of the keys in use. Making one for each MAC would take five times as long as the MAC. */
const keyObjects = new WeakMap<Buffer, KeyObject>()

/** The HMAC with SHA-256 of the parts. Keep the key's buffer: its prepared form is cached by it. */
export function hmacSha256(key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const keyObject = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, keyObject)
  const hmac = createHmac('sha256', keyObject)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** Compares in constant time. */
export function sameBytes(a: Buffer | Uint8Array, b: Buffer | Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** 256 random bits, URL-safe. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** A random six-digit code, uniformly distributed. */
export function randomCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0')
}

/**
 * Encrypts with AES-256-GCM (nonce, tag, ciphertext; base64). For secrets that are needed again, such as an SMTP
 * password.
 */
export function seal(key: Buffer, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** Decrypts the result of `seal`. Throws for another key or changed data. */
export function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** Decrypts with the first key that fits. Throws if none does. */
export function unsealWithAny(keys: readonly Buffer[], sealed: string): string {
  for (const key of keys.slice(0, -1)) {
    try {
      return unseal(key, sealed)
    } catch {
      // Try the next key.
    }
  }
  return unseal(keys.at(-1) as Buffer, sealed)
}

/** Re-encrypts a value with the current key if a previous one encrypted it. Null: it is up to date, or no key fits. */
export function reseal(keys: KeyRing, purpose: string, sealed: string): string | null {
  const [current, ...previous] = keys.derivations(purpose)
  try {
    unseal(current as Buffer, sealed)
    return null
  } catch {
    try {
      return previous.length === 0 ? null : seal(current as Buffer, unsealWithAny(previous, sealed))
    } catch {
      return null
    }
  }
}
