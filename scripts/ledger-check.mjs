// npm run ledger:check: proves the books from their entries. Exit 0 when they hold, 1 with each entry named that does
// not, also when they can't be read.
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.log(`Dependencies: ${await installDependencies()}`)
const { code } = await run(chooseNode().path, [join(root, 'server', 'src', 'ledger-check.ts')])
process.exitCode = code
