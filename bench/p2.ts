import { type BenchDatabase, deliveredNumbers } from './database.ts'
import { requestRate } from './load.ts'
import { measure } from './measure.ts'
import { against, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

/** The maximum number of tracking numbers per call. */
const numbersInCall = 30

/** P2: thirty tracking numbers in one call of public tracking, compared with thirty calls of one number. */
export async function p2(server: RunningServer, database: BenchDatabase): Promise<Figure[]> {
  const numbers = await deliveredNumbers(database, numbersInCall)
  const address = `${server.address}/api/public/parcels/tracking?no=`
  const medians = await measure(
    {
      ours: async (round) => numbersInCall * (await requestRate(address + numbers.join(','), round)),
      // A different number in each call, so that no cache is warmer than in the call of thirty.
      floor: (round) => requestRate(address + numbers[Math.abs(round) % numbersInCall], round),
    },
    5,
  )
  return [
    against({
      id: 'P2',
      what: 'public tracking of 30 numbers in one call, 64 connections, against calls of one number each',
      ...medians,
      unit: 'numbers/s',
      goal: { compare: 'at least', value: 8 },
    }),
  ]
}
