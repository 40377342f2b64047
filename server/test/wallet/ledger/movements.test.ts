import { searchEntries } from '@waybill/contract/wallet/ledger'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { fundWallet } from '../../testing/factories/wallet.ts'
import { explainSent } from '../../testing/plans.ts'

describe('paging through movements', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
    token = (await createStaff(test, { role: 'account_manager' })).token
    const customer = await createCustomer(test)
    for (let n = 0; n < 7; n += 1) await fundWallet(test, customer, 1000 + n)
  })

  const list = (query: Record<string, string | number>) => test.call(searchEntries, { token, query })
  const ids = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

  /** All pages, from the first to the last. */
  async function forwards(query: Record<string, string | number> = {}) {
    const pages = [await list({ limit: 3, ...query })]
    for (;;) {
      const next = pages.at(-1)?.body.next
      if (!next) return pages
      pages.push(await list({ limit: 3, ...query, after: next }))
    }
  }

  it('has no gap and no repeat in both directions, even with equal timestamps', async () => {
    const all = ids(await list({ limit: 200 }))
    expect(all).toHaveLength(7)
    const pages = await forwards()
    expect(pages.map((page) => page.body.items.length)).toEqual([3, 3, 1])
    expect(pages.flatMap(ids)).toEqual(all)
    expect(pages[0]?.body).toMatchObject({ total: 7, limit: 3, previous: null })
    const middle = await list({ limit: 3, before: pages[2]?.body.previous ?? '' })
    expect(ids(middle)).toEqual(all.slice(3, 6))
    const first = await list({ limit: 3, before: middle.body.previous ?? '' })
    expect(ids(first)).toEqual(all.slice(0, 3))
    expect(first.body.previous).toBeNull()
  })

  it('stays at its position when new movements are added in front', async () => {
    const first = await list({ limit: 3 })
    const rest = ids(await list({ limit: 200 })).slice(3)
    const customer = await createCustomer(test)
    await fundWallet(test, customer, 9999)
    expect(ids(await list({ limit: 200, after: first.body.next ?? '' }))).toEqual(rest)
  })

  it.each(['after', 'before'])('uses an index for the page %s a movement, however deep it is', async (side) => {
    const { body } = await list({ limit: 3, after: (await list({ limit: 3 })).body.next ?? '' })
    const cursor = (side === 'after' ? body.next : body.previous) ?? ''
    const work = async () => expect((await list({ limit: 2, [side]: cursor })).status).toBe(200)
    const [plan] = await explainSent(test, 'select e.id, e.created_at', work, { asLarge: true })
    expect(plan).toMatch(/Index Cond: \(created_at [<>]=/)
    expect(plan).not.toMatch(/Sort/)
  })

  it('accepts only its own cursors', async () => {
    for (const field of ['after', 'before'] as const) {
      for (const cursor of ['x', Buffer.from('2026-01-01|no-id').toString('base64url')]) {
        const answer = await list({ [field]: cursor })
        expect([answer.status, answer.error.errors?.[0]?.field]).toEqual([422, field])
      }
    }
  })
})
