/** The command that creates the first superadmin, run as an operator runs it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resetPassword, staffLogin } from '@waybill/contract/accounts/sign-in'
import { listTeam } from '@waybill/contract/accounts/team'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, startMailbox } from '../../../src/demo/peers/mailbox/mailbox.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { readLinkToken } from '../../testing/factories/newcomers.ts'

const command = join(import.meta.dirname, '../../../src/superadmin.ts')
const secretKey = 'a secret of the tests that is long enough'

describe('the command that creates the first superadmin', () => {
  let mailbox: Mailbox
  let dataDir: string
  let database: TestDatabase
  let test: TestApp
  beforeAll(async () => {
    mailbox = await startMailbox()
    dataDir = mkdtempSync(join(tmpdir(), 'waybill-superadmin-'))
    chmodSync(dataDir, 0o711)
    database = await createTestDatabase()
    test = await buildTestApp({}, { database })
  })
  afterAll(async () => {
    await mailbox.stop()
    rmSync(dataDir, { recursive: true })
  })

  async function run(args: readonly string[], environment: Record<string, string> = {}) {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      DEMO: 'off',
      LOG_LEVEL: 'error',
      SECRET_KEY: secretKey,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://portal.test',
      SMTP_URL: mailbox.url,
      ...environment,
    }
    const child = spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    }
    const [code] = await once(child, 'close')
    return { code: code as number, output }
  }
  const listSuperadmins = () =>
    database.db
      .selectFrom('users')
      .select(['email', 'name', 'language', 'password_hash'])
      .where('staff_type', '=', 'superadmin')
      .orderBy('created_at')
      .execute()
  const mei = ['--email', 'Mei.Ling@courier.example', '--name', '陈美玲', '--language', 'cn_zh']

  it('reports a clear error and stores nothing if it cannot work', async () => {
    const usage = await run(['--email', 'mei.ling@courier.example'])
    expect(usage).toMatchObject({ code: 1, output: expect.stringContaining('Usage: npm run superadmin') })
    expect((await run([...mei, '--password', 'correct horse battery'])).output).toContain('Usage')
    expect(await run(['--email', 'nobody', '--name', 'Mei', '--language', 'klingon'])).toEqual({
      code: 1,
      output: '--email, --language: not valid.\n',
    })
    const failure = await run(mei, { SMTP_URL: 'smtp://127.0.0.1:9' })
    expect(failure.code).toBe(1)
    expect(failure.output).toContain('The mail could not be sent, and nothing was stored')
    expect(failure.output).toContain('ECONNREFUSED')
    expect((await run(mei, { DEMO: 'on' })).output).toBe(
      'DEMO: has a superadmin of its own; set DEMO=off for a deployment.\n',
    )
    expect((await run(mei, { NODE_ENV: 'test', SMTP_URL: '' })).output).toContain('SMTP_URL: is required')
    expect(await listSuperadmins()).toEqual([])
    expect(mailbox.mails()).toEqual([])
  })

  it('emails a link that works once, and prints no secret', async () => {
    const { code, output } = await run(mei)
    expect(output).toContain('mei.ling@courier.example is a superadmin now.')
    expect(output).toContain('http://portal.test/staff/login')
    expect(code).toBe(0)
    expect(await listSuperadmins()).toEqual([
      { email: 'mei.ling@courier.example', name: '陈美玲', language: 'cn_zh', password_hash: null },
    ])
    const [mail] = mailbox.mails()
    expect(mail).toMatchObject({ to: ['mei.ling@courier.example'], subject: expect.stringContaining('超级管理员') })
    const linkToken = readLinkToken(mail ?? expect.unreachable('no mail'))
    expect(linkToken).not.toBe('')
    expect(output).not.toContain(linkToken)
    expect(mail?.text).toContain('&first=1&staff=1')
  })

  it('sends a new link to a superadmin without a password, and voids the previous one', async () => {
    const before = readLinkToken(mailbox.mails()[0] ?? expect.unreachable('no mail'))
    const { code, output } = await run(mei)
    expect(output).toContain('has no password yet: a new link was mailed')
    expect(code).toBe(0)
    expect(await listSuperadmins()).toHaveLength(1)
    const linkToken = readLinkToken(mailbox.mails()[0] ?? expect.unreachable('no mail'))
    const password = 'correct horse battery'
    const set = (token: string) => test.call(resetPassword, { body: { linkToken: token, password } })
    expect((await set(before)).error.code).toBe('code_expired')
    expect((await set(linkToken)).status).toBe(200)
    expect((await set(linkToken)).error.code).toBe('code_used')
    const body = { email: 'mei.ling@courier.example', password }
    const { token } = (await test.call(staffLogin, { body })).body
    expect((await test.call(listTeam, { token })).body.items).toMatchObject([
      { email: body.email, type: 'superadmin', invited: false, isYou: true, editable: false },
    ])
    const log = (await listActivities(test)).filter(({ action }) => action.startsWith('users.'))
    expect(log).toMatchObject([{ action: 'users.superadminCreated', level: 'ALERT', user_id: null }])
  })

  it('rejects a second superadmin without the option for it, and never takes over an address', async () => {
    const tom = ['--email', 'tom@courier.example', '--name', 'Tom Lee']
    const refusal = await run(tom)
    expect(refusal).toMatchObject({ code: 1, output: expect.stringContaining('There is a superadmin already') })
    expect((await run(mei)).output).toContain('belongs to a member of staff already')
    const clerk = await createStaff(test)
    expect((await run(['--email', clerk.email, '--name', 'Clerk', '--another'])).output).toContain('belongs to')
    expect(await listSuperadmins()).toHaveLength(1)
    expect((await run([...tom, '--another'])).code).toBe(0)
    expect((await listSuperadmins()).map(({ email }) => email)).toEqual([
      'mei.ling@courier.example',
      'tom@courier.example',
    ])
  })

  it('migrates an empty database to the newest schema first', async () => {
    const empty = await createTestDatabase()
    await empty.pool.query(
      'drop schema public cascade; drop schema if exists graphile_worker cascade; create schema public',
    )
    const { code, output } = await run(mei, { DATABASE_URL: empty.url })
    expect(output).toContain('is a superadmin now')
    expect(code).toBe(0)
  })
})
