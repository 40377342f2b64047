/** The keys that identify this deployment to push services (VAPID, RFC 8292). */
import { createECDH, hkdfSync } from 'node:crypto'
import type { Variables } from './config-variables.ts'

/** Both keys in base64url. `subject` is the contact for push services, a `mailto:` or `https:` address. */
export type PushKeys = { publicKey: string; privateKey: string; subject: string }

type Facts = { production: boolean; secretKey: string; publicUrl: string }

/**
 * Null: push is off. Production needs its own permanent keys: if they change, every browser must subscribe again.
 * Elsewhere they are derived from the secret key.
 */
export function readPushKeys(values: Variables, facts: Facts, problems: string[]): PushKeys | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = values
  if ((values.WEB_PUSH ?? (facts.production ? 'off' : 'on')) === 'off') return null
  if (!facts.production && publicKey === undefined && privateKey === undefined) {
    const seed = Buffer.from(hkdfSync('sha256', facts.secretKey, '', 'web push', 32))
    const host = new URL(facts.publicUrl).hostname
    return {
      publicKey: findPublicKey(seed) ?? '',
      privateKey: seed.toString('base64url'),
      subject: subject ?? `mailto:push@${host}`,
    }
  }
  const required = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject }
  for (const [name, value] of Object.entries(required)) {
    if (value === undefined) problems.push(`${name}: is required while WEB_PUSH is on.`)
  }
  if (publicKey === undefined || privateKey === undefined || subject === undefined) return null
  if (findPublicKey(Buffer.from(privateKey, 'base64url')) !== publicKey) {
    problems.push('VAPID_PRIVATE_KEY: does not belong to VAPID_PUBLIC_KEY (npx web-push generate-vapid-keys).')
  }
  return { publicKey, privateKey, subject }
}

/** Derives the public key from a private one; null if it is not a key of the curve P-256. */
function findPublicKey(privateKey: Buffer): string | null {
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(privateKey)
    return curve.getPublicKey().toString('base64url')
  } catch {
    return null
  }
}
