/**
 * Where to go after signing in: only a path of this site, whatever the link says. The browser's own reading of the
 * address decides: it drops tabs and line breaks and takes a backslash for a slash, so `/<tab>/host` is another site.
 * The answer is a whole address, because the path of `/.//host` alone would be another site too.
 */
export function safeNext(search: string, fallback: string, origin: string = location.origin): string {
  const next = new URLSearchParams(search).get('next')
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return fallback
  const url = new URL(next, origin)
  return url.origin === origin ? url.href : fallback
}
