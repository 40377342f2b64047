import { expect, type Page } from '@playwright/test'
import { freshAddress } from './journey.ts'
import { authorization } from './other-device.ts'
import { password, pin, sender, sendPatiently, storeSession } from './steps.ts'

/*
 * Newcomers whose account, credits and PIN are made by the API. For journeys about something else: the screens of all
 * three are in ships-a-parcel, at every width and in both languages. Nine journeys that begin here took 32 s of CPU
 * time instead of 48 s.
 */

type CodeTo = (address: string, kind: string) => Promise<string>

/** An individual opens an account; the page is signed in and then to be opened. Answers the email address. */
export async function startNewcomer(page: Page, codeTo: CodeTo, language: string, name = sender.name): Promise<string> {
  const email = freshAddress()
  const person = { userType: 'customer', name, email, phone: '+60123456789', password }
  const headers = { 'accept-language': language === 'cn_zh' ? 'zh-CN' : 'en' }
  const post = (path: string, data: object) =>
    sendPatiently(page, () => page.request.post(`/api/customer/auth/${path}`, { headers, data }))
  const { browserToken } = (await (await post('register', { ...person, language, acceptTerms: true })).json()) as {
    browserToken: string
  }
  const code = await codeTo(email, 'register_code')
  await storeSession(page, await (await post('register/verify', { code, browserToken })).json())
  return email
}

/** The newcomer pays 150 ringgit at the bank and sets a PIN. */
export async function fundWallet(page: Page, codeTo: CodeTo, email: string): Promise<void> {
  const { request } = page
  const headers = await authorization(page)
  const wallet = '/api/customer/wallets'
  const post = async <T>(path: string, data: object): Promise<T> => {
    const answer = await request.post(`${wallet}/${path}`, { headers, data })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as T
  }
  type GatewayForm = { action: string; fields: Record<string, string> }
  const { action, fields } = await post<GatewayForm>('topup', { amountMinor: 15_000 })
  await request.post(action, { form: fields })
  const RefNo = fields.RefNo ?? ''
  await request.post(new URL('decide.asp', new URL(action, page.url())).href, { form: { RefNo, choice: 'pay' } })

  const purpose = 'wallet_pin_set'
  await post('otp', { purpose })
  const { ticket } = await post<{ ticket: string }>('otp/verify', { purpose, otp: await codeTo(email, 'wallet_otp') })
  await post('pin/set', { pin, ticket })
  const balance = async () => (await (await request.get(wallet, { headers })).json()).balanceMinor
  await expect.poll(balance, { intervals: [50] }).toBe(15_000)
}
