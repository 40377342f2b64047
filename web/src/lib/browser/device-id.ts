import { local } from './storage.ts'

const key = 'device'
/** Fallback for a browser without storage: stays the same until the page is closed. */
let id: string | null = null

/** A constant id of this browser, sent at sign-in. The server mails the user when it sees an unknown one. */
export function deviceId(): string {
  id = local.get(key) ?? id ?? newDeviceId()
  local.set(key, id)
  return id
}

/** 128 random bits. `crypto.randomUUID` needs https, which a portal in a company network may not have. */
function newDeviceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
