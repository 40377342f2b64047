import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../src/lib/outbound/post.ts'
import { isPublicAddress, publicLookup, requirePublicHost } from '../../src/lib/outbound/public-address.ts'

const inner = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2002:7f00:1::',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
]
const outer = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
]

describe('addresses that webhooks may call', () => {
  it.each(inner)('%s is refused', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(outer)('%s is accepted', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://127。0。0。1/',
  ])('%s is recognised as internal, however the address is written', async (url) => {
    const names: string[] = []
    const resolve = async (host: string) => {
      names.push(host)
      return ['93.184.216.34']
    }
    await expect(requirePublicHost(new URL(url), resolve)).rejects.toThrow('not a public address')
    expect(names).toEqual([])
  })

  it('a host name is refused if one of its addresses is internal', async () => {
    const url = new URL('https://shop.example/')
    await expect(requirePublicHost(url, async () => ['93.184.216.34', '10.0.0.1'])).rejects.toThrow('not a public')
    await expect(requirePublicHost(url, async () => ['93.184.216.34'])).resolves.toBeUndefined()
  })
})

describe('the connection to a webhook', () => {
  let calls = 0
  let port = 0
  const server = createServer((_request, reply) => {
    calls += 1
    reply.end('inside')
  })
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  const send = (url: string, resolve: ((host: string) => Promise<string[]>) | null) =>
    post({ url: new URL(url), headers: {}, body: '{}' }, { resolve, plainHttp: true })

  it('uses the checked address: a host name that changes afterwards (DNS rebinding) is refused', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']]
    const resolve = async () => answers.shift() ?? ['127.0.0.1']
    const url = `http://rebinding.example:${port}/`
    await requirePublicHost(new URL(url), resolve)
    expect(await send(url, resolve)).toMatchObject({ problem: 'address', status: null })
    expect(calls).toBe(0)
    // Proves that the same call would otherwise have arrived.
    expect(await send(`http://127.0.0.1:${port}/`, null)).toMatchObject({ problem: null, status: 200 })
    expect(calls).toBe(1)
  })

  it('is refused for an IP address, without asking a name server', async () => {
    const before = calls
    const nobody = async () => ['93.184.216.34']
    expect(await send(`http://127.0.0.1:${port}/`, nobody)).toMatchObject({ problem: 'address' })
    expect(await send(`http://[::ffff:127.0.0.1]:${port}/`, nobody)).toMatchObject({ problem: 'address' })
    expect(calls).toBe(before)
  })

  it('requires https where plain http is off, as in production', async () => {
    const before = calls
    const message = { url: new URL(`http://127.0.0.1:${port}/`), headers: {}, body: '{}' }
    expect(await post(message, { resolve: null, plainHttp: false })).toMatchObject({ problem: 'address' })
    expect(calls).toBe(before)
  })

  it('reports the error of the name server', async () => {
    const failing = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    }
    expect(await send('http://nowhere.example/', failing)).toMatchObject({ problem: 'unreachable' })
    const addresses = await new Promise((done) =>
      publicLookup(async () => ['93.184.216.34'])('a.example', { all: false }, (...answer) => done(answer)),
    )
    expect(addresses).toEqual([null, '93.184.216.34', 4])
  })
})
