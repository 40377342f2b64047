import { type IdentityProviderPeer, startIdentityProvider } from '../../server/test/testing/peers/identity-provider.ts'
import { type EmptyPortal, signInSuperadmin, startEmptyPortal } from '../support/empty-portal.ts'
import { expect, test } from '../support/journey.ts'
import { button, field, freshAddress, heading, typeCode } from '../support/steps.ts'

/** A separate portal: the setting applies to everybody, and other journeys sign in with passwords. */
let portal: EmptyPortal
let keycloak: IdentityProviderPeer
test.beforeAll(async ({ request }) => {
  portal = await startEmptyPortal()
  keycloak = await startIdentityProvider({
    kind: 'keycloak',
    redirectUri: `${portal.url}/auth/callback`,
    withPage: true,
  })
  const superadmin = await signInSuperadmin(request, portal)
  await superadmin.put('/api/settings', {
    values: {
      'keycloak.issuer': keycloak.issuer,
      'keycloak.clientId': keycloak.clientId,
      'keycloak.clientSecret': keycloak.clientSecret,
      'auth.methods': ['local', 'keycloak'],
    },
  })
})
test.afterAll(async () => {
  await keycloak?.stop()
  await portal?.stop()
})

/** The code that was mailed to an address. */
async function readMailedCode(address: string, knownCode = ''): Promise<string> {
  const { subject } = await portal.mailbox.waitFor(
    ({ to, subject }) => to.includes(address) && /\d{6}/.test(subject) && !(knownCode && subject.includes(knownCode)),
  )
  return /\d{6}/.exec(subject)?.[0] ?? ''
}

test('a customer registers with Keycloak, signs out and signs in again', async ({ page, text, checkAccess }) => {
  const email = freshAddress()
  keycloak.person = { sub: 'a-customer', name: 'Nur Izzati', email, email_verified: true }
  const withKeycloak = () => button(page, text('auth.with', { provider: 'Keycloak' })).click()
  const atProvider = () => page.getByRole('button', { name: 'Continue as Nur Izzati' }).click()

  await page.goto(`${portal.url}/login`)
  await expect(button(page, text('auth.with', { provider: 'Keycloak' }))).toBeVisible()
  await checkAccess(page, 'the ways to sign in')
  await withKeycloak()
  await atProvider()
  await expect(heading(page, text('auth.addressTitle'))).toBeVisible()
  await expect(field(page, text('fields.email'))).toHaveValue(email)
  await checkAccess(page, 'confirming the address')
  await button(page, text('auth.sendCode')).click()
  await expect(heading(page, text('auth.verifyTitle'))).toBeVisible()
  const code = await readMailedCode(email)
  await typeCode(page, text, text('fields.code'), code)
  await page.keyboard.press('Enter')
  await expect(heading(page, text('auth.registerTitle'))).toBeVisible()
  await expect(field(page, text('fields.personName'))).toHaveValue('Nur Izzati')
  await checkAccess(page, 'the profile')
  await field(page, text('fields.phone')).fill('+60123847265')
  await page.getByLabel(text('auth.acceptTerms')).check()
  await button(page, text('auth.registerAction')).click()
  await page.waitForURL('**/dashboard')

  await page.goto(`${portal.url}/profile`)
  await expect(page.getByText(`Keycloak · ${email}`)).toBeVisible()
  await checkAccess(page, 'the profile with an identity')
  await page.getByRole('button', { name: text('nav.account') }).click()
  await button(page, text('auth.signOut')).click()
  await page.waitForURL('**/login')
  await withKeycloak()
  await page.waitForURL('**/dashboard')

  // Without a password, a mailed code confirms the deletion.
  await page.goto(`${portal.url}/profile/delete`)
  const remove = button(page, text('closure.delete'))
  await remove.click()
  await expect(
    page.getByLabel(text('format.digitOf', { label: text('fields.code'), position: 1, count: 6 })),
  ).toBeFocused()
  await button(page, text('auth.sendCode')).click()
  await expect(page.getByText(text('auth.addressCode', { email }))).toBeVisible()
  await checkAccess(page, 'the code for the deletion')
  await typeCode(page, text, text('fields.code'), await readMailedCode(email, code))
  await remove.click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('closure.delete') })
    .click()
  await page.waitForURL('**/login')
})

test('the portal explains a failed sign-in and links back', async ({ page, text }) => {
  keycloak.person = { sub: 'somebody', name: 'Somebody Else', email: freshAddress() }
  keycloak.tamper = (claims) => ({ ...claims, nonce: 'of another sign-in' })
  await page.goto(`${portal.url}/login`)
  await button(page, text('auth.with', { provider: 'Keycloak' })).click()
  await page.getByRole('button', { name: 'Continue as Somebody Else' }).click()
  await expect(page.getByRole('alert')).toContainText(text('errors.provider_answer_nonce', { provider: 'Keycloak' }))
  keycloak.tamper = null
  await page.getByRole('link', { name: text('auth.backToSignIn') }).click()
  await page.waitForURL('**/login')
})

test('a failed sign-in of staff leads back to the sign-in of staff, also after a reload', async ({ page, text }) => {
  keycloak.person = { sub: 'some-staff', name: 'Some Staff', email: freshAddress() }
  keycloak.tamper = (claims) => ({ ...claims, nonce: 'of another sign-in' })
  await page.goto(`${portal.url}/staff/login`)
  await button(page, text('auth.with', { provider: 'Keycloak' })).click()
  await page.getByRole('button', { name: 'Continue as Some Staff' }).click()
  await expect(page.getByRole('alert')).toContainText(text('errors.provider_answer_nonce', { provider: 'Keycloak' }))
  keycloak.tamper = null
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(text('errors.provider_state'))
  await page.getByRole('link', { name: text('auth.backToSignIn') }).click()
  await page.waitForURL('**/staff/login')
})
