import { describe, expect, it } from 'vitest'
import { groupCalls, mostCalls } from '../../src/db/concurrency/group-calls.ts'

/** A function whose calls wait until the test ends them. */
function recordGroups(refuse: (inputs: readonly number[]) => Error | null = () => null) {
  const groups: number[][] = []
  const ends: (() => void)[] = []
  const together = async (inputs: readonly number[]) => {
    groups.push([...inputs])
    await new Promise<void>((end) => ends.push(end))
    const error = refuse(inputs)
    if (error) throw error
    return inputs.map((input) => input * 10)
  }
  const run = groupCalls(together, async (input) => (await together([input]))[0] as number)
  const endNext = () => {
    const end = ends.shift()
    if (!end) throw new Error('nothing is running')
    end()
  }
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  return { run, groups, endNext, endAll }
}

/** Lets everything continue that waits for no group. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('calls', () => {
  it('run alone if none is running, and together if they have arrived during another one', async () => {
    const { run, groups, endNext } = recordGroups()
    const first = run(1)
    await settle()
    const others = [run(2), run(3), run(4)]
    await settle()
    expect(groups).toEqual([[1]])
    endNext()
    expect(await first).toBe(10)
    await settle()
    expect(groups).toEqual([[1], [2, 3, 4]])
    endNext()
    expect(await Promise.all(others)).toEqual([20, 30, 40])
    const last = run(5)
    await settle()
    endNext()
    expect(await last).toBe(50)
    expect(groups.at(-1)).toEqual([5])
  })

  it('form several groups if there are many', async () => {
    const { run, groups, endNext } = recordGroups()
    const first = run(0)
    await settle()
    const others = Array.from({ length: mostCalls + 5 }, (_, n) => run(n + 1))
    for (let group = 0; group < 3; group++) {
      endNext()
      await settle()
    }
    expect(groups.map(({ length }) => length)).toEqual([1, mostCalls, 5])
    expect(await first).toBe(0)
    expect(await Promise.all(others)).toEqual(others.map((_, n) => (n + 1) * 10))
  })

  it('run alone if their group fails, so only those fail that fail alone', async () => {
    const { run, groups, endNext, endAll } = recordGroups((inputs) => (inputs.includes(3) ? new Error('three') : null))
    const first = run(1)
    await settle()
    const others = Promise.allSettled([run(2), run(3), run(4)])
    endNext()
    await first
    await settle()
    endNext()
    await settle()
    expect(groups).toEqual([[1], [2, 3, 4], [2], [3], [4]])
    endAll()
    const [two, three, four] = await others
    expect(two).toEqual({ status: 'fulfilled', value: 20 })
    expect(three).toMatchObject({ status: 'rejected', reason: { message: 'three' } })
    expect(four).toEqual({ status: 'fulfilled', value: 40 })
  })

  it('all fail at once if the database cannot be reached', async () => {
    const down = Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
    const { run, groups, endNext } = recordGroups(({ length }) => (length > 1 ? down : null))
    const first = run(1)
    await settle()
    const others = Promise.allSettled([run(2), run(3)])
    endNext()
    await first
    await settle()
    endNext()
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(groups).toEqual([[1], [2, 3]])
  })

  it('do not wait for a group that waits for a lock', async () => {
    const { run, groups, endAll } = recordGroups()
    const slow = run(1)
    await settle()
    const next = run(2)
    // The turn of the first one no longer counts after a moment, though it never ends.
    await expect.poll(() => groups).toEqual([[1], [2]])
    endAll()
    expect(await Promise.all([slow, next])).toEqual([10, 20])
  })
})
