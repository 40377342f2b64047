import { closeDrawer, moveCash, openDrawer } from '@waybill/contract/payments/cash-desk'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { days } from '../../../src/lib/clock.ts'
import { buildTestApp } from '../../testing/app.ts'
import { moveToNextDay } from '../../testing/calendar.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { balanceOfBook } from '../../testing/factories/cod.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { expectSoundBooks } from '../../testing/factories/wallet.ts'
import { queueBehind } from '../../testing/lock-queue.ts'

const currency = 'MYR'

it('a drawer that is opened while the one before is counted starts with that count', async () => {
  const test = await buildTestApp()
  moveToNextDay(test)
  await seedTestNetwork(test)
  const { here: stationId } = await findCounter(test)
  const dayBefore = (await createStaff(test, { stationId })).token
  const opened = await test.call(openDrawer, {
    token: dayBefore,
    body: { drawerNumber: 1, floatMinor: 10_000, currency },
  })
  const body = { drawerNumber: 1, kind: 'cash_in' as const, amountMinor: 50_000, currency, reason: 'Change' }
  await test.call(moveCash, { token: dayBefore, body })
  test.clock.advance(days(1))
  const { token } = await createStaff(test, { stationId })
  const fromBank = await balanceOfBook(test, 'bank')
  const count = { version: 2, counted: { sumMinor: 59_900 }, currency, reason: 'A note is missing' }
  // The count is stored when it waits for the log, but not yet visible.
  const [closed, next] = await queueBehind(
    test,
    sql`lock table activity_log in exclusive mode`,
    () => test.call(closeDrawer, { token, params: { id: opened.body.id }, body: count }),
    () => test.call(openDrawer, { token, body: { drawerNumber: 1, floatMinor: 59_900, currency } }),
  )
  expect([closed.status, next.status]).toEqual([200, 200])
  expect(next.body).toMatchObject({ carriedMinor: 59_900, floatMinor: 59_900 })
  expect(await balanceOfBook(test, 'bank')).toBe(fromBank)
  await expectSoundBooks(test)
})
