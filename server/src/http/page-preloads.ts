/**
 * Path of a screen as the web's router has it (`/parcels/$id`) -> the files that it needs beyond the application's own.
 */
export type Preloads = Readonly<Record<string, readonly string[]>>

/**
 * `Link` for the page of a path: a browser then fetches the screen's own files beside the application's, and not after
 * it has run that. Undefined where there is nothing to name. `table` is the build's `preloads.json`.
 */
export function preloadHeader(table: Preloads, path: string): string | undefined {
  const files = table[path] ?? table[Object.keys(table).find((pattern) => fits(pattern, path)) ?? '']
  if (!files || files.length === 0) return undefined
  return files
    .map((file) => `<${file}>; rel=${file.endsWith('.css') ? 'preload; as=style' : 'modulepreload'}; crossorigin`)
    .join(', ')
}

function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || part.startsWith('$'))
}
