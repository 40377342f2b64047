import { removeParcels } from '@waybill/contract/parcels/cart'
import { createGunny } from '@waybill/contract/parcels/gunny'
import { undoScan } from '@waybill/contract/parcels/scanning'
import { putSettings } from '@waybill/contract/settings/settings'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUpFigures, checkFigures, recountAllFigures } from '../../src/domains/dashboard/jobs.ts'
import { days, later } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, createStaff } from '../testing/factories/accounts.ts'
import { collectCod } from '../testing/factories/cod.ts'
import { delivered, findCounter, handedOver, scanned, undelivered } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createPayer } from '../testing/factories/wallet.ts'
import { walkWithMoney } from '../testing/money-walk.ts'
import { readData, readHome } from './widgets.ts'

describe('the figures of accounts', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  /** Checks that the figures are right now, and after all changes are added up. */
  async function expectRightFigures(): Promise<void> {
    expect((await checkFigures(test.deps.db, { repair: false })).wrong).toEqual([])
    await addUpFigures(test.deps)
    expect((await checkFigures(test.deps.db, { repair: false })).wrong).toEqual([])
    const { rows } = await sql`select 1 from account_figure_changes limit 1`.execute(test.deps.db)
    expect(rows).toEqual([])
  }

  it('equal the counts after a random walk, while changes are added up and figures recounted', async () => {
    let isWalking = true
    const walk = walkWithMoney(test.deps, { steps: 300, seed: 20_261, proveEvery: 300 }).finally(() => {
      isWalking = false
    })
    // A failure is reported by the `await` below.
    walk.catch(() => undefined)
    let rounds = 0
    while (isWalking) {
      await addUpFigures(test.deps)
      if (rounds % 5 === 0) await recountAllFigures(test.deps)
      rounds += 1
    }
    const result = await walk
    for (const step of ['pay with credits', 'cancel', 'delivered'])
      expect(result.done[step] ?? 0, step).toBeGreaterThan(0)
    expect(rounds).toBeGreaterThan(5)
    await expectRightFigures()
  })

  it('equal the counts after drafts, gunnies, scans and their undoing, returns, and cash on delivery', async () => {
    const company = await createPayer(test, { userType: 'corporate' })
    const member = await createMember(test, company, ['parcels.create'])
    const { counter, here } = await findCounter(test)
    const [, draft] = await fillCart(test, company, 2)
    await fillCart(test, member)
    const removal = await test.call(removeParcels, { token: company.token, body: { ids: [draft?.id ?? ''] } })
    expect(removal.status).toBe(200)
    await placeOrder(test, company, { count: 2 })
    const deliveredParcel = await handedOver(test, company, counter)
    await delivered(test, counter, deliveredParcel.number)
    await undelivered(test, company, counter)
    const correctedParcel = await handedOver(test, company, counter)
    await scanned(test, counter, correctedParcel.number, 'sorted')
    const { rows } = await sql<{ id: string }>`
      select id from tracking_events where parcel_id = ${correctedParcel.id}::uuid order by at desc limit 1`.execute(
      test.deps.db,
    )
    const undone = await test.call(undoScan, { token: counter.token, params: { id: rows[0]?.id ?? '' } })
    expect(undone.status).toBe(200)
    const gunnyParcel = await createParcel(test, company, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const gunny = { numbers: [gunnyParcel.tracking_number ?? ''] }
    expect((await test.call(createGunny, { token: company.token, body: gunny })).status).toBe(200)
    await collectCod(test, company, { amountMinor: 5_000, rider: counter, stationId: here })
    await test.settle()
    await expectRightFigures()
    const home = await readHome(test, company.token)
    expect(home.todo).toMatchObject({ inCart: 4, failedDeliveries: 1, toHandOver: 1 })
    const { byTrackingStatus } = readData(home, 'parcels_by_status')
    expect(byTrackingStatus).toMatchObject({ delivered: 2, pending_dropoff: 1, in_transit: 2 })
  })

  it('equal the counts after any change of a row', async () => {
    const one = await createCustomer(test)
    const two = await createCustomer(test)
    const owners = [one, two]
    const now = test.clock.now()
    const change = fc.record({
      what: fc.constantFrom('insert', 'insert', 'update', 'update', 'update', 'delete'),
      owner: fc.nat(1),
      at: fc.nat(50),
      status: fc.constantFrom(
        'pending',
        'incart',
        'outstanding',
        'inbound',
        'completed',
        'collected',
        'cancel',
        'refunded',
      ),
      leg: fc.constantFrom('outbound', 'return'),
      held: fc.boolean(),
      due: fc.nat(5_000),
      daysAgo: fc.nat(40),
      promised: fc.option(fc.nat(40)),
      state: fc.constantFrom('Johor', 'Perak', null),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 15 }), async (changes) => {
        for (const each of changes) {
          const owner = owners[each.owner] ?? one
          const at = later(now, -days(each.daysAgo))
          const promisedAt = each.promised === null ? null : later(now, -days(each.promised))
          const receiver = JSON.stringify({ country: 'my', state: each.state })
          if (each.what === 'insert') {
            await createParcel(test, owner)
            continue
          }
          const pickedRow = sql`(
            select id from parcels where account_id = ${owner.accountId}::uuid order by id
            offset ${each.at}::int % (
              select greatest(count(*), 1) from parcels where account_id = ${owner.accountId}::uuid
            )
            limit 1)`
          if (each.what === 'delete') await sql`delete from parcels where id = ${pickedRow}`.execute(test.deps.db)
          else
            await sql`
              update parcels
              set status = ${each.status}, leg = ${each.leg}, handed_over = ${each.held},
                amount_due_minor = ${each.due}::bigint, last_event_at = ${at}::timestamptz,
                promised_date = ${promisedAt}::timestamptz::date, receiver = ${receiver}::jsonb
              where id = ${pickedRow}`.execute(test.deps.db)
        }
        expect((await checkFigures(test.deps.db, { repair: false })).wrong).toEqual([])
        await addUpFigures(test.deps)
        expect((await checkFigures(test.deps.db, { repair: false })).wrong).toEqual([])
      }),
      { numRuns: 15 },
    )
  })

  it('are filled by the migration from the existing rows', async () => {
    await sql`truncate account_figures, account_figure_changes`.execute(test.deps.db)
    expect((await checkFigures(test.deps.db, { repair: false })).wrong.length).toBeGreaterThan(5)
    await test.deps.pool.query('call recount_all_figures()')
    await expectRightFigures()
  })

  it('are repaired if they are wrong', async () => {
    const account = await createCustomer(test)
    await createParcel(test, account)
    await addUpFigures(test.deps)
    await sql`
      update account_figures set count = count + 1
      where account_id = ${account.accountId}::uuid and metric = 'open'`.execute(test.deps.db)
    const { wrong } = await checkFigures(test.deps.db, { repair: true })
    // The figure of the user, and the total of the account.
    const figure = { accountId: account.accountId, label: 'pending', stored: 2, counted: 1 }
    expect(wrong).toEqual([expect.objectContaining(figure), expect.objectContaining(figure)])
    expect(wrong.map((each) => each.user_id)).toContain(account.userId)
    await expectRightFigures()
  })

  it('use the calendar of the time zone, and are recounted when it changes', async () => {
    const account = await createCustomer(test)
    const admin = await createStaff(test, { type: 'superadmin' })
    // Noon in Kuala Lumpur is still the day before in Honolulu.
    const noon = new Date(`${test.clock.now().toISOString().slice(0, 10)}T04:00:00Z`)
    await createParcel(test, account, { created_at: later(noon, -days(3)), last_event_at: later(noon, -days(3)) })
    const createdOn = async () =>
      readData(await readHome(test, account.token), 'parcels_per_day').days.find(({ created }) => created > 0)?.day
    const day = later(noon, -days(3)).toISOString().slice(0, 10)
    expect(await createdOn()).toBe(day)
    for (const [timezone, expected] of [
      ['Pacific/Honolulu', later(noon, -days(4)).toISOString().slice(0, 10)],
      ['Asia/Kuala_Lumpur', day],
    ] as const) {
      const body = { values: { timezone } }
      expect((await test.call(putSettings, { token: admin.token, body })).status).toBe(200)
      await test.settle()
      expect(await createdOn()).toBe(expected)
      await expectRightFigures()
    }
  })
})
