import { createHmac } from 'node:crypto'
import { type EmptyPortal, signInSuperadmin, startEmptyPortal, superadmin } from '../support/empty-portal.ts'
import { expect, test } from '../support/journey.ts'
import { button, field, heading, password, typeCode } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

/** The code that an authenticator app shows for a typed key (RFC 6238). */
function appCode(key: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...key].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.readUInt8(19) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** A separate portal: the setting applies to all staff, and other journeys sign in without a second factor. */
let portal: EmptyPortal
test.beforeAll(async ({ request }) => {
  portal = await startEmptyPortal()
  const api = await signInSuperadmin(request, portal)
  await api.put('/api/settings', { values: { 'auth.staffSecondFactor': 'required' } })
})
test.afterAll(async () => portal?.stop())

test('staff set up an app, sign in with a recovery code, and move to another phone', async ({
  page,
  text,
  checkAccess,
}) => {
  await typePassword(page, text)
  await expect(heading(page, text('factor.setupTitle'))).toBeVisible()
  await expect(page.getByRole('img', { name: text('factor.qrLabel') })).toBeVisible()
  await checkAccess(page, 'setting up')
  const key = await shownKey(page)
  await typeCode(page, text, text('fields.code'), appCode(key))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: text('factor.codesTitle') })).toBeFocused()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
    document.execCommand = () => false
  })
  await button(page, text('factor.copyCodes')).click()
  const firstCode = (await page.getByRole('listitem').first().textContent()) ?? ''
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toContain(firstCode)
  await checkAccess(page, 'recovery codes')
  const codes = await page.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await button(page, text('factor.kept')).click()
  await page.waitForURL((url) => /^\/staff(?!\/login)/.test(url.pathname))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await button(page, text('nav.account')).click()
  await button(page, text('auth.signOut')).click()
  await page.waitForURL('**/staff/login')
  await typePassword(page, text)
  await expect(heading(page, text('factor.askTitle'))).toBeVisible()
  await checkAccess(page, 'the form for the code')
  await button(page, text('factor.useRecovery')).click()
  await field(page, text('factor.recoveryCode')).fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => /^\/staff(?!\/login)/.test(url.pathname))

  await page.goto(`${portal.url}/staff/profile`)
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: text('factor.title') }) })
  await section.getByLabel(text('fields.currentPassword')).first().fill(password)
  await field(section, text('fields.factorCode')).fill(codes[1] ?? '')
  await button(section, text('factor.change')).click()
  await expect(section.getByRole('img', { name: text('factor.qrLabel') })).toBeVisible()
  const next = await shownKey(page)
  expect(next).not.toBe(key)
  await typeCode(section, text, text('fields.code'), appCode(next))
  await page.keyboard.press('Enter')
  await expect(section.getByRole('listitem')).toHaveCount(10)
  await button(section, text('factor.kept')).click()
  await expect(page.getByText(text('factor.changed'))).toBeVisible()
})

type Page = Parameters<typeof heading>[0]

async function typePassword(page: Page, text: Text): Promise<void> {
  await page.goto(`${portal.url}/staff/login`)
  await field(page, text('fields.email')).fill(superadmin.email)
  await page.getByLabel(text('fields.password')).first().fill(password)
  await button(page, text('auth.signIn')).click()
}

/** The key below the QR code, as a user types it into an app. */
async function shownKey(page: Page): Promise<string> {
  const secret = page.getByText(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
  return ((await secret.textContent()) ?? '').replaceAll(' ', '')
}
