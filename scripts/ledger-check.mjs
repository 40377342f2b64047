// npm run ledger:check: verifies the books from their entries. Exits with 0 if they are valid, and with 1 and the
// invalid entries if not, or if they cannot be read.
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.log(`Dependencies: ${await installDependencies()}`)
const { code } = await run(chooseNode().path, [join(root, 'server', 'src', 'ledger-check.ts')])
process.exitCode = code
