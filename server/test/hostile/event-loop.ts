import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/**
 * The longest time without a turn of the event loop, as processor time of its thread: other programs on the machine
 * do not count.
 */
export function watchEventLoop() {
  // Otherwise the garbage collection of earlier test files in this process would count as a block.
  collectGarbage()
  let [last, longest] = [process.threadCpuUsage(), 0]
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
  }
  const timer = setInterval(look, 5)
  return {
    longestMs: () => longest,
    async stop() {
      clearInterval(timer)
      // The work that has just ended counts too.
      await new Promise((resolve) => setImmediate(resolve))
      look()
    },
  }
}

const sample = `[${'{"a":[1,"b"]},'.repeat(100_000)}{}]`
/** The time of parsing the sample on the machine for which the limits of the tests were chosen. */
const usualMs = 12

/**
 * By how much this machine is slower than a usual one, at the moment; at least 1. Limits in milliseconds are multiplied
 * by it: virtual machines of the same type differ by more than twice.
 */
export function getSlowness(): number {
  const times = Array.from({ length: 16 }, () => {
    const begin = process.threadCpuUsage()
    JSON.parse(sample)
    const { user, system } = process.threadCpuUsage(begin)
    return (user + system) / 1000
  })
  // The first ones are slower: the code is compiled, and the heap grows.
  const [medianMs = usualMs] = times
    .slice(9)
    .sort((a, b) => a - b)
    .slice(3)
  return Math.max(1, medianMs / usualMs)
}
