// npm run backup: writes the database, the files and the secret key to a new folder, even while a server runs. Prints
// the folder; exits with 1 if the backup failed.
// npm run backup -- [folder] [--dump]
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.error(`Dependencies: ${await installDependencies()}`)
const command = join(root, 'server', 'src', 'backup', 'backup-command.ts')
const { code } = await run(chooseNode().path, [command, ...process.argv.slice(2)])
process.exitCode = code
