import { local } from './storage.ts'

/** Where somebody was paying who went to top up first: outlives the trip to the bank. */
const wayBackKey = 'way-back'

/** A path of this site; null forgets what an earlier trip left. */
export function rememberWayBack(path: string | null): void {
  if (path && isOwnPath(path)) local.set(wayBackKey, path)
  else local.remove(wayBackKey)
}

/** Where to go on paying, or null. */
export function wayBack(): string | null {
  const path = local.get(wayBackKey)
  return path && isOwnPath(path) ? path : null
}

/** Whether a path stays on this site, whatever a link says. */
function isOwnPath(path: string): boolean {
  const here = 'https://this-site.invalid'
  return path.startsWith('/') && URL.canParse(path, here) && new URL(path, here).origin === here
}
