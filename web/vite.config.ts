import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractInBrowser } from './contract-in-browser.ts'

/**
 * Pages with an entry of their own, light enough for a visitor's phone; every other path is the application
 * (`index.html`).
 */
const pages: Record<string, string> = {
  '/login': 'sign-in.html',
  '/staff/login': 'sign-in.html',
  '/public/track-parcels': 'track.html',
}

/** Serves those pages in development, and writes the table for the server as `dist/pages.json`. */
function lightPages(): Plugin {
  return {
    name: 'light-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [path = '', query] = (request.url ?? '').split('?')
        const file = pages[path]
        if (file) request.url = `/${file}${query ? `?${query}` : ''}`
        next()
      })
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) })
    },
  }
}

/** Writes text files compressed beside the plain ones, once and well, so that the server only picks. */
function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = config.build.write ? resolve(config.root, config.build.outDir) : ''
    },
    async closeBundle() {
      if (folder === '') return
      const names = (await readdir(folder, { recursive: true })).filter((name) =>
        /\.(js|css|json|svg|wasm)$/.test(name),
      )
      await Promise.all(
        names.map(async (name) => {
          const file = join(folder, name)
          const plain = await readFile(file)
          // The light pages' builds come after the application's and find its files done.
          if (plain.length < 1024 || (await stat(`${file}.br`).catch(() => null))) return
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
          await writeFile(`${file}.br`, await promisify(brotliCompress)(plain, quality))
          await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }))
        }),
      )
    },
  }
}

const server = 'http://localhost:3000'

export default defineConfig({
  plugins: [react(), lightPages(), contractInBrowser(), compressed()],
  server: { port: 5173, proxy: { '/api': server, '/demo': server, '/openapi': server } },
  build: {
    manifest: true,
    // Every browser that knows the rest of the page knows modulepreload.
    modulePreload: { polyfill: false },
    // A hundred font files must stay files: only those that a text needs are fetched.
    assetsInlineLimit: 0,
  },
})
