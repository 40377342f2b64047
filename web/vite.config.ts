import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'
import { pageTexts } from './page-texts.ts'
/**
 * Path -> HTML file of the pages with an entry of their own, light enough for a visitor's phone. Every other path is
 * the application (`index.html`). The server reads the same file.
 */
import lightPages from './public/pages.json' with { type: 'json' }

/** Serves the light pages in development. */
function serveLightPages(): Plugin {
  return {
    name: 'light-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [path = '', query] = (request.url ?? '').split('?')
        const file = (lightPages as Record<string, string>)[path]
        if (file) request.url = `/${file}${query ? `?${query}` : ''}`
        next()
      })
    },
  }
}

/** Above this size a script's download takes longer than a round trip. */
const largeScript = 100_000

/**
 * Links the large scripts of a page first: over HTTP/1.1 a browser fetches six files at a time, and while it waits for
 * small ones the line is idle. Also links what the entry imports dynamically, which Vite does not: the application's
 * code, which runs only after the first requests are sent.
 */
function preloadScripts(): Plugin {
  return {
    name: 'preload-scripts',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk }) {
        const scripts = new Set<string>()
        const styles = new Set<string>()
        const add = (name: string) => {
          const part = bundle[name]
          if (part?.type !== 'chunk' || scripts.has(name)) return
          scripts.add(name)
          for (const file of part.imports) add(file)
          for (const file of part.viteMetadata?.importedCss ?? []) styles.add(file)
        }
        for (const name of [...(chunk?.imports ?? []), ...(chunk?.dynamicImports ?? [])]) add(name)
        const isLarge = (name: string) => {
          const part = bundle[name]
          return part?.type === 'chunk' && part.code.length > largeScript
        }
        const large = [...scripts].filter(isLarge)
        const links = large.map((name) => `\\s*<link rel="modulepreload"[^>]*"/${name}"[^>]*>`)
        const rest = links.length === 0 ? html : html.replace(new RegExp(links.join('|'), 'g'), '')
        const isMissing = (name: string) => !html.includes(name) && !large.includes(name)
        return {
          html: rest,
          tags: [
            ...large.map((name) => toLink('modulepreload', name, 'head-prepend')),
            ...[...scripts].filter(isMissing).map((name) => toLink('modulepreload', name, 'head')),
            ...[...styles].filter(isMissing).map((name) => toLink('stylesheet', name, 'head')),
          ],
        }
      },
    },
  }
}

function toLink(rel: string, name: string, injectTo: 'head' | 'head-prepend'): HtmlTagDescriptor {
  return { tag: 'link', attrs: { rel, href: `/${name}`, crossorigin: true }, injectTo }
}

/**
 * Leaves out the summaries of the contract's endpoints: only the API's document shows them. They would be 2.7
 * of 240 kB of the new parcel (gzip).
 */
function withoutSummaries(): Plugin {
  const text = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`
  const summary = new RegExp(String.raw`^ +summary:\s*${text}(?:\s*\+\s*${text})*,\n`, 'gm')
  return {
    name: 'without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/.*\.ts$/ },
      handler: (code) => code.replace(summary, ''),
    },
  }
}

/** Writes compressed copies beside the text files, so that the server compresses nothing per request. */
function compressed(): Plugin {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const names = (await readdir(folder, { recursive: true })).filter((name) =>
        /\.(js|css|json|svg|wasm)$/.test(name),
      )
      await Promise.all(
        names.map(async (name) => {
          const file = join(folder, name)
          const plain = await readFile(file)
          if (plain.length < 1024) return
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
          await writeFile(`${file}.br`, await promisify(brotliCompress)(plain, quality))
          await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }))
        }),
      )
    },
  }
}

/** A pattern for source files, by their paths below `src` without the file extension. */
const sourceFiles = (...paths: string[]) => `src/(${paths.join('|')})\\.tsx?$`

/**
 * Chunks of code that pages share. `test` names where a chunk begins; what these modules import joins it, unless a
 * chunk of a higher priority has it. Without them Vite makes a chunk for each combination of pages: 119 files and
 * 251 kB for the new parcel instead of 12 files and 224 kB (decision 56).
 */
const sharedChunks = [
  // What the entry of the application needs for its first requests, so that it sends them before React DOM is loaded:
  // of every page, of signing in, and its own.
  {
    name: 'core',
    test: new RegExp(
      `node_modules/react/|${sourceFiles(
        'lib/(api|i18n|browser/(idle|load-errors)|settings/deployment|time/server-clock)',
        'ground/endpoint',
      )}`,
    ),
    priority: 8,
  },
  {
    name: 'session',
    test: new RegExp(`QueryClientProvider.js$|${sourceFiles('lib/(session|refresh-answers|settings/load-settings)')}`),
    priority: 7,
  },
  {
    name: 'start',
    test: new RegExp(sourceFiles('app/entries/(first-data|query-client)', 'lib/credentials')),
    priority: 6,
  },
  // Every page: React DOM, notifications, the frame of public pages, parts that are loaded on demand.
  {
    name: 'base',
    test: new RegExp(
      `node_modules/react-dom/|${sourceFiles(
        'app/entries/mount',
        'components/(feedback/lazy-part|layout/(public-frame|text|boxes))',
      )}`,
    ),
    priority: 5,
  },
  // Public tracking and the application: formats, statuses, live events, the addresses of photos.
  {
    name: 'shared',
    test: new RegExp(
      `icons/IconSearch.mjs$|${sourceFiles(
        'lib/(format|events|file-link|input/input-format)',
        'ground/(enums/(labels|parcel-enums)|tracking-number)',
        'components/(display/(status-pill|copy-number|line-breaks)|layout/(fold|facts))',
      )}`,
    ),
    priority: 4,
  },
  // Public tracking. The application must not need it: a new parcel would load it for nothing.
  { name: 'tracking', test: new RegExp(sourceFiles('features/tracking/track-page')), priority: 3 },
  // Signing in and the application: the component kit, forms, the session.
  {
    name: 'kit',
    test: new RegExp(
      sourceFiles('components/theme/(base-styles|provider)', 'features/accounts/sign-in/(sign-in-page|signed-in-path)'),
    ),
    priority: 2,
  },
  // The application: the router, the frame around its pages, and the screen that most people come for.
  {
    name: 'app',
    test: new RegExp(
      sourceFiles('app/(entries/application|layouts/portal-layout)', 'features/parcels/new-parcel/new-parcel-page'),
    ),
    priority: 1,
  },
]

const server = 'http://localhost:3000'

export default defineConfig({
  plugins: [
    react(),
    withoutSummaries(),
    serveLightPages(),
    preloadScripts(),
    pageTexts(Object.values(lightPages)),
    compressed(),
  ],
  server: { port: 5173, proxy: { '/api': server, '/demo': server, '/openapi': server } },
  build: {
    manifest: true,
    // Every browser that knows the rest of the page knows modulepreload.
    modulePreload: { polyfill: false },
    // A hundred font files must stay files: only those that a text needs are fetched.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'sign-in.html', 'track.html'],
      output: { codeSplitting: { groups: sharedChunks } },
      // The sign-in page is part of the `kit` chunk and still a lazy page of the application.
      checks: { ineffectiveDynamicImport: false },
    },
  },
})
