import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../testing/app.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { walkWithMoney } from '../testing/money-walk.ts'

/** R6 on a small scale; `node bench/drills/r6.ts` walks 100,000 steps. */
describe('parcels and their money in random walks', () => {
  it('never combine a parcel status and a payment status that the table forbids', async () => {
    const test = await buildTestApp()
    await seedTestNetwork(test)
    const walked = await walkWithMoney(test.deps, { steps: 300, seed: 20_261, proveEvery: 100 })
    // A walk without successful steps would prove nothing.
    for (const step of ['order', 'pay with credits', 'bank says paid', 'cancel']) {
      expect(walked.done[step] ?? 0, step).toBeGreaterThan(0)
    }
    expect(walked.refused).toBeGreaterThan(50)
    // Its 31st step repeats a scan.
    await walkWithMoney(test.deps, { steps: 40, seed: 4711 })
  })
})
