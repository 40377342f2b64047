import { local } from './storage.ts'

/** The page where the user was paying before a top-up. It survives the redirect to the bank. */
const wayBackKey = 'way-back'

/** Accepts a path of this site. Null removes a previously stored path. */
export function rememberWayBack(path: string | null): void {
  if (path && isOwnPath(path)) local.set(wayBackKey, path)
  else local.remove(wayBackKey)
}

/** The path at which the payment continues, or null. */
export function wayBack(): string | null {
  const path = local.get(wayBackKey)
  return path && isOwnPath(path) ? path : null
}

/** Whether a path stays on this site. Prevents an open redirect. */
function isOwnPath(path: string): boolean {
  const here = 'https://this-site.invalid'
  return path.startsWith('/') && URL.canParse(path, here) && new URL(path, here).origin === here
}
