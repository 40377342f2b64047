// npm start: from a fresh checkout to a running portal. Installs, builds and starts what is needed, and says what it
// does.
import { join } from 'node:path'
import { bin, buildWeb, chooseNode, installDependencies, root, run } from './workspace.mjs'

const step = (number, text) => console.log(`[${number}/4] ${text}`)

step(1, `Dependencies: ${await installDependencies()}`)

const node = chooseNode()
step(2, `Node ${node.version}${node.path === bin('node') ? ' (brought along)' : ''}`)

step(3, `Web pages: ${await buildWeb()}`)

step(4, 'Starting the server (Ctrl-C stops everything)')
const { code } = await run(node.path, [join(root, 'server', 'src', 'main.ts'), ...process.argv.slice(2)], { ipc: true })
process.exitCode = code
