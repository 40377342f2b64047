import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { BenchDatabase } from './database.ts'
import { load } from './load.ts'
import { against, type Figure, median } from './results.ts'
import type { RunningServer } from './server.ts'

const rounds = 5
const seconds = 4
const connections = 64

/** P1: public tracking of one number over HTTP, against a bare handler with one SELECT. */
export async function p1(server: RunningServer, database: BenchDatabase, number: string): Promise<Figure[]> {
  const floor = await startFloor(database.url)
  try {
    const ours: number[] = []
    const floors: number[] = []
    // Both are warm before the first round that counts.
    await load(`${server.address}/api/public/parcels/tracking?no=${number}`, connections, 2)
    await load(`${floor.address}/?no=${number}`, connections, 2)
    for (let round = 0; round < rounds; round += 1) {
      const own = await load(`${server.address}/api/public/parcels/tracking?no=${number}`, connections, seconds)
      if (own.non2xx > 0) throw new Error('tracking did not answer 200')
      ours.push(own.requestsPerSecond)
      floors.push((await load(`${floor.address}/?no=${number}`, connections, seconds)).requestsPerSecond)
    }
    return [
      against({
        id: 'P1',
        what: 'public tracking of one number, 64 connections, against a bare handler with one SELECT',
        ours: median(ours),
        floor: median(floors),
        unit: 'requests/s',
        goal: { compare: 'at least', value: 0.8 },
      }),
    ]
  } finally {
    floor.stop()
  }
}

async function startFloor(databaseUrl: string): Promise<{ address: string; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor-tracking.ts'), databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) {
    const address = /floor is ready: (\S+)/.exec(String(chunk))?.[1]
    if (address) return { address, stop: () => child.kill('SIGTERM') }
  }
  throw new Error('the floor did not start')
}
