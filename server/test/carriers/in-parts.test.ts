import { describe, expect, it } from 'vitest'
import { callForEach, callInParts } from '../../src/domains/carriers/in-parts.ts'
import { CarrierError } from '../../src/domains/carriers/wire.ts'

const items = Array.from({ length: 200 }, (_, n) => n)

/** A carrier that refuses each call about one of these numbers, and counts its calls. */
function createCarrier(isRefused: (n: number) => boolean) {
  const carrier = {
    calls: 0,
    async callAll(part: readonly number[]): Promise<readonly number[]> {
      carrier.calls += 1
      if (part.some(isRefused)) throw new CarrierError('refused')
      return part
    },
  }
  return carrier
}

describe('a call about many parcels', () => {
  it('has results for all but the refused ones, wherever these are in the list', async () => {
    for (const refused of [[0], [199], [3, 120], [17, 90, 160]]) {
      const carrier = createCarrier((n) => refused.includes(n))
      const results = (await callInParts(items, carrier.callAll)).flat()
      expect(results).toEqual(items.filter((n) => !refused.includes(n)))
    }
  })

  it('keeps the results so far if the carrier refuses very many', async () => {
    const carrier = createCarrier((n) => n >= 100)
    expect((await callInParts(items, carrier.callAll)).flat()).toEqual(items.slice(0, 100))
    expect(carrier.calls).toBe(64)
  })

  it('keeps the results so far if the carrier goes down, and then makes no further call', async () => {
    for (const problem of ['unreachable', 'busy'] as const) {
      let calls = 0
      const results = await callInParts(items, async (part) => {
        calls += 1
        if (part.length === items.length) throw new CarrierError('refused')
        if (part.includes(100)) throw new CarrierError(problem)
        return part
      })
      expect([results.flat(), calls]).toEqual([items.slice(0, 100), 3])
    }
  })

  it('fails with the reason if the carrier goes down before there is a result', async () => {
    const down = async (part: readonly number[]) => {
      throw new CarrierError(part.length === items.length ? 'nonsense' : 'unreachable')
    }
    await expect(callInParts(items, down)).rejects.toMatchObject({ problem: 'unreachable' })
  })

  it('fails after few calls if the carrier refuses all', async () => {
    const carrier = createCarrier(() => true)
    await expect(callInParts(items, carrier.callAll)).rejects.toMatchObject({ problem: 'refused' })
    expect(carrier.calls).toBe(24)
  })
})

describe('calls about single parcels', () => {
  const refuse = (refused: readonly string[]) => async (number: string) => {
    if (refused.includes(number)) throw new CarrierError('refused')
    return number
  }

  it('skip refused numbers, and fail if all of several are refused', async () => {
    expect([...(await callForEach(['a', 'b', 'c'], refuse(['a']))).keys()]).toEqual(['b', 'c'])
    expect((await callForEach(['a'], refuse(['a']))).size).toBe(0)
    await expect(callForEach(['a', 'b'], refuse(['a', 'b']))).rejects.toMatchObject({ problem: 'refused' })
  })
})
