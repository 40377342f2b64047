// npm run dev: the server, restarted when a source changes, and Vite's development server in front of it. Ctrl-C stops
// both.
import { bin, chooseNode, environment, installDependencies, run } from './workspace.mjs'

// The address to which web/vite.config.ts forwards calls.
const apiPort = '3000'
const webPort = '5173'

await installDependencies()
const node = chooseNode().path
const address = `http://localhost:${webPort}`
console.log(`Open ${address} (calls to the API go on to port ${apiPort}).`)

const results = await Promise.race([
  run(node, ['--watch-path=server/src', '--watch-path=contract/src', '--watch-preserve-output', 'server/src/main.ts'], {
    env: environment({
      PORT: apiPort,
      PUBLIC_URL: process.env.PUBLIC_URL ?? address,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    }),
  }),
  run(bin('vite'), ['web', '--port', webPort, '--strictPort']),
])
// If one of them exits, the other is useless.
process.exitCode = results.code
process.kill(process.pid, 'SIGTERM')
