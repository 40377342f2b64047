import { createBulk, editBulk } from '@waybill/contract/parcels/bulk'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { watchEventLoop } from './event-loop.ts'

const id = '01900000-0000-7000-8000-000000000000'

/** Bodies of some megabytes that are quick to create and slow to validate. */
const hostileBodies: readonly [what: string, method: 'POST' | 'PUT', url: string, body: () => string][] = [
  ['millions of empty rows', 'POST', createBulk.path, () => `{"cells":[${'[],'.repeat(3_000_000)}[]]}`],
  ['millions of numbers', 'POST', createBulk.path, () => `{"cells":[[${'1,'.repeat(4_900_000)}1]]}`],
  [
    'millions of empty cells',
    'POST',
    createBulk.path,
    () => `{"cells":[${`[${'"",'.repeat(199)}""],`.repeat(10_000)}[""]]}`,
  ],
  [
    'a million names',
    'POST',
    createBulk.path,
    () => `{"rows":[{${Array.from({ length: 510_000 }, (_, n) => `"k${n}":1`).join()}}]}`,
  ],
  ['a million edits', 'PUT', editBulk.path, () => `{"id":"${id}","edits":[${'{},'.repeat(1_000_000)}{}]}`],
]

describe('a body of millions of values', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
    token = (await createCustomer(test)).token
  })

  it.each(hostileBodies)('is refused before its values are validated: %s', async (_, method, url, body) => {
    const payload = body()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const loop = watchEventLoop()
    const answer = await test.app.inject({ method, url, headers, payload })
    await loop.stop()
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large'])
    expect(loop.longestMs()).toBeLessThan(1_000)
  })

  it('is accepted if it is a table of ten thousand rows with every column', async () => {
    const addresses = ['Lot 5, Jalan Ampang, Taman U Thant, Kuala Lumpur', '1, Jalan Ipoh, Sentul, Kuala Lumpur']
    const cells = Array.from({ length: 10_001 }, (_, row) =>
      Array.from({ length: 45 }, (_, n) => (row ? (addresses[n] ?? '') : `${n}`)),
    )
    expect((await test.call(createBulk, { body: { cells }, token })).status).toBe(200)
  })
})
