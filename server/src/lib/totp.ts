/** Time-based one-time passwords. */
import { createHmac } from 'node:crypto'

/*
 * Time-based one-time passwords (RFC 6238) with the parameters of every authenticator app: SHA-1, six digits, 30
 * seconds.
 */

const stepSeconds = 30
const digits = 6

/** How many steps a phone's clock may be off. */
const drift = 1

/** The number of the 30-second step that contains a time. */
export function totpStep(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds)
}

/** The code of one step. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * The step of a code, at most one away from the current one; null for a wrong code, and for a step up to `lastStep`,
 * which was used already.
 */
export function matchingStep(secret: Buffer, code: string, at: Date, lastStep: number): number | null {
  const now = totpStep(at)
  for (let step = now - drift; step <= now + drift; step += 1) {
    if (step > lastStep && totpCode(secret, step) === code) return step
  }
  return null
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base 32 without padding (RFC 4648), the form in which a secret is typed into an app. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The content of the QR code for an authenticator app. */
export function totpUri(issuer: string, account: string, secret: Buffer): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
