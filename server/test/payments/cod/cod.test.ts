import { generateNotes } from '@waybill/contract/parcels/labels'
import { listDeliveryTasks } from '@waybill/contract/parcels/rider-tasks'
import { listDrawers } from '@waybill/contract/payments/cash-desk'
import { listCod } from '@waybill/contract/payments/cod'
import { listTrialBalances, proveBooks, searchEntries } from '@waybill/contract/wallet/ledger'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { bookCollected } from '../../../src/domains/payments/cod/service.ts'
import { checkBooks, saveNightlyTrialBalance } from '../../../src/domains/wallet/ledger/books.ts'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook, collectCod, createCodPeople } from '../../testing/factories/cod.ts'
import { findCounter, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { openPaper } from '../../testing/paper.ts'

const currency = 'MYR'

describe('cash on delivery', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  let here: string
  let rider: TestStaff
  let boss: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    here = (await findCounter(test)).here
  })
  beforeEach(async () => {
    test.clock.advance(days(1))
    ;({ rider, boss, owner, other } = await createCodPeople(test, here))
  })
  afterEach(async () => {
    expect((await checkBooks(test.deps.db))?.problems).toEqual([])
  })

  /** A parcel whose COD amount the rider has collected. */
  const createCollectedParcel = (amountMinor: number) =>
    collectCod(test, owner, { amountMinor, rider, stationId: here })
  const getCodOverview = async ({ token } = owner) => (await test.call(listCod, { token })).body
  const balance = async ({ token } = owner) => (await test.call(getWallet, { token })).body.balanceMinor

  it('is booked once when it is collected: for the station, for the sender and for the rider', async () => {
    const before = await balanceOfBook(test, 'station_cash', here)
    const { id, number } = await createCollectedParcel(4990)
    const collection = { accountId: owner.accountId, parcelId: id, amountMinor: 4990, currency, stationId: here }
    await tx(test.deps.db, (trx) => bookCollected(test.deps, trx, [{ ...collection, actorId: rider.userId }]))
    expect(await balanceOfBook(test, 'station_cash', here)).toBe(before - 4990)
    expect(await balanceOfBook(test, 'cod_payable', owner.accountId)).toBe(4990)
    const cod = await getCodOverview()
    expect(cod).toMatchObject({ total: 1, owedMinor: 4990, paidOutMinor: 0, currency })
    expect(cod.items[0]).toMatchObject({ parcelId: id, trackingNumber: number, state: 'owed', payoutNumber: null })
    expect(await getCodOverview(other)).toMatchObject({ total: 0, owedMinor: 0 })
    const { holders } = (await test.call(listDrawers, { token: rider.token })).body
    expect(holders).toContainEqual(expect.objectContaining({ userId: rider.userId, count: 1, amountMinor: 4990 }))
    expect(await balance()).toBe(0)
  })

  it('is not due again once collected: the task shows the amount, a reprinted consignment note does not', async () => {
    const cod = { collection_mode: 'cod' as const, cod_amount_minor: 8850 }
    const parcel = await createParcel(test, owner, { status: 'inbound', delivery_mode: 'D2D', ...cod })
    const number = parcel.tracking_number ?? ''
    const task = async (state: 'under_way' | 'done') => {
      const { items } = (await test.call(listDeliveryTasks, { token: rider.token, query: { state } })).body
      return items.find(({ parcelId }) => parcelId === parcel.id)
    }
    const note = async () => {
      const answer = await test.call(generateNotes, { token: owner.token, query: { ids: parcel.id as never } })
      return (await openPaper(answer.raw)).pages.map(({ text }) => text).join('\n')
    }
    await scanned(test, rider, number, 'out_for_delivery', { stationId: here })
    expect(await task('under_way')).toMatchObject({ codAmountMinor: 8850, codCollectedMinor: null })
    expect(await note()).toContain('88.50')
    const proof = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40', codCollectedMinor: 8850 }
    await scanned(test, rider, number, 'delivered', proof)
    await test.deps.outbox.drain()
    expect(await task('done')).toMatchObject({ codAmountMinor: null, codCollectedMinor: 8850 })
    expect(await note()).not.toContain('88.50')
  })

  it('lets staff search the ledger by number, id, amount or day, and see the nightly checks', async () => {
    const { number } = await createCollectedParcel(7777)
    const search = async (query: Record<string, string | number>) =>
      (await test.call(searchEntries, { token: boss.token, query })).body
    const byNumber = await search({ search: number.slice(0, 8), kind: 'cod_collected' })
    expect(byNumber.items[0]).toMatchObject({ kind: 'cod_collected', reference: number, accountName: 'Kedai Kopi' })
    expect(byNumber.items[0]?.postings).toMatchObject([
      { book: 'station_cash', amountMinor: -7777, accountName: null },
      { book: 'cod_payable', amountMinor: 7777, accountName: 'Kedai Kopi' },
    ])
    expect(byNumber.items[0]?.postings[0]?.stationName).toBeTruthy()
    const [entry] = byNumber.items
    expect((await search({ search: entry?.id ?? '' })).items).toEqual([entry])
    expect((await search({ search: owner.accountId })).items).toEqual([entry])
    expect((await search({ amountMinor: 7777 })).items).toContainEqual(entry)
    expect((await search({ accountId: owner.accountId, book: 'cod_payable' })).total).toBe(1)
    expect((await search({ accountId: owner.accountId, book: 'tax' })).total).toBe(0)
    expect((await search({ search: '%' })).total).toBe(0)
    expect((await search({ accountId: owner.accountId, to: '2020-01-01' })).total).toBe(0)
    const invalid = await test.call(searchEntries, { token: boss.token, query: { amountMinor: -1 } })
    expect(invalid.status).toBe(422)

    test.clock.advance(days(1))
    boss = await createStaff(test, { role: 'account_manager' })
    await saveNightlyTrialBalance(test.deps)
    const balances = (await test.call(listTrialBalances, { token: boss.token })).body.items
    expect(balances[0]?.problems).toEqual([])
    const checkAnswer = (await test.call(proveBooks, { token: boss.token })).body
    expect(checkAnswer).toMatchObject({ day: null, problems: [] })
    const side = (of: 'debitMinor' | 'creditMinor') => checkAnswer.lines.reduce((sum, line) => sum + line[of], 0)
    expect(side('debitMinor')).toBe(side('creditMinor'))
    expect(checkAnswer.lines.map(({ kind }) => kind)).toContain('cod_payable')
    const clerk = await createStaff(test, { stationId: here })
    expect((await test.call(proveBooks, { token: clerk.token })).status).toBe(403)
  })
})
