import { locales } from '@waybill/contract/ground/constants'
import { textColourOn } from '@waybill/contract/ground/look/colour'
import { putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { startMailbox } from '../../src/demo/peers/mailbox/mailbox.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { sendMail } from '../../src/jobs/send-mail.ts'
import { loadTranslations } from '../../src/lib/i18n.ts'
import { renderMail } from '../../src/lib/mail/template.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { latestMail } from '../testing/factories/newcomers.ts'

const brand = {
  appName: 'Waybill',
  companyName: 'Kurier <b>& Söhne</b>',
  imprint: {
    address: '1 Jalan Besar\n50000 Kuala Lumpur',
    registrationNumber: null,
    taxNumber: null,
    phone: null,
    email: null,
  },
  logoUrl: null,
  colour: '#e82023',
}
const vars = { name: '<script>alert(1)</script>', code: '012345', minutes: 15, url: 'https://x.test/?a=1&b="2"' }

describe('emails', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
    token = (await createStaff(test, { type: 'superadmin' })).token
  })

  const queue = (to: string) =>
    addJob(test.deps.db, 'mail:send', { to, template: 'register_code', locale: 'en', vars: { ...vars, name: 'Mei' } })

  it('carry the settings of the deployment', async () => {
    const values = {
      'company.name': 'Kurier',
      'company.registrationNumber': '202001012345',
      'company.taxNumber': 'W10-1808',
      'company.phone': '+60321610000',
      'company.email': 'help@kurier.test',
      'mail.fromName': 'Kurier post',
      'mail.fromAddress': 'post@kurier.test',
      'ui.primaryColour': '#123456',
    }
    expect((await test.call(putSettings, { token, body: { values } })).status).toBe(200)
    await queue('brand@example.test')
    const mail = await latestMail(test, 'brand@example.test')
    expect(mail.from).toBe('post@kurier.test')
    expect(mail.text).toContain('registering with Kurier')
    expect(mail.html).toContain('#123456')
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('Reg. no. 202001012345')
      expect(part).toContain('Tax no. ')
      expect(part).toContain('+60 3 2161 0000')
      expect(part).toContain(' · help@kurier.test')
    }
  })

  it('begin with a preview of their text, and no number breaks at the end of a line', () => {
    const t = loadTranslations()('en')
    const facts = { amount: 'RM 12.00', order: 'ORD1', bankReference: 'MBB20261124-99120047', url: 'https://x.test/' }
    const { html } = renderMail('refund_done', { name: 'Mei', ...facts }, brand, t, 'en')
    expect(html).toMatch(/<body[^>]*>\s*<div style="display:none[^>]*>We have refunded RM 12.00 for order ORD1/)
    expect(html).toContain('<span style="white-space:nowrap">MBB20261124-99120047</span>')
    expect(html.match(/class="button"/g)).toHaveLength(1)
  })

  it('carry the number of their job, so that a duplicate can be recognised', async () => {
    await queue('twice@example.test')
    const first = await latestMail(test, 'twice@example.test')
    expect(first.messageId).toMatch(/^<job-\d+-\d+@portal\.test>$/)
    await test.settle()
    const job = { id: '77', createdAt: new Date('2026-01-02T03:04:05Z'), attempt: 1 }
    const payload = { to: 'again@example.test', template: 'register_code', locale: 'en', vars } as const
    // The email was sent, but the process crashed before it could record that.
    await sendMail(test.deps, payload, job)
    await sendMail(test.deps, payload, job)
    const ids = test.mailbox.mails().flatMap((mail) => (mail.to.includes(payload.to) ? [mail.messageId] : []))
    expect(ids).toEqual(Array(2).fill('<job-77-1767323045000@portal.test>'))
    await sendMail(test.deps, payload, { ...job, id: '78' })
    expect((await latestMail(test, payload.to)).messageId).toBe('<job-78-1767323045000@portal.test>')
  })

  it('wait while the mail server is unavailable and are sent once it is back', async () => {
    const peer = await startMailbox()
    const port = Number(new URL(peer.url).port)
    await peer.stop()
    const values = { 'mail.host': '127.0.0.1', 'mail.port': port }
    await test.call(putSettings, { token, body: { values } })
    await queue('patient@example.test')
    const queryLastError = sql<{ last_error: string }>`
      select last_error from graphile_worker.jobs where task_identifier = 'mail:send' and attempts = 1
        and locked_at is null`
    await expect
      .poll(async () => (await queryLastError.execute(test.deps.db)).rows[0]?.last_error, { timeout: 10_000 })
      .toContain('ECONNREFUSED')

    const back = await startMailbox(port)
    // Its next attempt is due in a few seconds; move it to now.
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db)
    await test.settle()
    expect(back.mails().map(({ to }) => to)).toEqual([['patient@example.test']])
    await test.settle()
    expect(back.mails()).toHaveLength(1)
    await back.stop()
    await test.call(putSettings, { token, body: { values: { 'mail.host': null } } })
  })

  it('fail with an error for an unknown template', () => {
    const t = loadTranslations()('en')
    expect(() => renderMail('no_such', {}, brand, t, 'en')).toThrow('no_such')
  })
})

describe('the texts of emails', () => {
  const t = loadTranslations()

  it.each(
    locales.flatMap((locale) =>
      ['register_code', 'register_known', 'reset_password', 'password_changed'].map((name) => [locale, name] as const),
    ),
  )('in %s, %s: contain every value, and no value becomes HTML', (locale, template) => {
    const mail = renderMail(template, vars, brand, t(locale), locale)
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\{\{|undefined|mail\./)
    expect(mail.html).not.toContain('<script>alert')
    expect(mail.html).not.toContain('<b>&')
    expect(mail.html).toContain('href="https://x.test/?a=1&#38;b=&#34;2&#34;"')
    expect(mail.text).toContain('https://x.test/?a=1&b="2"')
    expect(mail.subject).not.toMatch(/[\r\n]/)
  })

  it('have the punctuation and spaces of their language', () => {
    const latin = { ...brand, companyName: 'Söhne Sdn. Bhd.' }
    const code = (locale: 'en' | 'cn_zh') =>
      renderMail('register_code', { ...vars, code: '123456', minutes: 30 }, latin, t(locale), locale).text
    expect(code('en')).toContain(`${t('en')('mail.common.code')}: 123456`)
    expect(code('cn_zh')).toContain(`${t('cn_zh')('mail.common.code')}：123456`)
    expect(code('cn_zh')).toContain(' 30 分钟')
    expect(code('cn_zh')).toContain(`在 ${latin.companyName} 注册`)
  })

  it('on buttons are readable on any background colour', () => {
    expect(textColourOn('#e82023')).toBe('#ffffff')
    expect(textColourOn('#000000')).toBe('#ffffff')
    expect(textColourOn('#ffd166')).toBe('#000000')
    expect(textColourOn('#ffffff')).toBe('#000000')
  })
})
