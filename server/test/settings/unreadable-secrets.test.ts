/** A secret that no key decrypts counts as not set, so the log has to say why. */
import { putSettings } from '@waybill/contract/settings/settings'
import { expect, it } from 'vitest'
import { afterUse } from '../testing/after-use.ts'
import { buildTestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { startServerProcess } from '../testing/server-process.ts'

const keys = { before: 'an earlier key that is long enough', now: 'a newer key that is long enough as well' }
const secrets = { 'mail.password': 'hunter2-of-the-mail-server', 'mail.mailgunKey': 'hunter2-of-mailgun' }

it('names in the log of each start the secrets that no configured key decrypts', async () => {
  const test = await buildTestApp({ SECRET_KEY: keys.before })
  const { token } = await createStaff(test, { type: 'superadmin' })
  const values = { ...secrets, 'company.name': 'Kurier Sdn Bhd' }
  expect((await test.call(putSettings, { token, body: { values } })).status).toBe(200)
  /** The unreadable secrets that a new process logs until it is ready. */
  const listUnreadable = async (environment: Record<string, string>) => {
    const server = startServerProcess({
      DATABASE_URL: test.databaseUrl,
      DATA_DIR: test.deps.config.dataDir,
      SMTP_URL: test.mailbox.url,
      DEMO: 'off',
      ROLE: 'web',
      ...environment,
    })
    afterUse(async () => {
      server.child.kill('SIGTERM')
      await server.ended
    })
    await server.ready()
    expect(server.output()).not.toContain('hunter2')
    return [...server.output().matchAll(/the setting (\S+) cannot be decrypted with SECRET_KEY/g)].map(([, key]) => key)
  }

  const unreadable = await listUnreadable({ SECRET_KEY: keys.now })
  expect(unreadable.sort()).toEqual(Object.keys(secrets).sort())
  expect(await listUnreadable({ SECRET_KEY: keys.now, SECRET_KEY_PREVIOUS: keys.before })).toEqual([])
})
