import { createServer } from 'node:net'
import { type GatewayForm, getPayment } from '@waybill/contract/payments/payments'
import { getWallet, topUp } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('the simulated bank of the demo', () => {
  let test: TestApp
  let portal: string
  beforeAll(async () => {
    const port = await freePort()
    portal = `http://127.0.0.1:${port}`
    test = await buildTestApp({ DEMO: 'on', PUBLIC_URL: portal })
    await test.app.listen({ host: '127.0.0.1', port })
  })

  const begin = async (customer: TestCustomer, amountMinor = 123_456) =>
    (await test.call(topUp, { token: customer.token, body: { amountMinor } })).body
  /** Posts a form over HTTP, as a browser does. */
  const post = (url: string, fields: Record<string, string>, language = 'en') =>
    fetch(new URL(url, portal), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'accept-language': language },
      redirect: 'manual',
    })
  const readHiddenFields = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
        name,
        value.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
      ]),
    )
  const decide = async ({ fields }: GatewayForm, choice: string) => {
    const page = await (await post('/simulated-bank/decide.asp', { RefNo: fields.RefNo ?? '', choice })).text()
    return { page, action: /action="([^"]*)"/.exec(page)?.[1] ?? '', answer: readHiddenFields(page) }
  }
  const readPayment = async ({ token }: TestCustomer, { paymentId }: GatewayForm) =>
    (await test.call(getPayment, { token, params: { id: paymentId } })).body
  const readBalance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor

  it('shows the amount, says that it is a simulation, and has both languages', async () => {
    const form = await begin(await createCustomer(test, { name: '<b>Mei</b>' }))
    expect(form.action).toBe(`${portal}/simulated-bank/entry.asp`)
    const answer = await post(form.action, form.fields)
    expect(answer.status).toBe(200)
    const page = await answer.text()
    expect(page).toContain('Simulated bank (demo)')
    expect(page).toContain('MYR 1,234.56')
    expect(page).not.toContain('<b>Mei</b>')
    expect(page).not.toMatch(/<script(?! src)/)
    expect(await (await post(form.action, form.fields, 'zh-CN')).text()).toContain('模拟银行（演示）')
  })

  it('notifies the server of the payment, and redirects the browser to the payment', async () => {
    const customer = await createCustomer(test)
    const form = await begin(customer)
    await post(form.action, form.fields)
    const { action, answer, page } = await decide(form, 'pay')
    expect(page).toContain('/simulated-bank/continue.js')
    const redirect = await post(action, answer)
    expect(redirect.status).toBe(303)
    expect(redirect.headers.get('location')).toBe(`${portal}/payments/${form.paymentId}`)
    expect(await readPayment(customer, form)).toMatchObject({ status: 'succeeded' })
    expect(await readBalance(customer)).toBe(123_456)
  })

  it('notifies the server even if the browser never comes back', async () => {
    const customer = await createCustomer(test)
    const form = await begin(customer)
    await post(form.action, form.fields)
    await decide(form, 'pay')
    await expect.poll(() => readBalance(customer), { timeout: 10_000 }).toBe(123_456)
  })

  it.each([
    ['fail', 'Your bank declined the payment'],
    ['cancel', 'You cancelled the payment'],
  ])('lets the user end a payment without paying: %s', async (choice, words) => {
    const customer = await createCustomer(test)
    const form = await begin(customer)
    await post(form.action, form.fields)
    const { action, answer } = await decide(form, choice)
    expect((await post(action, answer)).status).toBe(303)
    const finalPayment = await readPayment(customer, form)
    expect(finalPayment.status).toBe('failed')
    expect(finalPayment.failure).toContain(words)
    // The first decision is final.
    const second = await decide(form, 'pay')
    expect(second.answer.Status).toBe('0')
    expect(await (await post(form.action, form.fields)).text()).toContain('Duplicate reference number')
  })

  it('refuses requests as the real bank does', async () => {
    const { fields, action } = await begin(await createCustomer(test))
    const refusals: [string, Record<string, string>][] = [
      ['Signature not match', { ...fields, Amount: '0.01' }],
      ['Signature not match', { ...fields, SignatureType: 'SHA256' }],
      ['Invalid merchant', { ...fields, MerchantCode: 'M00004' }],
      ['Invalid parameters', { ...fields, Amount: 'much' }],
      ['Invalid parameters', { ...fields, ProdDesc: '' }],
      ['Permission not allow (referrer not registered)', { ...fields, BackendURL: 'http://elsewhere.example/' }],
    ]
    for (const [words, form] of refusals) {
      const answer = await post(action, form)
      expect(answer.status, words).toBe(400)
      expect(await answer.text()).toContain(words)
    }
    expect((await post('/simulated-bank/decide.asp', { RefNo: 'P1', choice: 'pay' })).status).toBe(400)
    expect((await post('/simulated-bank/decide.asp', { RefNo: fields.RefNo ?? '', choice: 'steal' })).status).toBe(400)
  })

  it('answers re-queries by GET and POST with the texts of the real bank', async () => {
    const form = await begin(await createCustomer(test))
    const { MerchantCode = '', RefNo = '', Amount = '' } = form.fields
    const ask = async (fields: Record<string, string>) => (await post('/simulated-bank/enquiry.asp', fields)).text()
    expect(await ask({ MerchantCode, RefNo, Amount })).toBe('Record not found')
    await post(form.action, form.fields)
    expect(await ask({ MerchantCode, RefNo, Amount })).toBe('Record not found')
    await decide(form, 'pay')
    expect(await ask({ MerchantCode, RefNo, Amount })).toBe('00')
    expect(await ask({ MerchantCode, RefNo, Amount: '1.00' })).toBe('Incorrect amount')
    expect(await ask({ MerchantCode, RefNo })).toBe('Invalid parameters')
    const query = new URLSearchParams({ MerchantCode, RefNo, Amount })
    expect(await (await fetch(`${portal}/simulated-bank/enquiry.asp?${query}`)).text()).toBe('00')
  })

  it('does not exist outside the demo', async () => {
    const real = await buildTestApp()
    expect((await real.app.inject({ method: 'POST', url: '/simulated-bank/entry.asp' })).statusCode).toBe(404)
  })
})
