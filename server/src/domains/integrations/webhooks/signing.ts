/** Signatures of deliveries (`docs/api.md` shows how receivers verify them), and their secrets. */
import type { Deps } from '../../../deps.ts'
import { hmacSha256, randomToken, reseal, seal, unsealWithAny } from '../../../lib/crypto.ts'
import { listSecrets, replaceWebhookSecret, type WebhookRow } from './queries.ts'

export const signatureHeader = 'waybill-signature'

/** A new signing secret: `whsec_` and 43 characters, 256 random bits. */
export const newSigningSecret = () => `whsec_${randomToken()}`

/**
 * `t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<seconds>.<body>` with the secret as text. The time is signed, so that a
 * delivery that was intercepted cannot be replayed later. During a rotation there is one `v1` for each secret.
 */
export function signDelivery(secrets: readonly string[], at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const macs = secrets.map((secret) => hmacSha256(Buffer.from(secret), `${seconds}.${body}`).toString('hex'))
  return [`t=${seconds}`, ...macs.map((mac) => `v1=${mac}`)].join(',')
}

/** The key that encrypts secrets in their rows. */
const purpose = 'webhook secrets'

/** Encrypts a secret for its row. */
export const sealSecret = ({ keys }: Deps, secret: string) => seal(keys.derive(purpose), secret)

/** The secrets that sign now: the current one, and after a rotation the previous one as well. */
export function signingSecrets({ keys }: Deps, webhook: WebhookRow, now: Date): string[] {
  const { secret, previous_secret: previous, previous_until: until } = webhook
  const sealed = previous !== null && until !== null && until > now ? [secret, previous] : [secret]
  return sealed.map((text) => unsealWithAny(keys.derivations(purpose), text))
}

/** Re-encrypts every secret with the current key, after the server's key was changed. */
export async function resealWebhooks(deps: Deps): Promise<void> {
  if (deps.config.previousSecretKeys.length === 0) return
  for (const { id, secret, previous_secret: previous } of await listSecrets(deps.db)) {
    for (const sealed of [secret, previous]) {
      const resealed = sealed === null ? null : reseal(deps.keys, purpose, sealed)
      if (sealed !== null && resealed !== null) await replaceWebhookSecret(deps.db, id, sealed, resealed)
    }
  }
}
