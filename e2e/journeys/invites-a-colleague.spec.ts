import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { button, field, freshAddress, heading, password, startSession, typeCode } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

const newPassword = 'a louder evening at the counter'

/** Ends on the sign-in page of staff. */
async function choosePassword(page: Page, text: Text, secret: string): Promise<void> {
  await page.getByLabel(text('fields.newPassword')).first().fill(secret)
  await button(page, text('auth.resetAction')).click()
  await expect(heading(page, text('auth.resetDone'))).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: text('auth.signIn'), exact: true })
    .click()
  await page.waitForURL('**/staff/login')
}

test('an administrator invites a colleague, who signs in and sees the page of their role', async ({
  page,
  text,
  language,
  request,
  baseURL,
  someoneElse,
  codeTo,
  checkAccess,
}) => {
  const email = freshAddress()
  const name = 'Farah Nordin'
  await startSession(page, 'admin@waybill.example')

  await test.step('the administrator invites marketing staff', async () => {
    await page.goto('/staff/team')
    await expect(heading(page, text('teamPage.title'))).toBeVisible()
    await button(page, text('teamPage.invite')).click()
    const dialog = page.getByRole('dialog', { name: text('teamPage.inviteTitle') })
    await field(dialog, text('fields.personName')).fill(name)
    await field(dialog, text('fields.email')).fill(email)
    const role = dialog.getByLabel(text('teamPage.role'))
    // Nobody can assign a rank above their own.
    await expect(role.locator('option[value="superadmin"]')).toHaveCount(0)
    await role.selectOption('e_marketing')
    await dialog.getByRole('radio', { name: language === 'en' ? 'English' : '中文' }).check()
    await checkAccess(page, 'inviting')
    await button(dialog, text('usersPage.invite')).click()
    await expect(page.getByText(text('usersPage.invitedTo', { email }))).toBeVisible()
    await page.getByRole('searchbox').fill(email)
    await page.keyboard.press('Enter')
    const row = page.locator('tbody tr').filter({ hasText: name })
    await expect(row.getByText(text('usersPage.invited'), { exact: true })).toBeVisible()
  })

  const colleague = await someoneElse()
  await test.step('the colleague chooses a password with the mailed link', async () => {
    let link: string | undefined
    await expect
      .poll(async () => {
        const mails = await (await request.get(`${baseURL}/demo/mailbox.json`)).json()
        const items = (mails as { items: { to: string[]; text: string }[] }).items
        const mail = items.find(({ to }) => to.includes(email))
        link = /\/reset-password\?\S+/.exec(mail?.text ?? '')?.[0]
        return link
      })
      .toBeDefined()
    await colleague.goto(link ?? '')
    await expect(heading(colleague, text('auth.firstTitle'))).toBeVisible()
    await choosePassword(colleague, text, password)
  })

  await test.step('the colleague forgets the password, and stays on the pages of staff', async () => {
    await colleague.getByRole('link', { name: text('auth.forgot') }).click()
    await expect(heading(colleague, text('auth.forgotTitle'))).toBeVisible()
    const back = colleague.getByRole('link', { name: text('auth.backToSignIn') })
    // The header is that of their sign-in page, not that of visitors.
    await expect(colleague.getByRole('banner').getByRole('navigation').getByRole('link')).toHaveCount(0)
    await expect(back).toHaveAttribute('href', '/staff/login')
    await field(colleague, text('fields.email')).fill(email)
    await button(colleague, text('auth.sendCode')).click()
    await expect(heading(colleague, text('auth.resetTitle'))).toBeVisible()
    await expect(back).toHaveAttribute('href', '/staff/login')
    await typeCode(colleague, text, text('fields.code'), await codeTo(email, 'reset_password'))
    await choosePassword(colleague, text, newPassword)
  })

  await test.step('the colleague signs in and sees only the work of the role', async () => {
    await field(colleague, text('fields.email')).fill(email)
    await colleague.getByLabel(text('fields.password')).first().fill(newPassword)
    await button(colleague, text('auth.signIn')).click()
    await expect(heading(colleague, text('nav.staffHome'))).toBeVisible()
    const tiles = colleague.getByRole('main').getByRole('listitem')
    await expect(tiles).toHaveText([text('nav.content')])
    await checkAccess(colleague, 'console of the marketing staff')
    await tiles.getByRole('link').click()
    await expect(heading(colleague, text('contentPage.title'))).toBeVisible()
    await colleague.goto('/staff/team')
    await expect(colleague.getByText(text('list.forbidden'))).toBeVisible()
  })

  await test.step('the colleague publishes a banner', async () => {
    const title = `Free gift wrapping ${Date.now()}`
    await colleague.goto('/staff/content')
    await button(colleague, text('actions.new')).first().click()
    const dialog = colleague.getByRole('dialog')
    await field(dialog, text('contentPage.titleEn')).fill(title)
    await field(dialog, text('contentPage.titleZh')).fill('免费礼品包装')
    const preview = dialog.getByRole('region', { name: text('contentPage.preview') })
    await expect(preview.getByText(title)).toBeVisible()
    await expect(preview.getByText('免费礼品包装')).toBeVisible()
    // A script is refused as a link, in the preview and on saving. A link to another site shows its host.
    const link = field(dialog, text('contentPage.link'))
    await link.fill('javascript:alert(1)')
    await expect(preview.getByRole('link')).toHaveCount(0)
    await button(dialog, text('actions.save')).click()
    await expect(link).toBeFocused()
    await link.fill('https://partner.example/wrapping')
    await expect(preview.getByRole('link', { name: /partner\.example/ })).toHaveCount(2)
    // Before the banners of the demo.
    await field(dialog, text('contentPage.position')).fill('-1')
    await checkAccess(colleague, 'a new banner')
    await button(dialog, text('actions.save')).click()
    await expect(colleague.getByText(text('contentPage.saved', { title }))).toBeVisible()
    const answer = await request.get('/api/customer/banners')
    expect(JSON.stringify(await answer.json())).toContain(title)
    // Customers see three banners. The list marks the others as not shown.
    await expect(colleague.getByText(text('contentPage.notShown')).first()).toBeVisible()
    // Other journeys share the home page.
    await colleague
      .getByRole('button', { name: text('phrase.labelled', { label: text('actions.remove'), value: title }) })
      .click()
    await button(colleague.getByRole('dialog').last(), text('actions.remove')).click()
    await expect(colleague.getByText(text('contentPage.removed', { title }))).toBeVisible()
  })

  await test.step('the administrator suspends the colleague, whose session ends immediately', async () => {
    await page
      .getByRole('button', { name: text('phrase.labelled', { label: text('actions.view'), value: name }) })
      .click()
    const view = page.getByRole('dialog', { name })
    await expect(view.getByText(text('action.content.created'))).toBeVisible()
    await checkAccess(page, 'a member of staff')
    await button(view, text('actions.suspend')).click()
    await button(page.getByRole('dialog').last(), text('actions.suspend')).click()
    await expect(page.getByText(text('usersPage.is.inactive', { name }))).toBeVisible()
    await colleague.goto('/staff/content')
    const expired = colleague.getByRole('dialog', { name: text('auth.expired') })
    await expired.getByLabel(text('fields.password')).first().fill(newPassword)
    await button(expired, text('auth.goOn')).click()
    await expect(expired.getByText(text('errors.account_suspended_staff'))).toBeVisible()
  })
})
