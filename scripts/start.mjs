// npm start: from a fresh checkout to a running portal. Installs, builds and starts what is needed, and prints each
// step. package.json runs it with `exec`: npm passes a signal to the shell that it starts, which would not pass it on,
// so the server would survive.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, buildWeb, chooseNode, environment, installDependencies, root, run } from './workspace.mjs'

const step = (number, text) => console.log(`[${number}/4] ${text}`)

step(1, `Dependencies: ${await installDependencies()}`)

const node = chooseNode()
step(2, `Node ${node.version}${node.path === bin('node') ? ' (brought along)' : ''}`)

step(3, `Web pages: ${await buildWeb()}`)

step(4, 'Starting the server (Ctrl-C stops everything)')
// Flags and variables that keep the process small (docs/decisions/0083-memory-of-a-process.md); the operator's own
// values take precedence.
const { flags, variables } = JSON.parse(readFileSync(join(root, 'server', 'process.json'), 'utf8'))
const { code } = await run(node.path, [...flags, join(root, 'server', 'src', 'main.ts'), ...process.argv.slice(2)], {
  ipc: true,
  env: { ...variables, ...environment() },
})
process.exitCode = code
