import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { listServices, updateService } from '@waybill/contract/pricing/rate-cards'
import { getOptions } from '@waybill/contract/settings/settings'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import Fastify from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseEncoding } from '../../src/http/compression.ts'
import { registerWeb } from '../../src/http/web.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

describe('an answer', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })
  const ask = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers })
  const large = '/api/openapi.json'

  it('is compressed as the reader takes it, and says that it depends on that', async () => {
    const plain = await ask(large)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toContain('accept-encoding')
    for (const [accepts, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const packed = await ask(large, { 'accept-encoding': accepts })
      expect(packed.headers['content-encoding']).toBe(encoding)
      expect(packed.headers['content-length']).toBe(String(packed.rawPayload.length))
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
      expect(unpack(packed.rawPayload).toString()).toBe(plain.body)
    }
  })

  it('is left alone where that does not pay: a small one, and a page of public tracking', async () => {
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
  ])('to a reader who takes %j is packed with %j', (accepts, encoding) => {
    expect(chooseEncoding(accepts)).toBe(encoding)
  })

  it('lets pages use the camera and the location, and nothing else of the device', async () => {
    const policy = String((await ask('/healthz')).headers['permissions-policy'])
    expect(policy).toContain('camera=(self)')
    expect(policy).toContain('geolocation=(self)')
    for (const feature of ['microphone', 'payment', 'usb']) expect(policy).toContain(`${feature}=()`)
  })

  it('with the OpenAPI document is put together once', async () => {
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

  it('to a change of rates leaves the address in the activity log', async () => {
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
    const logged = await test.deps.db
      .selectFrom('activity_log')
      .select('ip')
      .where('action', '=', 'rates.service')
      .execute()
    expect(logged).toEqual([{ ip: '203.0.113.9' }])
  })
})

describe('the web app', () => {
  const app = Fastify()
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-web-'))
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Waybill</title>')
    await writeFile(join(folder, 'pages.json'), '{}')
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'assets', 'unlisted.js'), '1')
    await registerWeb(app, () => ({ name: 'Kurier Portal', colour: '#0050b5' }), folder)
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  it('has a manifest with the name and the colour of the deployment, and icons that exist', async () => {
    const answer = await app.inject({ url: '/manifest.webmanifest', headers: { accept: '*/*' } })
    expect(answer.headers['content-type']).toContain('application/manifest+json')
    const { icons, ...manifest } = answer.json() as { icons: { src: string; sizes: string }[] }
    expect(manifest).toMatchObject({ name: 'Kurier Portal', short_name: 'Kurier Porta', theme_color: '#0050b5' })
    for (const { src, sizes } of icons) {
      const { width, height } = await sharp(join(import.meta.dirname, '../../../web/public', src)).metadata()
      expect(`${width}x${height}`, src).toBe(sizes)
    }
  })

  it.each([
    [undefined, 200],
    ['*/*', 200],
    ['text/html,application/xhtml+xml;q=0.9', 200],
    ['text/*', 200],
    ['application/json', 404],
    ['image/png, image/*;q=0.8', 404],
  ])('is what a client gets that takes %j (%i)', async (accept, status) => {
    for (const url of ['/', '/parcels/new']) {
      const answer = await app.inject({ url, headers: accept === undefined ? {} : { accept } })
      expect(answer.statusCode).toBe(status)
      if (status === 200) expect(answer.headers['content-type']).toContain('text/html')
    }
  })

  it('never lists a folder, nor leaves its own', async () => {
    for (const url of [
      '/assets/',
      '/assets',
      '/assets/../',
      '/.git/config',
      '/../package.json',
      '/%2e%2e/package.json',
    ]) {
      const answer = await app.inject({ url, headers: { accept: '*/*' } })
      expect(answer.body).not.toMatch(/unlisted|"workspaces"|repositoryformatversion/)
      if (answer.statusCode === 200) expect(answer.body).toContain('<title>Waybill</title>')
    }
    expect((await app.inject('/assets/unlisted.js')).body).toBe('1')
  })

  it('does not stand in for a file or a call that is not there', async () => {
    for (const url of ['/assets/gone.js', '/api/gone', '/demo/mailbox/99999'])
      expect((await app.inject({ url, headers: { accept: '*/*' } })).statusCode).toBe(404)
  })
})
