import dns from 'node:dns'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addJob } from '../../src/jobs/jobs.ts'
import { sendMail } from '../../src/jobs/send-mail.ts'
import { createMailgunMailer } from '../../src/lib/mail/mailgun.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { type MailgunPeer, startMailgunPeer } from '../testing/peers/mailgun.ts'

const migrations = join(import.meta.dirname, '../../src/db/migrations')

describe('email through Mailgun', () => {
  let peer: MailgunPeer
  let test: TestApp
  let token: string
  beforeAll(async () => {
    peer = await startMailgunPeer()
    test = await buildTestApp({ MAILGUN_URL: peer.url })
    token = (await createStaff(test, { type: 'superadmin' })).token
  })
  beforeEach(() => {
    peer.next = null
    peer.mails.length = 0
  })
  const save = (values: Record<string, unknown>) => test.call(putSettings, { token, body: { values } })
  const vars = { code: '012345', minutes: 15, name: 'Mei' }
  const payload = { to: 'mei@example.test', template: 'register_code', locale: 'en', vars } as const
  const mailer = (overrides: { key?: string; domain?: string; url?: string; patienceMs?: number } = {}) => {
    const { key, domain, url, patienceMs } = { ...peer, patienceMs: undefined, ...overrides }
    return createMailgunMailer({ key, domain, url, patienceMs, region: 'us' }, 'Waybill <post@kurier.test>')
  }
  const mail = {
    to: 'mei@example.test',
    from: { name: 'Kurier, "Post"', address: null },
    subject: '包裹 – parcel',
    text: 'text',
    html: '<p>html</p>',
  }

  it('is not switched on before its domain and key are set, and each missing one is named', async () => {
    const refusal = await save({ 'mail.transport': 'mailgun', 'mail.mailgunDomain': peer.domain })
    expect([refusal.status, refusal.error.errors?.map(({ field }) => field)]).toEqual([422, ['mail.mailgunKey']])
    const nothing = await save({ 'mail.transport': 'mailgun' })
    expect(nothing.error.errors?.map(({ field }) => field)).toEqual(['mail.mailgunDomain', 'mail.mailgunKey'])
    expect(test.deps.settings.get('mail.transport')).toBe('generic')
  })

  it('is sent with the settings and the number of its job; the key is stored encrypted', async () => {
    await save({
      'mail.transport': 'mailgun',
      'mail.mailgunDomain': peer.domain,
      'mail.mailgunKey': peer.key,
      'mail.fromName': 'Kurier',
      'mail.fromAddress': 'post@kurier.test',
    })
    await addJob(test.deps.db, 'mail:send', payload)
    await test.settle()
    expect(peer.mails).toHaveLength(1)
    expect(peer.mails[0]).toMatchObject({
      domain: peer.domain,
      fields: { from: '"Kurier" <post@kurier.test>', to: payload.to, 'h:Message-Id': expect.stringMatching(/^<job-/) },
    })
    expect(peer.mails[0]?.fields.text).toContain('012345')
    expect(peer.mails[0]?.fields.html).toContain('<html')
    expect(test.mailbox.mails().filter(({ to }) => to.includes(payload.to))).toEqual([])
    const row = await test.deps.db.selectFrom('settings').selectAll().where('key', '=', 'mail.mailgunKey').execute()
    expect(JSON.stringify(row)).not.toContain(peer.key)
    // The key cannot be removed while it is in use.
    expect((await save({ 'mail.mailgunKey': null })).status).toBe(422)
  })

  it('waits while Mailgun is unavailable and is sent once it is back', async () => {
    peer.next = { status: 503, message: 'try again' }
    await addJob(test.deps.db, 'mail:send', payload)
    const queryLastError = sql<{ last_error: string }>`
      select last_error from graphile_worker.jobs
      where task_identifier = 'mail:send' and attempts = 1 and locked_at is null`
    await expect
      .poll(async () => (await queryLastError.execute(test.deps.db)).rows[0]?.last_error, { timeout: 10_000 })
      .toContain('try again')
    peer.next = null
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db)
    await test.settle()
    expect(peer.mails).toHaveLength(1)
  })

  it("accepts attachments, and a sender's name with a comma and quotes", async () => {
    const file = { name: '发票.pdf', content: Buffer.from('%PDF-1.4'), mediaType: 'application/pdf' }
    await mailer().send({ ...mail, attachments: [file] })
    expect(peer.mails[0]?.fields).toMatchObject({
      from: '"Kurier, \\"Post\\"" <post@kurier.test>',
      subject: '包裹 – parcel',
    })
    expect(peer.mails[0]?.attachments).toEqual([{ name: '发票.pdf', text: '%PDF-1.4' }])
  })

  it('has headers for one-click unsubscribing only if the email has an unsubscribe address', async () => {
    await mailer().send({ ...mail, unsubscribeUrl: 'https://portal.test/api/public/following/abc/end' })
    await mailer().send(mail)
    expect(peer.mails[0]?.fields).toMatchObject({
      'h:List-Unsubscribe': '<https://portal.test/api/public/following/abc/end>',
      'h:List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(Object.keys(peer.mails[1]?.fields ?? {}).filter((name) => name.startsWith('h:List'))).toEqual([])
  })

  it.each([
    ['a wrong key', { key: 'key-wrong' }, {}, null, { code: 'EAUTH', responseCode: 535 }],
    ['an unknown domain', { domain: 'mg.other.test' }, {}, null, { code: 'EMESSAGE', responseCode: 554 }],
    [
      'a receiver that is none',
      {},
      { to: 'nobody' },
      null,
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 },
    ],
    ['too many mails', {}, {}, { status: 429, message: 'slow down' }, { code: 'EMESSAGE', responseCode: 451 }],
    ['an outage', {}, {}, { status: 500, message: 'oops' }, { code: 'EMESSAGE', responseCode: 451 }],
    ['nobody there', { url: 'http://127.0.0.1:9' }, {}, null, { code: 'ECONNECTION', responseCode: undefined }],
  ] as const)('classifies %s as permanent or temporary, in terms of SMTP', async (_, access, to, next, error) => {
    peer.next = next
    await expect(mailer(access).send({ ...mail, ...to })).rejects.toMatchObject(error)
    expect(peer.mails).toEqual([])
  })

  it('is sent to the servers of its region', async () => {
    const hosts: string[] = []
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((host: string, ...rest: unknown[]) => {
      hosts.push(host)
      const answer = rest.at(-1) as (error: Error) => void
      answer(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }))
    }) as never)
    // `mail.mailgunRegion` selects the region.
    for (const region of ['us', 'eu'] as const) {
      const access = { domain: peer.domain, key: peer.key, region, url: undefined }
      await expect(createMailgunMailer(access, 'post@kurier.test').send(mail)).rejects.toMatchObject({ code: 'EDNS' })
    }
    lookup.mockRestore()
    expect(hosts).toEqual(['api.mailgun.net', 'api.eu.mailgun.net'])
  })

  it('times out if Mailgun does not respond', async () => {
    peer.next = 'never'
    await expect(mailer({ patienceMs: 300 }).send(mail)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  })

  it("keeps Mailgun's SMTP server for deployments that used it before", async () => {
    await test.deps.db.deleteFrom('settings').where('key', 'like', 'mail.%').execute()
    await sql`insert into settings (key, value) values ('mail.transport', '"mailgun"')`.execute(test.deps.db)
    const name = (await readdir(migrations)).find((file) => file.endsWith('_mailgun.sql')) ?? ''
    await sql.raw(await readFile(join(migrations, name), 'utf8')).execute(test.deps.db)
    const rows = await sql<{ key: string; value: unknown }>`
      select key, value from settings where key like 'mail.%' order by key`.execute(test.deps.db)
    expect(rows.rows).toEqual([
      { key: 'mail.host', value: 'smtp.mailgun.org' },
      { key: 'mail.transport', value: 'generic' },
    ])
  })

  it('is used only if the setting selects it; otherwise, the SMTP server is used', async () => {
    await test.deps.db.deleteFrom('settings').where('key', 'like', 'mail.%').execute()
    await test.deps.settings.reload()
    await sendMail(test.deps, payload)
    expect(peer.mails).toEqual([])
    expect(test.mailbox.mails()[0]?.to).toEqual([payload.to])
  })
})
