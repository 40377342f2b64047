import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { listServices, updateService } from '@waybill/contract/pricing/rate-cards'
import { getOptions } from '@waybill/contract/settings/settings'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import Fastify from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { chooseEncoding } from '../../src/http/compression.ts'
import { registerRateLimit, SharedCounts } from '../../src/http/limits/rate-limit.ts'
import { registerSecurity, securityHeaders } from '../../src/http/security.ts'
import { registerWeb } from '../../src/http/web.ts'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

describe('an HTTP response', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })
  const ask = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers })
  const large = '/api/openapi.json'

  it('is compressed as the client accepts, with a matching Vary header', async () => {
    const plain = await ask(large)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toContain('accept-encoding')
    for (const [accepts, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const compressed = await ask(large, { 'accept-encoding': accepts })
      expect(compressed.headers['content-encoding']).toBe(encoding)
      expect(compressed.headers['content-length']).toBe(String(compressed.rawPayload.length))
      expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
      expect(unpack(compressed.rawPayload).toString()).toBe(plain.body)
    }
  })

  it('is not compressed if it is small, or a page of public tracking', async () => {
    for (const url of ['/healthz', `${publicTrackGet.path}?no=WB00000000005`, '/api/nothing'])
      expect((await ask(url, { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined()
    const options = await ask(getOptions.path, { 'accept-encoding': 'br' })
    expect(options.headers['content-encoding']).toBe('br')
    const head = await test.app.inject({ method: 'HEAD', url: large, headers: { 'accept-encoding': 'br' } })
    expect([head.headers['content-encoding'], head.rawPayload.length]).toEqual([undefined, 0])
  })

  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
  ])('uses for the accepted encodings %j the encoding %j', (accepts, encoding) => {
    expect(chooseEncoding(accepts)).toBe(encoding)
  })

  it('allows pages to use the camera and the location, and no other device feature', async () => {
    const policy = String((await ask('/healthz')).headers['permissions-policy'])
    expect(policy).toContain('camera=(self)')
    expect(policy).toContain('geolocation=(self)')
    for (const feature of ['microphone', 'payment', 'usb']) expect(policy).toContain(`${feature}=()`)
  })

  it('reuses the OpenAPI document that was built once', async () => {
    const first = await ask(large)
    let calls = 0
    const swagger = test.app.swagger
    Object.assign(test.app, {
      swagger: () => {
        calls++
        return swagger()
      },
    })
    expect((await ask(large)).body).toBe(first.body)
    const page = await ask('/api/docs/json')
    expect([page.statusCode, page.headers.location, calls]).toEqual([302, large, 0])
  })

  it('records the IP address of a change of rates in the activity log', async () => {
    const { token } = await createStaff(test, { role: 'product_manager' })
    const [service] = (await test.call(listServices, { token })).body.services
    if (!service) throw new Error('no service')
    const { scope, carrier, serviceType, ...body } = service
    const answer = await test.app.inject({
      method: 'PUT',
      url: updateService.path
        .replace(':scope', scope)
        .replace(':carrier', carrier)
        .replace(':serviceType', serviceType),
      headers: { authorization: `Bearer ${token}` },
      payload: body,
      remoteAddress: '203.0.113.9',
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const entries = await listActivities(test, { action: 'rates.service' })
    expect(entries).toMatchObject([{ ip: '203.0.113.9' }])
  })
})

describe('the web app', () => {
  const app = Fastify()
  let appName = 'Kurier Portal'
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-web-'))
    const source = join(import.meta.dirname, '../../../web')
    for (const name of ['index.html', 'sign-in.html', 'track.html']) await cp(join(source, name), join(folder, name))
    await cp(join(source, 'public/pages.json'), join(folder, 'pages.json'))
    for (const name of ['assets', '.vite']) await mkdir(join(folder, name))
    await writeFile(join(folder, '.vite', 'manifest.json'), 'unlisted')
    await writeFile(join(folder, 'assets', 'unlisted.js'), '1')
    for (const name of ['push-worker.js', 'scheme.js']) await writeFile(join(folder, name), '1')
    const headers = securityHeaders(loadConfig({}, []))
    registerSecurity(app, () => headers)
    await registerWeb(app, () => ({ name: appName, colour: '#0050b5' }), folder)
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  it('has a manifest with the name and colour of the deployment, and icons that exist', async () => {
    const answer = await app.inject({ url: '/manifest.webmanifest', headers: { accept: '*/*' } })
    expect(answer.headers['content-type']).toContain('application/manifest+json')
    const { icons, ...manifest } = answer.json() as { icons: { src: string; sizes: string }[] }
    expect(manifest).toMatchObject({ name: 'Kurier Portal', short_name: 'Kurier', theme_color: '#0050b5' })
    for (const { src, sizes } of icons) {
      const { width, height } = await sharp(join(import.meta.dirname, '../../../web/public', src)).metadata()
      expect(`${width}x${height}`, src).toBe(sizes)
    }
  })

  it('is loaded by any number of users who share an address: its files are not counted', async () => {
    const test = await buildTestApp()
    const limited = Fastify()
    const counts = new SharedCounts(test.deps.db)
    limited.addHook('onRequest', async (request) => {
      request.caller = { kind: 'visitor' }
    })
    const config = { ...test.deps.config, http: { ...test.deps.config.http, requestsPerMinute: 2 } }
    registerRateLimit(limited, { ...test.deps, config }, counts)
    await registerWeb(limited, () => ({ name: appName, colour: '#0050b5' }), folder)
    limited.get('/counted', () => 'counted')
    const statuses = async (url: string) => {
      const answers = await Promise.all([1, 2, 3].map(() => limited.inject({ url, headers: { accept: 'text/html' } })))
      return answers.map(({ statusCode }) => statusCode).sort()
    }
    for (const url of ['/scheme.js', '/parcels/new', '/login', '/manifest.webmanifest'])
      expect(await statuses(url), url).toEqual([200, 200, 200])
    expect((await statuses('/counted')).at(-1)).not.toBe(200)
    counts.stop()
    await limited.close()
  })

  it('has the current app name in every page, escaped', async () => {
    for (const [name, escaped] of [
      ['Kurier Portal', 'Kurier Portal'],
      [`R&D "$&" </title><script>`, 'R&#38;D &#34;$&#38;&#34; &#60;/title&#62;&#60;script&#62;'],
    ] as const) {
      appName = name
      for (const url of ['/', '/parcels/new', '/login', '/staff/login', '/public/track-parcels']) {
        const { body } = await app.inject({ url, headers: { accept: 'text/html' } })
        expect(body, url).toContain(`<title>${escaped}</title>`)
        expect(body, url).not.toContain('Waybill')
      }
    }
    appName = 'Kurier Portal'
    // The files themselves have no name of the deployment.
    for (const url of ['/index.html', '/sign-in.html', '/track.html'])
      expect((await app.inject({ url, headers: { accept: 'text/html' } })).statusCode, url).toBe(404)
  })

  it.each([
    [undefined, 200],
    ['*/*', 200],
    ['text/html,application/xhtml+xml;q=0.9', 200],
    ['text/*', 200],
    ['application/json', 404],
    ['image/png, image/*;q=0.8', 404],
  ])('answers a client that accepts %j with %i', async (accept, status) => {
    for (const url of ['/', '/parcels/new']) {
      const answer = await app.inject({ url, headers: accept === undefined ? {} : { accept } })
      expect(answer.statusCode).toBe(status)
      if (status === 200) expect(answer.headers['content-type']).toContain('text/html')
    }
  })

  it('never lists a folder, and never serves hidden files or files outside its own', async () => {
    for (const url of [
      '/assets/',
      '/assets',
      '/assets/../',
      '/.git/config',
      '/.vite/manifest.json',
      '/../package.json',
      '//scheme.js',
      '/%2e%2e/package.json',
    ]) {
      const answer = await app.inject({ url, headers: { accept: '*/*' } })
      expect(answer.body).not.toMatch(/unlisted|"workspaces"|repositoryformatversion/)
      if (answer.statusCode === 200) expect(answer.body).toContain('<title>Kurier Portal</title>')
    }
    expect((await app.inject('/assets/unlisted.js')).body).toBe('1')
  })

  it('sends every security header with pages, and the relevant ones with scripts', async () => {
    const pageHeaders = ['permissions-policy', 'cross-origin-opener-policy', 'x-frame-options']
    const policy = 'content-security-policy'
    const allHeaders = ['x-content-type-options', 'cross-origin-resource-policy']
    for (const url of ['/', '/login', '/parcels/new']) {
      const { headers } = await app.inject({ url, headers: { accept: 'text/html' } })
      expect(Object.keys(headers)).toEqual(expect.arrayContaining([...pageHeaders, ...allHeaders, policy]))
    }
    const { headers } = await app.inject('/assets/unlisted.js')
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(allHeaders))
    for (const name of [...pageHeaders, policy]) expect(headers).not.toHaveProperty(name)
    // The policy of a worker is that of its own script.
    expect((await app.inject('/push-worker.js')).headers).toHaveProperty(policy)
  })

  it.each([
    ['/', 'no-cache'],
    ['/push-worker.js', 'no-cache'],
    ['/scheme.js', 'public, max-age=86400'],
    ['/assets/unlisted.js', 'public, max-age=31536000, immutable'],
  ])('lets a browser keep %s with %j', async (url, cacheControl) => {
    const { headers } = await app.inject({ url, headers: { accept: '*/*' } })
    expect(headers['cache-control']).toBe(cacheControl)
  })

  it('answers 404 for missing files and unknown calls', async () => {
    for (const url of ['/assets/gone.js', '/api/gone', '/demo/mailbox/99999'])
      expect((await app.inject({ url, headers: { accept: '*/*' } })).statusCode).toBe(404)
  })
})
