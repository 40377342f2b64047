import { setAccountStatus, viewAccount } from '@waybill/contract/accounts/directory'
import { getProfile, listSessions, logout, putProfile } from '@waybill/contract/accounts/sign-in'
import { listAddresses } from '@waybill/contract/addresses/addresses'
import { listLogs } from '@waybill/contract/logs/logs'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { getWallet, setPin } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { secondProcess } from '../../testing/second-process.ts'

let test: TestApp
let manager: TestStaff
beforeAll(async () => {
  test = await buildTestApp()
  manager = await createStaff(test, { role: 'account_manager' })
})

const view = ({ accountId }: TestCustomer, { token } = manager) =>
  test.call(viewAccount, { token, params: { id: accountId } })
const openView = async (owner: TestCustomer, staff = manager) => (await view(owner, staff)).body.token
const getStatus = async (token: string) => (await test.call(getProfile, { token })).status

describe('the view of an account by staff', () => {
  it('shows what the owner sees, and only of that account', async () => {
    const owner = await createCustomer(test, { userType: 'corporate', name: 'Owner of the view' })
    const other = await createCustomer(test)
    const token = await openView(owner)
    const profile = (await test.call(getProfile, { token })).body
    expect(profile).toEqual((await test.call(getProfile, { token: owner.token })).body)
    expect(profile.account?.id).toBe(owner.accountId)
    expect((await test.call(listParcels, { token })).body.items).toEqual([])
    expect((await test.call(getWallet, { token })).body).toMatchObject({ balanceMinor: 0 })
    expect((await test.call(getParcel, { token, params: { id: newId() } })).status).toBe(404)
    expect(await openView(other)).not.toBe(token)
  })

  it('allows no changes and no access to the security settings of the account', async () => {
    const owner = await createCustomer(test)
    const token = await openView(owner)
    const { name, language, version } = (await test.call(getProfile, { token })).body
    const refusals = [
      await test.call(putProfile, { token, body: { name: `${name} changed`, phone: null, language, version } }),
      await test.call(setPin, { token, body: { ticket: 'x', pin: '482915' } as never }),
      await test.call(listSessions, { token }),
      await test.call(accountEvents, { token }),
    ]
    expect(refusals.map(({ status, error }) => [status, error.code])).toEqual(refusals.map(() => [403, 'view_only']))
    expect((await test.call(getProfile, { token: owner.token })).body.name).toBe(name)
    // A token of the view gives no access to calls of staff.
    expect((await view(owner, { ...manager, token })).status).toBe(403)
  })

  it('records the start and the end of the view in the activity log of the account', async () => {
    // A suspended account can be viewed too.
    const owner = await createCustomer(test, { accountStatus: 'inactive' })
    const token = await openView(owner)
    expect((await test.call(logout, { token })).status).toBe(200)
    const { items } = (await test.call(listLogs, { token: owner.token })).body
    expect(items.map(({ action }) => action)).toEqual(['accounts.viewEnded', 'accounts.viewed'])
    expect(items.map(({ by }) => by?.staff)).toEqual([true, true])
    // The owner's own session continues.
    expect(await getStatus(owner.token)).toBe(200)
  })

  it('rejects its token after the view ends, in this process, another one and one started later', async () => {
    const owner = await createCustomer(test)
    const token = await openView(owner)
    const second = await secondProcess(test)
    const headers = { authorization: `Bearer ${token}` }
    const getStatusThere = async (app = second) => (await app.inject({ url: listAddresses.path, headers })).statusCode
    expect(await getStatusThere()).toBe(200)
    await test.call(logout, { token })
    expect(await getStatus(token)).toBe(401)
    await expect.poll(() => getStatusThere(), { timeout: 1000 }).toBe(401)
    expect(await getStatusThere(await secondProcess(test))).toBe(401)
  })

  it('ends with the session of the member of staff, and when the account is blocked', async () => {
    const owner = await createCustomer(test)
    const colleague = await createStaff(test, { role: 'inside_sales_representative' })
    const first = await openView(owner, colleague)
    await test.call(logout, { token: colleague.token })
    expect(await getStatus(first)).toBe(401)

    const second = await openView(owner)
    const { version } = await test.deps.db
      .selectFrom('accounts')
      .select('version')
      .where('id', '=', owner.accountId)
      .executeTakeFirstOrThrow()
    const body = { status: 'blacklisted', reason: 'Fraud', version } as const
    await test.call(setAccountStatus, { token: manager.token, params: { id: owner.accountId }, body })
    expect(await getStatus(second)).toBe(401)
    const refusal = await view(owner)
    expect([refusal.status, refusal.error.code]).toEqual([409, 'account_not_viewable'])
  })

  it('lasts fifteen minutes, also for a suspended account', async () => {
    const owner = await createCustomer(test, { accountStatus: 'inactive' })
    const viewing = (await view(owner)).body
    expect(new Date(viewing.expiresAt).getTime() - test.clock.now().getTime()).toBeLessThanOrEqual(minutes(15))
    test.clock.advance(minutes(14))
    expect(await getStatus(viewing.token)).toBe(200)
    test.clock.advance(minutes(1))
    expect(await getStatus(viewing.token)).toBe(401)
  })

  it('requires the right to accounts', async () => {
    const owner = await createCustomer(test)
    for (const role of ['normal_staff', 'it_executive', 'product_manager', 'e_marketing'] as const)
      expect((await view(owner, await createStaff(test, { role }))).status, role).toBe(403)
  })
})
