import { expect, type Page } from '@playwright/test'
import type { Locale } from '@waybill/contract/ground/constants'
import { callAsPage } from './api.ts'
import { expectSuccess, freshAddress, password, pin, sender, storeSession } from './steps.ts'

/*
 * New customers whose account, credits and PIN are created through the API, for journeys about something else. The
 * screens of all three are covered by ships-a-parcel, at every width and in both languages. Nine journeys that begin
 * here took 32 s of CPU time instead of 48 s.
 */

type CodeTo = (address: string, kind: string) => Promise<string>

/** Opens an individual's account and signs the page in, which must then be opened. Returns the email address. */
export async function openAccount(page: Page, codeTo: CodeTo, language: Locale, name = sender.name): Promise<string> {
  const email = freshAddress()
  const person = { userType: 'customer', name, email, phone: '+60123456789', password }
  const headers = { 'accept-language': language === 'cn_zh' ? 'zh-CN' : 'en' }
  const post = (path: string, data: object) =>
    expectSuccess(page.request.post(`/api/customer/auth/${path}`, { headers, data }))
  const { browserToken } = (await (await post('register', { ...person, language, acceptTerms: true })).json()) as {
    browserToken: string
  }
  const code = await codeTo(email, 'register_code')
  await storeSession(page, await (await post('register/verify', { code, browserToken })).json())
  return email
}

/** The signed-in customer pays 150 ringgit into the wallet at the bank. */
export async function topUpAtBank(page: Page): Promise<void> {
  const { request } = page
  const customer = await callAsPage(page)
  const wallet = '/api/customer/wallets'
  const getBalance = async () => (await customer.get<{ balanceMinor: number }>(wallet)).balanceMinor
  const before = await getBalance()
  type BankForm = { action: string; fields: Record<string, string> }
  const { action, fields } = await customer.post<BankForm>(`${wallet}/topup`, { amountMinor: 15_000 })
  await request.post(action, { form: fields })
  const RefNo = fields.RefNo ?? ''
  await request.post(new URL('decide.asp', new URL(action, page.url())).href, { form: { RefNo, choice: 'pay' } })
  await expect.poll(getBalance, { intervals: [50] }).toBe(before + 15_000)
}

/** The customer tops up the wallet and sets a PIN. */
export async function fundWallet(page: Page, codeTo: CodeTo, email: string): Promise<void> {
  await topUpAtBank(page)
  const customer = await callAsPage(page)
  const wallet = '/api/customer/wallets'
  const purpose = 'wallet_pin_set'
  await customer.post(`${wallet}/otp`, { purpose })
  const proof = { purpose, otp: await codeTo(email, 'wallet_otp') }
  const { ticket } = await customer.post<{ ticket: string }>(`${wallet}/otp/verify`, proof)
  await customer.post(`${wallet}/pin/set`, { pin, ticket })
}
