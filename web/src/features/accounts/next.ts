/** Where to go after signing in: only a path of this site, whatever the link says. */
export function safeNext(search: string, fallback: string): string {
  const next = new URLSearchParams(search).get('next')
  return next && /^\/(?![/\\])/.test(next) ? next : fallback
}
