import type { Locator, Page } from '@playwright/test'
import { callAsPage } from '../support/api.ts'
import { holdRequests } from '../support/hold-requests.ts'
import { expect, test } from '../support/journey.ts'
import { button, expectSuccess, field, heading, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'
import { waitForPaint } from '../support/watch.ts'

const manager = 'product@waybill.example'
const operator = 'it@waybill.example'

/** A code that no other journey uses. */
const freshCode = () => `J${Math.random().toString(36).slice(2, 9).toUpperCase()}`

/** Sends requests as a member of staff, whose page is elsewhere. */
async function asStaff(page: Page, email: string) {
  const data = { email, password: 'waybill-demo' }
  const answer = await expectSuccess(page.request.post('/api/staff/auth/login', { data }))
  const { token } = (await answer.json()) as { token: string }
  return async <T>(method: 'get' | 'post' | 'put', path: string, body?: object): Promise<T> => {
    const response = await page.request[method](path, { data: body, headers: { authorization: `Bearer ${token}` } })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
}

const leaving = (page: Page, text: Text) => page.getByRole('dialog', { name: text('unsaved.title') })

async function stay(page: Page, text: Text): Promise<void> {
  await expect(leaving(page, text)).toBeVisible()
  await button(leaving(page, text), text('actions.cancel')).click()
  await expect(leaving(page, text)).toBeHidden()
}

/** The other end of a long form: what its save bar says is read from there as well. */
const scrollTo = (page: Page, end: 'start' | 'end') =>
  page.evaluate((top) => window.scrollTo(0, top), end === 'start' ? 0 : 100_000)

/** The days of transit in the first line of a rate card. */
const transitDays = (page: Page, text: Text): Locator =>
  page.getByRole('textbox', { name: new RegExp(`^${text('fields.transitDays')}`) }).first()

test('unsaved rates are neither lost by going back nor do they replace a colleague’s silently', async ({
  page,
  text,
  someoneElse,
}) => {
  const other = await someoneElse()
  const code = freshCode()
  const send = await asStaff(page, manager)
  const { items } = await send<{ items: { id: string }[] }>('get', '/api/staff/rate-cards?search=STANDARD')
  const body = { fromId: items[0]?.id, code, name: 'Journey' }
  const { id } = await send<{ id: string }>('post', '/api/staff/rate-cards', body)
  for (const each of [page, other]) await startSession(each, manager)
  await page.goto(`/staff/rates?q=${code}`)
  await page
    .getByRole('link', { name: new RegExp(code) })
    .first()
    .click()
  await other.goto(`/staff/rates/${id}`)

  await test.step('a new line has the focus, however long the card is', async () => {
    const line = page.getByRole('row').last().getByRole('textbox').first()
    await expect(line).not.toBeInViewport()
    await button(page, text('ratesPage.addLine')).click()
    await expect(line).toBeFocused()
    await expect(line).toBeInViewport({ ratio: 1 })
    await button(page, text('ratesPage.undo')).click()
  })
  await transitDays(page, text).fill('9')
  await test.step('going back asks first', async () => {
    await page.goBack()
    await stay(page, text)
    await expect(page).toHaveURL(new RegExp(id))
    await expect(transitDays(page, text)).toHaveValue('9')
  })
  await test.step('an empty cell is reported beside it, and gets the focus', async () => {
    await transitDays(page, text).fill('')
    await button(page, text('actions.save')).click()
    await expect(transitDays(page, text)).toBeFocused()
    const message = text('validation.required').replace('%field%', text('fields.transitDays'))
    await expect(page.getByText(message)).toBeVisible()
    await transitDays(page, text).fill('9')
  })
  await test.step('a colleague saves other days', async () => {
    await transitDays(other, text).fill('7')
    await button(other, text('actions.save')).click()
    await expect(other.getByText(text('ratesPage.saved'))).toBeVisible()
  })
  await test.step('saving names the conflict, and keeps the own days', async () => {
    await scrollTo(page, 'end')
    await button(page, text('actions.save')).click()
    await expect(page.getByRole('alert').getByText(text('unsaved.conflict'))).toBeInViewport({ ratio: 1 })
    await expect(transitDays(page, text)).toHaveValue('9')
    await button(page, text('actions.save')).click()
    await expect(page.getByText(text('ratesPage.saved'))).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await other.reload()
    await expect(transitDays(other, text)).toHaveValue('9')
  })
  await test.step('publishing a version that a colleague has changed shows their days instead', async () => {
    await button(other, text('ratesPage.publish')).click()
    const dialog = other.getByRole('dialog')
    await field(dialog, text('fields.validFrom')).fill('2030-01-01')
    await transitDays(page, text).fill('8')
    await button(page, text('actions.save')).click()
    await expect(button(page, text('ratesPage.publish'))).toBeVisible()
    await button(dialog, text('ratesPage.publish')).click()
    const refusal = other.getByRole('alertdialog')
    await expect(refusal).toContainText(text('errors.version_conflict'))
    await button(refusal, text('actions.ok')).click()
    await expect(dialog).toHaveCount(0)
    await expect(transitDays(other, text)).toHaveValue('8')
  })
})

test('two users who change settings at the same time see it, and lose nothing', async ({ page, text, someoneElse }) => {
  const other = await someoneElse()
  const label = (key: string) => text(key)
  const hours = (of: Page) => field(of, label('fields.silenceHours'))
  const claimDays = field(page, label('settingLabel.claimDays'))
  const linkDays = (of: Page) => field(of, label('settingLabel.addressLinkDays'))
  for (const each of [page, other]) {
    await startSession(each, operator)
    await each.goto('/staff/settings?part=delivery')
    await expect(hours(each)).toBeVisible()
  }
  const next = async (input: Locator, step: number) => String(Number(await input.inputValue()) + step)
  const [ownHours, ownDays, otherHours, otherDays] = [
    await next(hours(page), 2),
    await next(claimDays, 1),
    await next(hours(other), 1),
    await next(linkDays(other), 1),
  ]
  await hours(page).fill(ownHours)
  await claimDays.fill(ownDays)
  await test.step('another part of the settings asks first', async () => {
    await button(page, text('settingSection.parcels')).click()
    await stay(page, text)
    await expect(hours(page)).toHaveValue(ownHours)
  })
  await hours(other).fill(otherHours)
  await linkDays(other).fill(otherDays)
  await button(other, text('actions.save')).click()
  await expect(other.getByText(text('settingsPage.saved', { count: 2 }))).toBeVisible()

  await test.step('the conflict names the setting; the other fields are up to date', async () => {
    // The form is longer than the window.
    await page.setViewportSize({ width: 1280, height: 480 })
    await scrollTo(page, 'start')
    await button(page, text('actions.save')).click()
    const notice = page.getByRole('alert')
    await expect(notice).toBeInViewport({ ratio: 1 })
    await expect(notice).toContainText(text('fields.silenceHours'))
    await expect(notice).not.toContainText(text('settingLabel.claimDays'))
    await expect(hours(page)).toHaveValue(ownHours)
    await expect(claimDays).toHaveValue(ownDays)
    await expect(linkDays(page)).toHaveValue(otherDays)
  })
  await button(page, text('actions.save')).click()
  await expect(page.getByText(text('settingsPage.saved', { count: 2 }))).toBeVisible()
  await other.reload()
  await expect(hours(other)).toHaveValue(ownHours)
  await expect(linkDays(other)).toHaveValue(otherDays)
})

test('a dialog keeps what was typed on Escape, and after a colleague’s change', async ({ page, text }) => {
  const code = freshCode()
  const postcode = String(10_000 + Math.floor(Math.random() * 9_000))
  const send = await asStaff(page, manager)
  const area = { country: 'my', postcodeFrom: postcode, postcodeTo: postcode }
  const zone = { code, name: 'Journey', scope: 'domestic', areas: [area] }
  const { id, version } = await send<{ id: string; version: number }>('post', '/api/customer/zone', zone)
  await startSession(page, manager)
  await page.goto(`/staff/zones?q=${code}`)
  const edit = page.getByRole('button', { name: text('phrase.labelled', { label: text('actions.edit'), value: code }) })
  await page.getByRole('row').filter({ hasText: code }).hover()
  await edit.click()
  const dialog = page.getByRole('dialog', { name: text('zonesPage.edit', { code }) })
  const chineseName = field(dialog, text('fields.nameZh'))
  await chineseName.fill('旅程区')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: text('unsaved.closeTitle') })
  await button(question, text('actions.cancel')).click()
  await expect(question).toBeHidden()
  await expect(chineseName).toHaveValue('旅程区')
  await send('put', `/api/customer/zone/${id}`, { version, name: 'Renamed', areas: [area] })
  await button(dialog, text('actions.save')).click()
  await expect(dialog.getByRole('alert')).toHaveText(text('unsaved.conflict'))
  await expect(chineseName).toHaveValue('旅程区')
  await button(dialog, text('actions.save')).click()
  await expect(dialog).toBeHidden()
  const saved = await send<{ name: string; nameZh: string }>('get', `/api/customer/zone/${id}`)
  expect(saved).toMatchObject({ name: 'Journey', nameZh: '旅程区' })
})

