/** `offset` and `sort` of every list: honoured or refused, never ignored. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, fillPath, type TestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'
import { makers } from '../testing/foreign-objects.ts'

const listFields = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})

describe('the parameters of lists', () => {
  let test: TestApp
  let owner: TestCustomer
  let lists: EndpointShape[]
  let tokens: { customer: string; staff: string }
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test, { userType: 'corporate' })
    tokens = { customer: owner.token, staff: (await createStaff(test, { type: 'superadmin' })).token }
    lists = (await contractEndpoints()).filter(
      ({ method, response }) => method === 'GET' && listFields(response).includes('items'),
    )
  })

  async function ask(endpoint: EndpointShape, query: Record<string, unknown>) {
    const values = { id: newId(), ids: newId(), name: 'banks', x: '50000', kind: 'terms' }
    const token = endpoint.access.startsWith('staff') ? tokens.staff : tokens.customer
    const answer = await test.app.inject({
      url: fillPath(endpoint, values, query),
      headers: { authorization: `Bearer ${token}` },
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const findRefusedFields = ({ body }: { body: { errors?: { field: string }[] } }) =>
    body.errors?.map(({ field }) => field) ?? []

  it('are refused by the lists that would ignore them', async () => {
    expect(lists.length).toBeGreaterThan(50)
    for (const list of lists) {
      const sorted = await ask(list, { sort: '-nothing' })
      expect(sorted.status, list.id).toBe(422)
      expect(findRefusedFields(sorted), list.id).toContain('sort')
      const paged = listFields(list.query).includes('offset')
      expect(findRefusedFields(await ask(list, { offset: '1' })).includes('offset'), list.id).toBe(!paged)
      // The first page, as a client asks for it that pages by offset.
      expect(findRefusedFields(await ask(list, { offset: '0' })), list.id).not.toContain('offset')
    }
  })

  it('skip rows in a list that is read by cursors, up to a limit', async () => {
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
    for (let n = 0; n < 4; n += 1) {
      const order = await placeOrder(test, owner)
      expect((await payCredits(test, owner, order)).status).toBe(200)
      await makers.ticket(test, { ...owner, member: owner })
    }
    for (const id of ['reports.orders', 'tickets.list', 'logs.list']) {
      const list = lists.find((each) => each.id === id) as EndpointShape
      const all = (await ask(list, { limit: 4 })).body
      expect(all.items, id).toHaveLength(4)
      const second = (await ask(list, { limit: 2, offset: 2 })).body
      expect(second.items, id).toEqual(all.items.slice(2))
      expect((await ask(list, { limit: 2, before: second.previous })).body.items, id).toEqual(all.items.slice(0, 2))
      expect((await ask(list, { limit: 2, offset: 1000 })).body.items, id).toEqual([])
      expect(findRefusedFields(await ask(list, { offset: 1001 })), id).toEqual(['offset'])
    }
  })

  it('page the checkouts that wait for their payment', async () => {
    for (let n = 0; n < 3; n += 1) await placeOrder(test, owner)
    const list = lists.find(({ id }) => id === 'checkouts.pending') as EndpointShape
    const all = (await ask(list, {})).body.items
    expect(all).toHaveLength(3)
    expect((await ask(list, { limit: 1, offset: 1 })).body.items).toEqual([all[1]])
  })
})
