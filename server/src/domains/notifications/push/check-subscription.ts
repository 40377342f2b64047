/** Validates a browser's subscription before it is stored. */
import { ECDH } from 'node:crypto'
import type { BrowserSubscription } from '@waybill/contract/notifications/push'
import type { Deps } from '../../../deps.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { requirePublicHost, resolveByDns } from '../../../lib/outbound/public-address.ts'

/** Throws push_off, and validation for an address within our own network or keys that are invalid. */
export async function checkSubscription({ config }: Deps, { endpoint, keys }: BrowserSubscription): Promise<void> {
  if (!config.push) throw new AppError('push_off')
  await checkEndpoint(config.webhooks, endpoint)
  requirePublicKey(keys.p256dh)
}

/** Gives the user early feedback. The check that protects our network runs on every connection. */
async function checkEndpoint({ anyAddress }: Deps['config']['webhooks'], endpoint: string): Promise<void> {
  const url = new URL(endpoint)
  if (url.protocol !== 'https:' && !(anyAddress && url.protocol === 'http:')) {
    throw validationError({ field: 'endpoint', rule: 'https' })
  }
  if (anyAddress) return
  await requirePublicHost(url, resolveByDns).catch(() => {
    throw validationError({ field: 'endpoint', rule: 'publicAddress' })
  })
}

function requirePublicKey(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
  } catch {
    throw validationError({ field: 'keys.p256dh', rule: 'pattern' })
  }
}
