import { login } from '@waybill/contract/accounts/sign-in'
import { followParcel } from '@waybill/contract/tracking/following'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { limitedAddress } from '../../src/http/limits/limited-address.ts'
import { streamReader } from '../../src/http/live.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'

const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16))
const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length })
// Documentation addresses: no random one means IPv4.
const network = groups(2).map((rest) => ['2001', 'db8', ...rest])

describe('the limited address', () => {
  it('is the network of 64 bits, however an address is written', () => {
    fc.assert(
      fc.property(network, groups(4), groups(4), (start, one, two) => {
        const expected = `${start.join(':')}::/64`
        expect(limitedAddress([...start, ...one].join(':'))).toBe(expected)
        expect(limitedAddress([...start, ...two].join(':').toUpperCase())).toBe(expected)
        expect(limitedAddress([...start, ...two].map((part) => part.padStart(4, '0')).join(':'))).toBe(expected)
        expect(limitedAddress(`${start.join(':')}::${one[0]}%eth0`)).toBe(expected)
      }),
    )
    expect(limitedAddress('::1')).toBe('0:0:0:0::/64')
    expect(limitedAddress('2001:db8::7:8:9')).toBe('2001:db8:0:0::/64')
  })

  it('differs between networks', () => {
    fc.assert(
      fc.property(network, network, groups(4), (one, two, rest) => {
        fc.pre(one.join() !== two.join())
        expect(limitedAddress([...one, ...rest].join(':'))).not.toBe(limitedAddress([...two, ...rest].join(':')))
      }),
    )
  })

  it('is the whole address of IPv4, also inside IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const hex = Buffer.from(ip.split('.').map(Number)).toString('hex')
        expect(limitedAddress(ip)).toBe(ip)
        expect(limitedAddress(`::ffff:${ip}`)).toBe(ip)
        expect(limitedAddress(`0:0:0:0:0:FFFF:${hex.slice(0, 4)}:${hex.slice(4)}`)).toBe(ip)
      }),
    )
  })
})

describe('clients of one IPv6 network', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ TRUST_PROXY: 'on' })
  })
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })

  it('share the wait after wrong passwords', async () => {
    const guess = async (ip: string) =>
      (await test.call(login, { body: { email: 'nobody@example.test', password: 'wrong' }, ...from(ip) })).status
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push(await guess(`2001:db8:0:1::${n}`))
    expect(statuses).toContain(429)
    expect(await guess('2001:db8:0:2::1')).toBe(401)
  })

  it('share the general limit', async () => {
    const remaining = async (ip: string) =>
      Number((await test.call(publicTrackGet, { query: { no: 'WB1' }, ...from(ip) })).headers['x-ratelimit-remaining'])
    const first = await remaining('2001:db8:0:3::1')
    expect(await remaining('2001:db8:0:3:4:5:6:7')).toBe(first - 1)
    expect(await remaining('2001:db8:0:4::1')).toBe(first)
    expect([await remaining('10.7.0.1'), await remaining('::ffff:10.7.0.1')]).toEqual([first, first - 1])
  })

  it('share the quota of followed parcels', async () => {
    const { tracking_number: number } = await createParcel(test, await createCustomer(test), { status: 'delivering' })
    for (const n of [1, 2]) {
      const body = { number: number ?? '', email: `mei${n}@example.test` }
      expect((await test.call(followParcel, { body, ...from(`2001:db8:0:5::${n}`) })).status).toBe(200)
    }
    const { rows } = await sql`select count from rate_limits where key like 'follow ip %'`.execute(test.deps.db)
    expect(rows).toEqual([{ count: 2 }])
  })

  it('share their streams', () => {
    const id = (ip: string) => streamReader({ caller: { kind: 'visitor' }, ip }).id
    expect(id('2001:db8:0:6::1')).toBe(id('2001:db8:0:6::2'))
  })
})
