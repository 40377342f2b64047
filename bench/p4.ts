import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './load.ts'
import { against, type Figure, median } from './results.ts'
import type { RunningServer } from './server.ts'

const rounds = 5
const seconds = 4
const connections = 64

/**
 * A parcel across the peninsula with size, insurance and cash on delivery: every line of a price, and hints to work
 * out.
 */
const request = JSON.stringify({
  sender: { postcode: '50480' },
  receiver: { postcode: '80000' },
  weightGrams: 2100,
  dimensions: { lengthMm: 410, widthMm: 300, heightMm: 250 },
  insuredValueMinor: 45_000,
  codAmountMinor: 12_000,
})

/**
 * P4: all services of a parcel with their prices, against a bare handler answering the same JSON. The demo's zones and
 * rates: more than the goal asks for.
 */
export async function p4(server: RunningServer): Promise<Figure[]> {
  const address = `${server.address}/api/customer/prices/services`
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: request,
  })
  if (!answer.ok) throw new Error(`prices answered ${answer.status}`)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-floor-'))
  const file = join(folder, 'prices.json')
  writeFileSync(file, await answer.text())
  const floor = await startFloor(file)
  try {
    const ours: number[] = []
    const floors: number[] = []
    // Both are warm before the first round that counts.
    await load(address, connections, 2, request)
    await load(floor.address, connections, 2, request)
    for (let round = 0; round < rounds; round += 1) {
      const own = await load(address, connections, seconds, request)
      if (own.non2xx > 0) throw new Error('prices did not answer 200')
      ours.push(own.requestsPerSecond)
      floors.push((await load(floor.address, connections, seconds, request)).requestsPerSecond)
    }
    return [
      against({
        id: 'P4',
        what: 'all services of a parcel priced, 64 connections, against a bare handler answering the same JSON',
        ours: median(ours),
        floor: median(floors),
        unit: 'requests/s',
        goal: { compare: 'at least', value: 0.5 },
      }),
    ]
  } finally {
    floor.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startFloor(file: string): Promise<{ address: string; stop(): void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor-prices.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) {
    const address = /floor is ready: (\S+)/.exec(String(chunk))?.[1]
    if (address) return { address, stop: () => child.kill('SIGTERM') }
  }
  throw new Error('the floor did not start')
}
