// npm run restore: restores a backup into an empty deployment, and verifies its books. Exits with 1 if that failed.
// npm run restore -- <folder of the backup> [--replace]
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.error(`Dependencies: ${await installDependencies()}`)
const command = join(root, 'server', 'src', 'backup', 'restore-command.ts')
const { code } = await run(chooseNode().path, [command, ...process.argv.slice(2)])
process.exitCode = code
