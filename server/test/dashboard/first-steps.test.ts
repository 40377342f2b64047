import { createAddress } from '@waybill/contract/addresses/addresses'
import { generateNotes } from '@waybill/contract/parcels/labels'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { createParcel, testParty } from '../testing/factories/parcels.ts'
import { fundWallet } from '../testing/factories/wallet.ts'
import { readHome } from './widgets.ts'

describe('the first steps of a new account', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })
  const readSteps = async ({ token }: TestCustomer) => (await readHome(test, token)).firstSteps

  it('are ticked off as they are done, and disappear after the last one', async () => {
    const account = await createCustomer(test)
    expect(await readSteps(account)).toEqual({ address: false, funds: false, parcel: false, note: false })

    await test.call(createAddress, { token: account.token, body: { ...testParty(), kind: 'sender', isDefault: true } })
    expect(await readSteps(account)).toMatchObject({ address: true, funds: false })

    await fundWallet(test, account, 5_000)
    expect(await readSteps(account)).toMatchObject({ funds: true, parcel: false })

    await createParcel(test, account)
    expect(await readSteps(account)).toMatchObject({ parcel: false })
    const parcel = await createParcel(test, account, { status: 'pending_pickup' })
    expect(await readSteps(account)).toEqual({ address: true, funds: true, parcel: true, note: false })

    const notes = await test.call(generateNotes, { token: account.token, query: { ids: parcel.id, format: 'a6' } })
    expect(notes.status).toBe(200)
    expect(await readSteps(account)).toBeNull()
  })

  it.each(['sorting', 'completed', 'reverse_pickup'] as const)(
    'disappear after the courier has received a parcel, even if other steps are missing: %s',
    async (status) => {
      const account = await createCustomer(test)
      await createParcel(test, account, { status })
      expect(await readSteps(account)).toBeNull()
    },
  )
})
