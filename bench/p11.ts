import { measure } from './measure.ts'
import { alone, type Figure, median } from './results.ts'
import { newDataFolder, startServer } from './server.ts'

const warmStarts = 5

/**
 * P11: the first start on an empty data folder with the demo, warm starts after it, and the memory of the idle server.
 */
export async function p11(): Promise<Figure[]> {
  const folder = newDataFolder()
  try {
    const first = await startServer(folder.path)
    await first.stop()
    const memory: number[] = []
    const start = async () => {
      const server = await startServer(folder.path)
      // By then the memory of the start has been freed, as on a server that has been idle for a while.
      for (let second = 0; second < 6; second += 1) {
        await fetch(`${server.address}/readyz`)
        await new Promise((wake) => setTimeout(wake, 1000))
      }
      memory.push(server.memory())
      await server.stop()
      return server.readyMs
    }
    const { warm } = await measure({ warm: start }, warmStarts, 0)
    return [
      alone({
        id: 'P11 first',
        what: 'first start, empty data folder, demo seeded',
        ours: first.readyMs / 1000,
        unit: 's',
        goal: { compare: 'at most', value: 15 },
      }),
      alone({
        id: 'P11 warm',
        what: 'warm start',
        ours: warm / 1000,
        unit: 's',
        goal: { compare: 'at most', value: 1.5 },
      }),
      alone({
        id: 'P11 memory',
        what: 'idle server, resident memory',
        ours: median(memory) / 1_000_000,
        unit: 'MB',
        goal: { compare: 'at most', value: 170 },
      }),
    ]
  } finally {
    folder.remove()
  }
}
