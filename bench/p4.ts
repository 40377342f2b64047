import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestRate } from './load.ts'
import { measure } from './measure.ts'
import { startFloor } from './processes.ts'
import { against, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

/**
 * A parcel across the peninsula with size, insurance and cash on delivery: every price line occurs, and hints must be
 * computed.
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
 * P4: all services of a parcel with their prices, compared with a bare handler that returns the same JSON. The demo's
 * zones and rates are larger than the goal requires.
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
  const floor = await startFloor('floor-prices.ts', file)
  try {
    const medians = await measure(
      {
        ours: (round) => requestRate(address, round, request),
        floor: (round) => requestRate(floor.address, round, request),
      },
      5,
    )
    return [
      against({
        id: 'P4',
        what: 'all services of a parcel priced, 64 connections, against a bare handler answering the same JSON',
        ...medians,
        unit: 'requests/s',
        goal: { compare: 'at least', value: 0.5 },
      }),
    ]
  } finally {
    floor.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
