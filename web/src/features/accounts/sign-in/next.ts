/**
 * The page to open after sign-in: only a path of this site, whatever the link contains. The browser's URL parser
 * decides, because it drops tabs and line breaks and treats a backslash as a slash: `/<tab>/host` is another site.
 * Returns a complete URL, because the path of `/.//host` alone would also be another site.
 */
export function safeNext(search: string, fallback: string, origin: string = location.origin): string {
  const next = new URLSearchParams(search).get('next')
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return fallback
  const url = new URL(next, origin)
  return url.origin === origin ? url.href : fallback
}
