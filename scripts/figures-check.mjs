// npm run figures:check: compares the figures of the dashboard with parcels and orders. Exit 0 when they are right, 1
// with each wrong one named, also when they can't be read. With --repair they are counted anew.
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.log(`Dependencies: ${await installDependencies()}`)
const command = [join(root, 'server', 'src', 'figures-check.ts'), ...process.argv.slice(2)]
const { code } = await run(chooseNode().path, command)
process.exitCode = code
