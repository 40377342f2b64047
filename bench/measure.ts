/** The measuring method of every benchmark: warm-up, alternating rounds, medians. */
import { setTimeout as wait } from 'node:timers/promises'
import { median } from './results.ts'
import type { RunningServer } from './server.ts'

/** One pass of a piece of work; returns its figure. Measured rounds start at 0; warm-ups have a negative number. */
export type Work = (round: number) => Promise<number>

/**
 * Pieces of work that each client does before a round of P3, P12 or P13 or of their own floors is measured. Whatever
 * ran in between has displaced their code and data from the processors' caches.
 */
export const warmUpPieces = 6

/**
 * Medians of several pieces of work over `rounds` rounds, after `warmUps` rounds that do not count. The pieces of work
 * alternate, so that other load on the machine slows all of them and their ratio stays valid.
 */
export async function measure<K extends string>(
  works: Record<K, Work>,
  rounds: number,
  warmUps = 1,
): Promise<Record<K, number>> {
  const entries = Object.entries<Work>(works).map(([name, work]) => ({ name, work, values: [] as number[] }))
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const { work, values } of entries) {
      const value = await work(round)
      if (round >= 0) values.push(value)
    }
  }
  return Object.fromEntries(entries.map(({ name, values }) => [name, median(values)])) as Record<K, number>
}

/** The duration of a piece of work in seconds. */
export async function timeSeconds(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1000
}

/** The highest resident memory of the server's process while `work` runs, in bytes. */
export async function peakMemory(server: RunningServer, work: () => Promise<unknown>): Promise<number> {
  let peak = server.memory()
  let over = false
  const watching = (async () => {
    while (!over) {
      peak = Math.max(peak, server.memory())
      await wait(20)
    }
  })()
  try {
    await work()
  } finally {
    over = true
    await watching
  }
  return peak
}
