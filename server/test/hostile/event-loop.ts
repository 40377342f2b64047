import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/**
 * How long the event loop is kept busy in one go, by the processor time of its thread: other programs on the machine
 * don't count.
 */
export function watchEventLoop() {
  // Else the pause that collects what earlier test files of this process have left would count as a block.
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
      // What has just been done counts too.
      await new Promise((resolve) => setImmediate(resolve))
      look()
    },
  }
}
