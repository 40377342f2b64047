// npm run backup: the database, the files and the secret key in a new folder, beside a running server too. Says which;
// exit 1 when none was made.
//   npm run backup -- [folder] [--dump]
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.error(`Dependencies: ${await installDependencies()}`)
const command = join(root, 'server', 'src', 'backup', 'backup-command.ts')
const { code } = await run(chooseNode().path, [command, ...process.argv.slice(2)])
process.exitCode = code
