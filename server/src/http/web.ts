/** Serves the built web app. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../lib/html.ts'
import { removePageHeaders, removePolicy } from './security.ts'

/** The folder of the build. */
export const webFolder = resolve(import.meta.dirname, '../../../web/dist')

const year = 'public, max-age=31536000, immutable'

/** For `scheme.js`: no script of a page runs before it, so each visit would wait for its revalidation. */
const day = 'public, max-age=86400'

/** Calls of the API and pages of the demo. An unknown path below them is a 404, never the app. */
const serverPaths = /^\/(api|demo)\//

/** A file of the build, and no other spelling of it. */
const filePath = /^(\/\w[\w.-]*)+\.[a-z0-9]+$/

const webRoute = { schema: { hide: true }, config: { webFiles: true } } as const

/** Whether a client accepts HTML, also through a wildcard or without an Accept header. */
export function acceptsHtml(accept: string | undefined): boolean {
  if (!accept) return true
  return accept.split(',').some((entry) => /^\s*(text\/html|text\/\*|\*\/\*)\s*(;|$)/i.test(entry))
}

/** The name of the installed app, and the colour of its frame. */
export type Brand = { name: string; colour: string }

/** The title of the build's pages, in place of the app name. The web reads the app name from it (`title.ts`). */
const builtTitle = '<title>Waybill</title>'

/** Home screens cut a name after about 12 characters: as many whole words as fit. */
function shortenName(name: string): string {
  const words = name.slice(0, 13).split(' ')
  return (name.length > 12 && words.length > 1 ? words.slice(0, -1).join(' ') : name).slice(0, 12)
}

/** The web app manifest. Icons are those of the build (scripts/make-icons.mjs). */
function createManifest({ name, colour }: Brand) {
  const icon = (file: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${file}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    name,
    short_name: shortenName(name),
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    theme_color: colour,
    background_color: '#ffffff',
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('icon-maskable-512.png', 512, 'maskable'),
    ],
  }
}

/**
 * Serves the built web app: hashed assets for a year, pages uncached and with the app name. Paths in the build's
 * `pages.json` have a separate light page. Every other path without a route gets the app, if the client accepts HTML;
 * its router decides.
 */
export async function registerWeb(
  app: FastifyInstance,
  readBrand: () => Brand,
  folder: string = webFolder,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.log.warn(`the web app is not built (${folder}); only the API is served`)
    return
  }
  const lightPages: Record<string, string> = JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8'))
  await app.register(fastifyStatic, {
    root: folder,
    // A route for each of the thousand files took 150 ms of each start, and 7 MB.
    serve: false,
    cacheControl: false,
    // The build also wrote compressed files.
    preCompressed: true,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/')
      const scheme = path.includes('/scheme.js')
      reply.header('cache-control', hashed ? year : scheme ? day : 'no-cache')
      if (!path.includes('.html')) removePageHeaders(reply.raw)
      if (hashed || path.includes('/locales/')) removePolicy(reply.raw)
    },
  })
  // Only the routes below write the app name into these.
  const namedPages = ['index.html', ...Object.values(lightPages)].map((name) => `/${name}`)
  const pages = new Map<string, string>()
  const page = async (name: string) => {
    let html = pages.get(name)
    if (html === undefined) {
      html = await readFile(join(folder, name), 'utf8')
      pages.set(name, html)
    }
    // The tracking page loads no settings, so this is its only source of the name.
    return html.replace(builtTitle, () => `<title>${escapeHtml(readBrand().name)}</title>`)
  }
  for (const [path, name] of Object.entries(lightPages)) {
    app.get(path, webRoute, async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(await page(name)),
    )
  }
  app.get('/manifest.webmanifest', webRoute, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(createManifest(readBrand()))),
  )
  app.get('/*', webRoute, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (serverPaths.test(path) || namedPages.includes(path)) return reply.callNotFound()
    if (filePath.test(path)) return reply.sendFile(path)
    if (/\.[a-z0-9]+$/.test(path) || !acceptsHtml(request.headers.accept)) return reply.callNotFound()
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(await page('index.html'))
  })
}
