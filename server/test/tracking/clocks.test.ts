/** Machines with different clocks: the last event of a timeline still matches the status of the parcel. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { databaseClock } from '../../src/db/database-clock.ts'
import { tx } from '../../src/db/pool.ts'
import { lockParcels, transitionParcels } from '../../src/domains/parcels/transition.ts'
import { later, minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createParcel } from '../testing/factories/parcels.ts'

let test: TestApp
let owner: TestCustomer
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  owner = await createCustomer(test)
})

describe('clocks ten minutes apart', () => {
  it('do not change the order of a timeline, whose newest event matches the status of the parcel', async () => {
    const parcel = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const skews = [10, -10, 0, 10, -10, 0]
    const events = ['accepted', 'sorted', 'departed', 'arrived', 'out_for_delivery', 'attempt_failed'] as const
    for (const [n, event] of events.entries()) {
      const clock = { now: () => later(new Date(), minutes(skews[n] ?? 0)) }
      const [after] = await tx(test.deps.db, async (trx) =>
        transitionParcels({ ...test.deps, clock }, trx, await lockParcels(trx, owner.accountId, [parcel.id]), event, {
          actorId: null,
        }),
      )
      const { rows } = await sql<{ at: Date; event: string; status: string }>`
        select at, event, status from tracking_events where parcel_id = ${parcel.id}::uuid order by at desc`.execute(
        test.deps.db,
      )
      expect(rows[0]).toMatchObject({ event, status: after?.status, at: after?.last_event_at })
      expect(new Set(rows.map(({ at }) => at.getTime())).size).toBe(rows.length)
    }
  })

  it('do not matter to processes, which all use the time of the database', async () => {
    let ahead = minutes(10)
    const differences: number[] = []
    const clock = await databaseClock(test.deps.db, {
      local: () => Date.now() + ahead,
      everyMs: 20,
      onDifference: (milliseconds) => differences.push(Math.round(milliseconds / 1000)),
      onError: (error) => {
        throw error
      },
    })
    onTestFinished(() => clock.stop())
    const off = () => Math.abs(clock.now().getTime() - Date.now())
    expect(off()).toBeLessThan(2_000)
    expect(differences[0]).toBe(-600)
    // The clock of the machine changes while the process runs.
    ahead = -minutes(10)
    await expect.poll(off).toBeLessThan(2_000)
    // A difference within the duration of the query is ignored.
    ahead = 500
    await expect.poll(() => differences.at(-1)).toBe(0)
    expect(off()).toBeGreaterThan(400)
  })
})
