import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

/*
 * `npm run build -w @waybill/web` -> dist/. The application, and each light page in a build of its own: one script and one style sheet that hold nothing but what
 * that page uses. Built together they would share chunks, and a chunk holds what any of its pages needs: the sign-in page then takes 127 kB instead of 116, public
 * tracking 90 instead of 83 (decision 0005).
 */
const folder = import.meta.dirname
const manifestFile = join(folder, 'dist/.vite/manifest.json')
const manifest = {}
/** What five pages or more use is one file: left alone it would be eighty small ones, which a phone waits for and which compress worse. */
const groups = [{ name: 'shared', minShareCount: 5 }]

for (const page of ['index.html', 'sign-in.html', 'track.html']) {
  const application = page === 'index.html'
  await build({
    root: folder,
    logLevel: 'warn',
    ...(application ? {} : { publicDir: false }),
    build: {
      emptyOutDir: application,
      rolldownOptions: { input: join(folder, page), output: { codeSplitting: application ? { groups } : false } },
    },
  })
  Object.assign(manifest, JSON.parse(await readFile(manifestFile, 'utf8')))
}

await writeFile(manifestFile, JSON.stringify(manifest, null, 2))