test('a selected phone number stays selected while the numbering plans load', async ({ page, text }) => {
  await startSession(page, 'owner@kinabalu.example')
  const plans = '**/assets/min-*.js'
  const release = await holdRequests(page, plans)
  await page.goto('/profile')
  const phone = field(page, text('fields.phone'))
  await phone.focus()
  await phone.selectText()
  const loading = page.waitForResponse(plans)
  release()
  // The page waits for the same module, so it has it when this resolves.
  await page.evaluate((url) => import(url).then(() => undefined), (await loading).url())
  await waitForPaint(page)
  await page.keyboard.type('0123456701')
  await phone.blur()
  await expect(phone).toHaveValue('+60 12 345 6701')
})

test('a profile and its notifications keep the input after a change in another window', async ({ page, text }) => {
  type Profile = { name: string; phone: string | null; language: string; version: number }
  type Preferences = { topics: unknown; quietHours: { from: string; until: string } | null; version: number }
  await startSession(page, 'owner@kinabalu.example')
  const me = await callAsPage(page)
  const path = '/api/customer/auth/profile'
  const before = await me.get<Profile>(path)
  const savePhone = async (phone: string | null) => {
    const { name, language, version } = await me.get<Profile>(path)
    await me.put(path, { name, language, version, phone })
  }
  await test.step('the profile', async () => {
    await page.goto('/profile')
    const phone = field(page, text('fields.phone'))
    await phone.fill('+60 12 345 6701')
    await savePhone('+60123456702')
    const save = button(page, text('actions.save')).first()
    await save.click()
    await expect(page.getByRole('alert')).toHaveText(text('unsaved.conflict'))
    await expect(phone).toHaveValue('+60 12 345 6701')
    await page.getByRole('link', { name: text('closure.title') }).click()
    await stay(page, text)
    await save.click()
    await expect(page.getByText(text('profile.saved'))).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect((await me.get<Profile>(path)).phone).toBe('+60123456701')
    await savePhone(before.phone)
  })
  await test.step('the notifications', async () => {
    const preferences = '/api/customer/notifications/preferences'
    const quiet = { from: '21:00', until: '06:00' }
    await page.goto('/preferences')
    const quietHours = page.getByRole('checkbox', { name: text('notifications.quietHoursOn') })
    await quietHours.check()
    const { version } = await me.get<Preferences>(preferences)
    await me.put(preferences, { channels: [], quietHours: quiet, version })
    const save = button(page, text('notifications.savePreferences'))
    await save.click()
    await expect(page.getByRole('alert')).toHaveText(text('unsaved.conflict'))
    await expect(quietHours).toBeChecked()
    await quietHours.uncheck()
    await save.click()
    await expect(page.getByText(text('preferences.saved'))).toBeVisible()
    await expect(quietHours).not.toBeChecked()
    expect((await me.get<Preferences>(preferences)).quietHours).toBeNull()
  })
})

