// The links in mails to followers.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { hmacSha256, isMacOfAny } from '../../../lib/crypto.ts'

const purpose = 'following links'
const computeMac = (key: Buffer, id: string) => hmacSha256(key, id).subarray(0, 18)

/** The token of a link: the id of a follow with a signature. */
export function makeToken({ keys }: Deps, id: string): string {
  return `${id}.${computeMac(keys.derive(purpose), id).toString('base64url')}`
}

/** The id of a follow. Throws link_invalid for a token that is not ours. */
export function readToken({ keys }: Deps, token: string): string {
  const [id = '', mac = ''] = token.split('.')
  const isGenuine = isMacOfAny(keys.derivations(purpose), Buffer.from(mac, 'base64url'), (key) => computeMac(key, id))
  if (!isGenuine) throw new AppError('link_invalid')
  return id
}

/** The page that confirms or ends following. Opening it changes nothing. */
export function pageLink(deps: Deps, id: string): string {
  return buildFollowingUrl(deps, makeToken(deps, id))
}

export function buildFollowingUrl({ config }: Deps, token: string): string {
  return `${config.http.publicUrl}/public/following/${encodeURIComponent(token)}`
}

/** The address to which mail programs post to end following with one click (RFC 8058). */
export function oneClickLink(deps: Deps, id: string): string {
  const { apiHost, publicUrl } = deps.config.http
  return `${apiHost ?? publicUrl}/api/public/following/${encodeURIComponent(makeToken(deps, id))}/end`
}
