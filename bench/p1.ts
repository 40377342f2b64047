import type { BenchDatabase } from './database.ts'
import { requestRate } from './load.ts'
import { measure } from './measure.ts'
import { startFloor } from './processes.ts'
import { against, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

/** P1: public tracking of one number over HTTP, against a bare handler with one SELECT. */
export async function p1(server: RunningServer, database: BenchDatabase, number: string): Promise<Figure[]> {
  const floor = await startFloor('floor-tracking.ts', database.url)
  try {
    const medians = await measure(
      {
        ours: (round) => requestRate(`${server.address}/api/public/parcels/tracking?no=${number}`, round),
        floor: (round) => requestRate(`${floor.address}/?no=${number}`, round),
      },
      5,
    )
    return [
      against({
        id: 'P1',
        what: 'public tracking of one number, 64 connections, against a bare handler with one SELECT',
        ...medians,
        unit: 'requests/s',
        goal: { compare: 'at least', value: 0.8 },
      }),
    ]
  } finally {
    floor.stop()
  }
}
