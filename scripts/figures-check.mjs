// npm run figures:check: compares the figures of the dashboard with parcels and orders. Exits with 0 if they are right,
// and with 1 and the wrong ones if not, or if they cannot be read. With --repair they are recounted.
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.log(`Dependencies: ${await installDependencies()}`)
const command = [join(root, 'server', 'src', 'figures-check.ts'), ...process.argv.slice(2)]
const { code } = await run(chooseNode().path, command)
process.exitCode = code
