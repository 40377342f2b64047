import { local } from './storage.ts'

const key = 'device'

/** What this browser calls itself at a sign-in, always the same: the server mails the user when it does not know it yet. */
export function deviceId(): string {
  const known = local.get(key)
  if (known) return known
  // `crypto.randomUUID` needs https, which a portal in a company's own network may not have.
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  local.set(key, id)
  return id
}
