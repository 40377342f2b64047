import { local } from './storage.ts'

const key = 'device'
/** For a browser that stores nothing: the same at least until the page is left. */
let id: string | null = null

/**
 * What this browser calls itself at a sign-in, always the same: the server mails the user when it does not know it yet.
 */
export function deviceId(): string {
  id = local.get(key) ?? id ?? newDeviceId()
  local.set(key, id)
  return id
}

/** 128 random bits. `crypto.randomUUID` needs https, which a portal in a company's own network may not have. */
function newDeviceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
