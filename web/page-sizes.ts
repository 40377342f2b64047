/**
 * What a page loads before it is usable, from the manifest of the last build, with the limit of each page.
 * `node web/page-sizes.ts` prints it and fails when a page is over its limit: a careless import would otherwise make
 * every visitor wait, and nobody would notice.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

type Chunk = { file: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, Chunk>

/** JavaScript and CSS of a page, gzip, in kB (1,000 bytes). */
export type PageSize = { id: string; what: string; size: number; limit: number }

const dist = join(import.meta.dirname, 'dist')

function toTrackingModule(name: string): string {
  return `src/features/tracking/${name}.tsx`
}

/** The modules that each page loads: the HTML entry, and the lazy modules that it needs at once. */
const pages = [
  { id: 'tracking', what: 'public tracking page', modules: ['track.html'], limit: 100 },
  {
    id: 'tracking parts',
    what: 'public tracking page with all its parts open',
    // The styles of the component kit would also give the page other colours and another size of text.
    modules: ['track.html', ...['unlock-panel', 'following/follow-panel', 'map-panel'].map(toTrackingModule)],
    limit: 150,
  },
  { id: 'sign-in', what: 'sign-in page', modules: ['sign-in.html'], limit: 135 },
  {
    id: 'new parcel',
    what: 'new-parcel screen',
    modules: ['index.html', 'src/app/entries/application.tsx'],
    limit: 240,
  },
]

/** The size of each page that has a limit. Throws when the web is not built. */
export function measurePages(): PageSize[] {
  const file = join(dist, '.vite/manifest.json')
  if (!existsSync(file)) throw new Error('build the web first: npm run build -w @waybill/web')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  return pages.map(({ id, what, modules, limit }) => {
    const files = new Set<string>()
    for (const module of modules) collectFiles(manifest, module, files)
    const bytes = [...files].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name))).length, 0)
    return { id, what, size: bytes / 1000, limit }
  })
}

function collectFiles(manifest: Manifest, name: string, files: Set<string>): void {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`the build has no module ${name}; see web/dist/.vite/manifest.json`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const css of chunk.css ?? []) files.add(css)
  for (const imported of chunk.imports ?? []) collectFiles(manifest, imported, files)
}

if (import.meta.main) {
  for (const { what, size, limit } of measurePages()) {
    const over = size > limit
    const verdict = over ? 'TOO LARGE' : 'ok'
    process.stdout.write(`${verdict}: ${what}, ${size.toFixed(1)} kB of JavaScript and CSS (limit ${limit})\n`)
    if (over) process.exitCode = 1
  }
}
