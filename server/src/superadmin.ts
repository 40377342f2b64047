/**
 * `npm run superadmin -- --email … --name …`: creates the first superadmin of a deployment, with or without a running
 * server, and mails a link to choose a password.
 */
import './compile-cache.ts'
import { parseArgs } from 'node:util'
import type { Locale } from '@waybill/contract/ground/constants'
import { type Config, loadConfig } from './config.ts'
import { connectCommand } from './db/connect-command.ts'
import type { NewSuperadmin } from './domains/accounts/staff/create-superadmin.ts'

const say = (line: string) => console.warn(line)

const usage = 'npm run superadmin -- --email name@example.com --name "Full name" [--language en|cn_zh] [--another]'

/** @throws Error with the usage for an unknown or missing option. */
function readArguments(args: readonly string[]): NewSuperadmin {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        email: { type: 'string' },
        name: { type: 'string' },
        language: { type: 'string', default: 'en' },
        another: { type: 'boolean', default: false },
      },
    })
    const { email, name, language, another } = values
    if (email !== undefined && name !== undefined) return { email, name, language: language as Locale, another }
  } catch {
    // The usage is clearer than the parser's message.
  }
  throw new Error(`Usage: ${usage}`)
}

/** The mail server for the link. The demo has its own superadmin, and a mailbox that only its server can open. */
function requireMailServer(config: Config): string {
  if (config.demo) throw new Error('DEMO: has a superadmin of its own; set DEMO=off for a deployment.')
  if (config.mail.smtpUrl === undefined) throw new Error('SMTP_URL: is required, because the link is mailed.')
  return config.mail.smtpUrl
}

async function main(): Promise<void> {
  const input = readArguments(process.argv.slice(2))
  const config = loadConfig(process.env, [])
  const smtpUrl = requireMailServer(config)
  // Wrong arguments are reported before the whole server is loaded.
  const [{ buildApp }, { migrate }, { createDb, createPool }, { createSuperadmin }] = await Promise.all([
    import('./app.ts'),
    import('./db/migrate.ts'),
    import('./db/pool.ts'),
    import('./domains/accounts/staff/create-superadmin.ts'),
  ])
  const { url, close } = await connectCommand(config, say)
  try {
    await migrate(url, { log: say })
    const pool = createPool(url, { max: 4, name: 'waybill superadmin' })
    const app = await buildApp({ config, pool, db: createDb(pool), databaseUrl: url, smtpUrl })
    try {
      const { email, expiresAt, again } = await createSuperadmin(app.deps, input)
      say(again ? `${email} has no password yet: a new link was mailed.` : `${email} is a superadmin now.`)
      say(`The mail to ${email} has a link to choose a password. It works once, until ${expiresAt.toISOString()}.`)
      say(`Then sign in at ${config.http.publicUrl}/staff/login`)
    } finally {
      await app.close()
      await pool.end()
    }
  } finally {
    await close()
  }
}

process.exitCode = await main().then(
  () => 0,
  (error: unknown) => {
    say(error instanceof Error ? error.message : String(error))
    return 1
  },
)