test('the terms of an account stay in the form when the user returns from another window', async ({ page, text }) => {
  await startSession(page, 'accounts@waybill.example')
  await page.goto('/staff/accounts?tab=corporate')
  await page.getByRole('table').getByRole('link').first().click()
  await button(page, text('terms.change')).click()
  const limit = field(page.getByRole('dialog'), text('companies.limit'))
  await limit.fill('1234.00')
  const refetched = page.waitForResponse((response) => response.url().endsWith('/terms'))
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await refetched
  await expect(limit).toHaveValue('1234.00')
})

test('a secret is completely in its dialog, on a desktop and on a phone', async ({ page, text }) => {
  await startSession(page, 'owner@kinabalu.example')
  await page.goto('/developers')
  await button(page, text('developers.newWebhook')).click()
  const form = page.getByRole('dialog', { name: text('developers.newWebhook') })
  await field(form, text('fields.url')).fill(`https://hooks.example/${freshCode()}`)
  await button(form, text('actions.save')).click()
  const dialog = page.getByRole('dialog', { name: text('developers.yourSecret') })
  await expect(dialog).toBeVisible()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth), `${width} px`).toBe(0)
  }
})

test('a text that a list cuts can be read without a mouse', async ({ page, text }) => {
  await startSession(page, 'accounts@waybill.example')
  await page.goto('/staff/finance?part=shifts')
  const rows = page.getByRole('table').getByRole('row')
  await expect(heading(page, text('financePage.title'))).toBeVisible()
  const reason = 'Two ringgit too much change'
  await expect(rows.filter({ hasText: reason })).toBeVisible()
  const whole = await rows.filter({ hasText: reason }).getByText(reason).textContent()
  const count = await rows.count()
  for (let n = 1; n < count; n += 1) {
    await page.keyboard.press('j')
    if (await rows.nth(n).getByText(reason).count()) break
  }
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog').getByText(whole ?? '', { exact: true })).toBeVisible()
})
