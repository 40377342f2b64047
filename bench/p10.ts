import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { alone, type Figure } from './results.ts'
import { root } from './server.ts'

type Chunk = { file: string; css?: string[]; imports?: string[]; src?: string; isEntry?: boolean }
type Manifest = Record<string, Chunk>

const dist = join(root, 'web/dist')

/** The pages of P10: the entry that the server sends, and the modules that the page loads by itself beyond it. */
const pages = [
  { id: 'P10 tracking', what: 'public tracking page', modules: ['track.html'], limit: 100 },
  { id: 'P10 sign-in', what: 'sign-in page', modules: ['sign-in.html'], limit: 135 },
  {
    id: 'P10 new parcel',
    what: 'new-parcel screen',
    modules: ['index.html', 'src/app/layouts/portal-layout.tsx', 'src/features/parcels/new-parcel/new-parcel-page.tsx'],
    limit: 240,
  },
]

/** P10, sizes: JavaScript and CSS that a page needs, gzipped, from the build's manifest. */
export function p10Sizes(): Figure[] {
  if (!existsSync(join(dist, '.vite/manifest.json')))
    throw new Error('build the web first: npm run build -w @waybill/web')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  return pages.map(({ id, what, modules, limit }) => {
    const files = new Set<string>()
    for (const module of modules) collect(manifest, module, files)
    const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
    return alone({
      id,
      what: `JavaScript and CSS of the ${what}, gzip`,
      ours: bytes / 1000,
      unit: 'kB',
      goal: { compare: 'at most', value: limit },
    })
  })
}

function collect(manifest: Manifest, name: string, files: Set<string>): void {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`the build has no module ${name}; see web/dist/.vite/manifest.json`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const css of chunk.css ?? []) files.add(css)
  for (const imported of chunk.imports ?? []) collect(manifest, imported, files)
}
