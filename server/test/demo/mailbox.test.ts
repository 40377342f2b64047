import { beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '../../src/jobs/jobs.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { latestMail } from '../testing/factories/newcomers.ts'

describe('the demo mailbox', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ DEMO: 'on' })
  })

  it('is empty at first, then shows mails, the newest first and open', async () => {
    const empty = await test.app.inject('/demo/mailbox')
    expect(empty.body).toContain('No emails yet')
    await send('first@example.test', 'Tan <i>Mei</i> Ling')
    await send('second@example.test', '陈美玲')
    const page = await test.app.inject({ url: '/demo/mailbox', headers: { 'accept-language': 'zh-CN' } })
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain('lang="zh-CN"')
    expect(page.body.indexOf('second@example.test')).toBeLessThan(page.body.indexOf('first@example.test'))
    expect(page.body).toContain('http-equiv="refresh"')
    expect(page.body).not.toContain('<script')
    const { items } = (await test.app.inject('/demo/mailbox.json')).json()
    expect(items.map(({ to }: { to: string[] }) => to[0])).toEqual(['second@example.test', 'first@example.test'])

    const older = await test.app.inject(`/demo/mailbox?mail=${items[1].id}`)
    expect(older.body).toContain(`src="/demo/mailbox/${items[1].id}"`)
    expect(older.body).toContain('Tan &#60;i&#62;Mei')
    expect(older.body).not.toContain('<i>Mei')
    expect(older.body).toMatch(/<iframe[^>]+sandbox=/)
  })

  it('shows a mail unchanged, and blocks active content', async () => {
    await send('shown@example.test', 'Mei')
    const { id } = await latestMail(test, 'shown@example.test')
    const mail = await test.app.inject(`/demo/mailbox/${id}`)
    const policy = String(mail.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'/)
    // The logo has an absolute address, without TLS in the demo.
    expect(policy).toContain(`img-src data: https: ${test.deps.config.http.publicUrl};`)
    expect(mail.body).toContain('Hello Mei')
    for (const unknownId of ['99999', 'x', '%2e%2e']) {
      expect((await test.app.inject(`/demo/mailbox/${unknownId}`)).statusCode).toBe(404)
    }
  })

  it('does not exist outside the demo', async () => {
    const plain = await buildTestApp()
    for (const path of ['/demo/mailbox', '/demo/mailbox.json', '/demo/mailbox/1']) {
      expect((await plain.app.inject(path)).statusCode).toBe(404)
    }
  })

  async function send(to: string, name: string): Promise<void> {
    const vars = { name, code: '123456', minutes: 15, url: 'http://portal.test/' }
    await addJob(test.deps.db, 'mail:send', { to, template: 'register_code', locale: 'en', vars })
    await latestMail(test, to)
  }
})
