// npm run superadmin -- --email … --name …: creates the first superadmin and mails a link to choose a password.
import { join } from 'node:path'
import { chooseNode, installDependencies, root, run } from './workspace.mjs'

console.log(`Dependencies: ${await installDependencies()}`)
const command = [join(root, 'server', 'src', 'superadmin.ts'), ...process.argv.slice(2)]
const { code } = await run(chooseNode().path, command)
process.exitCode = code
