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

/** Keys derived from the deployment's secret, one for each purpose, so that no key is used for two things. */
export type KeyRing = {
  /** The key of a purpose that everything new is written with. */
  derive(purpose: string): Buffer
  /** All keys that may be read with: the present one first, then those of previous secrets. */
  derivations(purpose: string): readonly Buffer[]
}

/** The keys of the present secret and of those before it (key rotation: read all, write the present one). */
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

/** Whether a MAC was made with one of the keys; `makeMac` makes it with a given key. Compares in constant time. */
export function isMacOfAny(
  keys: readonly Buffer[],
  mac: Buffer | Uint8Array,
  makeMac: (key: Buffer) => Buffer,
): boolean {
  return keys.some((key) => sameBytes(makeMac(key), mac))
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

/** Reads what `seal` made with any of the keys. Throws when none of them fits or a bit has changed. */
export function unsealWithAny(keys: readonly Buffer[], sealed: string): string {
  for (const key of keys.slice(0, -1)) {
    try {
      return unseal(key, sealed)
    } catch {
      // Sealed with an older key, which is next.
    }
  }
  return unseal(keys.at(-1) as Buffer, sealed)
}

/** What was sealed with a previous key, sealed with the present one. Null: it is already, or no key reads it. */
export function reseal(keys: KeyRing, purpose: string, sealed: string): string | null {
  const [present, ...previous] = keys.derivations(purpose)
  try {
    unseal(present as Buffer, sealed)
    return null
  } catch {
    try {
      return previous.length === 0 ? null : seal(present as Buffer, unsealWithAny(previous, sealed))
    } catch {
      return null
    }
  }
}
