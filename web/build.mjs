import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'

/*
 * `npm run build -w @waybill/web` -> dist/. The application, and each light page in a build of its own: one script and
 * one style sheet that hold nothing but what that page uses. Built together they would share chunks, and a chunk holds
 * what any of its pages needs: the sign-in page then takes 127 kB instead of 116, public tracking 90 instead of 83
 * (decision 0005).
 */
const folder = import.meta.dirname
const dist = join(folder, 'dist')
const manifestFile = join(dist, '.vite/manifest.json')
const manifest = {}
/** The screen that most people come for, and what stands around it. */
const firstScreen = [
  'src/app/main.tsx',
  'src/app/portal-layout.tsx',
  'src/features/parcels/new-parcel/new-parcel-page.tsx',
]

/**
 * The modules that the first screen needs, without what it loads later. Looked up by building it alone: what a barrel
 * file names but nobody uses is not among them.
 */
async function neededFirst() {
  const built = await build({
    root: folder,
    logLevel: 'error',
    publicDir: false,
    plugins: [{ name: 'without-later', enforce: 'pre', resolveDynamicImport: () => ({ id: 'later', external: true }) }],
    build: {
      write: false,
      minify: false,
      manifest: false,
      rolldownOptions: {
        // An entry's exports would count as unused otherwise.
        preserveEntrySignatures: 'strict',
        input: firstScreen.map((file) => join(folder, file)),
      },
    },
  })
  const chunks = built.output.filter(({ type }) => type === 'chunk')
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules))
  return new Set(modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id))
}

const first = await neededFirst()
const groups = [
  // What the first screen shares with others is one file, with nothing in it that the first screen does without.
  { name: 'first', test: (id) => first.has(id), minShareCount: 2, priority: 1 },
  // Of the rest, what five pages or more use is one file: left alone it would be eighty small ones, which a phone waits
  // for and which compress worse.
  { name: 'shared', minShareCount: 5 },
]

for (const page of ['index.html', 'sign-in.html', 'track.html']) {
  const application = page === 'index.html'
  await build({
    root: folder,
    logLevel: 'warn',
    ...(application ? {} : { publicDir: false }),
    build: {
      emptyOutDir: application,
      rolldownOptions: {
        input: join(folder, page),
        output: { codeSplitting: application ? { groups } : false },
        // What a light page loads later may be part of the application from the beginning.
        checks: { ineffectiveDynamicImport: false },
      },
    },
  })
  Object.assign(manifest, JSON.parse(await readFile(manifestFile, 'utf8')))
}

await writeFile(manifestFile, JSON.stringify(manifest, null, 2))
await writeFile(join(dist, 'preloads.json'), JSON.stringify(await preloads()))

/**
 * Path of a screen -> the files that it needs beyond the application's own, which the browser would find out about only
 * once it runs that: the server names them with the page (`server/src/http/page-preloads.ts`).
 */
async function preloads() {
  const routes = join(folder, 'src/app/routes')
  const table = {}
  for (const file of await readdir(routes)) {
    const text = await readFile(join(routes, file), 'utf8')
    for (const [, path, module] of text.matchAll(/^\s+'(\/[^']*)': \(\) => import\('([^']+)'\)/gm)) {
      const page = relative(folder, join(dirname(join(routes, file)), module))
      const layout = { 'portal.tsx': 'src/app/portal-layout.tsx', 'staff.tsx': 'src/app/staff-layout.tsx' }[file]
      const before = filesOf(['index.html'])
      const files = filesOf([layout ?? 'src/app/public-layout.tsx', page])
      table[path] = [...files].filter((name) => !before.has(name)).map((name) => `/${name}`)
    }
  }
  return table
}

/** The files that these modules load by themselves. */
function filesOf(modules, files = new Set()) {
  for (const name of modules) {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`the build has no module ${name}; see ${manifestFile}`)
    if (files.has(chunk.file)) continue
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    filesOf(chunk.imports ?? [], files)
  }
  return files
}
