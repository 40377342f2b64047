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
