import type { APIRequestContext, Page } from '@playwright/test'
import { cleanUp } from '../../server/test/testing/after-use.ts'
import { startPushService } from '../../server/test/testing/peers/push-service.ts'
import { callAsDemoUser } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { acceptAtCounter, payCompanyParcels } from '../support/parcels.ts'
import { button, startSession } from '../support/steps.ts'
import type { Text } from '../support/texts.ts'

test.use({ serviceWorkers: 'allow' })

type Parcel = {
  trackingNumber: string
  status: string
  receiver: { contactName: string; line1: string; postcode: string; phone: string }
}

/** A parcel of the demo whose sender is Aisyah. */
async function findParcel(request: APIRequestContext, tab: string, status: string): Promise<Parcel> {
  const aisyah = await callAsDemoUser(request, 'aisyah@example.com')
  const { items } = await aisyah.get<{ items: Parcel[] }>(`/api/customer/parcels?tab=${tab}&limit=200`)
  const parcel = items.find((each) => each.status === status) ?? items[0]
  if (!parcel) throw new Error(`the demo has no parcel in ${tab}`)
  return parcel
}

async function unlock(page: Page, text: Text, postcode: string, digits: string): Promise<void> {
  await page.getByLabel(text('trackPage.unlock.postcode')).fill(postcode)
  await page.getByLabel(text('trackPage.unlock.phoneDigits')).fill(digits)
  await page.getByLabel(text('trackPage.unlock.phoneDigits')).press('Enter')
}

test('a receiver unlocks the proof of delivery', async ({ page, text, request, checkAccess }) => {
  const { trackingNumber, receiver } = await findParcel(request, 'delivered', 'completed')
  await page.goto(`/public/track-parcels?no=${trackingNumber}`)
  const open = button(page, text('trackPage.unlock.open'))
  await open.focus()
  await open.press('Enter')
  await expect(page.getByText(receiver.line1)).toBeHidden()
  await unlock(page, text, '00000', '0000')
  await expect(page.getByRole('alert')).toContainText(text('errors.unlock_wrong'))
  await unlock(page, text, receiver.postcode, receiver.phone.slice(-4))
  await expect(page.getByText(receiver.line1)).toBeVisible()
  await expect(page.getByRole('heading', { name: text('trackPage.unlock.proof') })).toBeVisible()
  await checkAccess(page, 'an unlocked proof of delivery')
  // The entered values are stored neither in the URL nor in the browser.
  expect(page.url()).not.toContain(receiver.postcode)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
    receiver.postcode,
  )
  await page.reload()
  await expect(page.getByText(receiver.line1)).toBeHidden()
})

test('a visitor reads the app name, although the page loads no settings', async ({ page, text }) => {
  // The deployment's own name would change for every other journey: this page alone is served with another one.
  await page.route('**/public/track-parcels', async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace(/<title>.*<\/title>/, '<title>R&#38;D Kurier</title>')
    await route.fulfill({ response, body: html })
  })
  await page.goto('/public/track-parcels')
  await expect(page).toHaveTitle(`${text('trackPage.title')} · R&D Kurier`)
  await expect(page.getByRole('banner').getByText('R&D Kurier', { exact: true })).toBeVisible()
})

test('a visitor keeps the chosen language and colours, although the page clears the storage', async ({
  browser,
  baseURL,
}) => {
  // Not the usual page, which stores a language each time it loads.
  const options = { serviceWorkers: 'block', ...(baseURL ? { baseURL } : {}) } as const
  const page = await (await browser.newContext(options)).newPage()
  await page.goto('/public/prices')
  await page.evaluate(() => localStorage.setItem('scheme', 'dark'))
  await page.goto('/public/track-parcels')
  await button(page, '中文').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.reload()
  await expect(button(page, 'English')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  await page.goto('/login')
  await expect(button(page, 'English')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.context().close()
})

test('a visitor reads the expected day, which breaks only at its space', async ({ page, text, request }) => {
  const { trackingNumber } = await findParcel(request, 'moving', 'delivering')
  await page.goto(`/public/track-parcels?no=${trackingNumber}`)
  const day = page.getByText(text('trackPage.expected'), { exact: true }).locator('xpath=following-sibling::dd')
  await expect(day).toContainText(/\d/)
  // A line of Chinese may end between any two characters, unless a word joiner is there.
  await expect(day).not.toContainText(/\d[年月日]|[年月]\d/)
})

test('the map of a parcel shows the same places as the list next to it', async ({
  page,
  text,
  request,
  checkAccess,
}) => {
  const { trackingNumber } = await findParcel(request, 'delivered', 'completed')
  await page.goto(`/public/track-parcels?no=${trackingNumber}`)
  await button(page, text('trackPage.map.open')).click()
  const places = page.getByRole('list', { name: text('places.list') }).getByRole('listitem')
  await expect(places.first()).toBeVisible()
  await expect(page.getByRole('region', { name: text('places.mapOf') })).toBeVisible()
  await checkAccess(page, 'the map of a parcel')
})

test('a visitor follows a parcel by email and stops with one click', async ({ page, text, request, checkAccess }) => {
  const { trackingNumber } = await findParcel(request, 'moving', 'delivering')
  const email = `follower-${Date.now()}@example.com`
  await page.goto(`/public/track-parcels?no=${trackingNumber}`)
  await button(page, text('trackPage.follow.open')).click()
  await page.getByLabel(text('trackPage.follow.email')).fill(email)
  await checkAccess(page, 'following by email')
  await button(page, text('trackPage.follow.submit')).click()
  await expect(page.getByText(text('trackPage.follow.sent', { email }))).toBeVisible()

  const link = await linkTo(request, email)
  await page.goto(link)
  await button(page, text('followPage.confirm')).click()
  await expect(page.getByText(text('followPage.confirmedText'))).toBeVisible()
  await page.goto(link)
  await checkAccess(page, 'the page that ends following')
  await button(page, text('followPage.stop')).click()
  await expect(page.getByText(text('followPage.stoppedText'))).toBeVisible()
  await page.goto(link)
  await expect(page.getByText(text('followPage.dead'))).toBeVisible()
})

test('a visitor follows a parcel with this browser and stops with one click', async ({
  page,
  text,
  request,
  checkAccess,
}) => {
  const key = (await (await request.get('/api/public/parcels/tracking/follow/push')).json()) as { publicKey: string }
  const service = await startPushService(() => key.publicKey)
  const [number = ''] = await payCompanyParcels(request, 1)
  await subscribeAt(page, service.subscribe())
  await page.goto(`/public/track-parcels?no=${number}`)
  await button(page, text('trackPage.follow.open')).click()
  const follow = button(page, text('notifications.followParcel'))
  await expect(follow).toBeVisible()
  expect(await page.evaluate(() => document.body.dataset.permissionRequests)).toBeUndefined()
  await follow.click()
  await expect(page.getByText(text('trackPage.follow.browserOn'))).toBeVisible()
  expect(await page.evaluate(() => document.body.dataset.permissionRequests)).toBe('1')
  await checkAccess(page, 'following with this browser')

  await acceptAtCounter(request, number)
  await expect
    .poll(() => service.received.map(({ message }) => message.path))
    .toEqual([`/public/track-parcels?no=${number}`])

  // The page of a followed parcel shows the button immediately.
  await page.reload()
  const ended = page.waitForResponse((response) => response.request().method() === 'POST')
  await button(page, text('followPage.stop')).click()
  expect((await ended).status()).toBe(200)
  await expect(page.getByText(text('trackPage.follow.browserOff'))).toBeVisible()
  await expect(follow).toBeVisible()
  await cleanUp()
})

/** Grants the permission and subscribes at the push service of the tests, because a real one needs the internet. */
async function subscribeAt(page: Page, subscription: object): Promise<void> {
  await page.addInitScript((json) => {
    Notification.requestPermission = async () => {
      document.body.dataset.permissionRequests = String(Number(document.body.dataset.permissionRequests ?? 0) + 1)
      return 'granted'
    }
    PushManager.prototype.subscribe = async () => ({ toJSON: () => json }) as PushSubscription
  }, subscription)
}

/** The path of the link in the mail to an address, once it has come. */
async function linkTo(request: APIRequestContext, email: string): Promise<string> {
  let path = ''
  await expect(async () => {
    const answer = await request.get('/demo/mailbox.json')
    const { items } = (await answer.json()) as { items: { to: string[]; text: string }[] }
    const mail = items.find(({ to }) => to.includes(email))
    path = /\/public\/following\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(path).not.toBe('')
  }).toPass()
  return path
}

test('a sender downloads the dossier of a month, and a report', async ({ page, text, checkAccess }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/orders')
  await button(page, text('dossier.open')).click()
  await checkAccess(page, 'the dossier of a month')
  await page.getByLabel(text('dossier.format')).selectOption('zip')
  const downloading = page.waitForEvent('download', { timeout: 60_000 })
  await button(page, text('dossier.make')).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^dossier-\d{4}-\d\d\.zip$/)
  await expect(page.getByText(text('dossier.saved'))).toBeVisible()

  await page.goto('/reports')
  await button(page, text('reports.file.open')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(text('reports.file.format')).selectOption('xlsx')
  await button(dialog, text('reports.file.make')).click()
  await expect(dialog.getByRole('status')).toHaveText(text('reports.file.ready'))
  await checkAccess(page, 'a report that is ready')
  // The button gets the focus as soon as a file can be downloaded.
  await expect(button(dialog, text('reports.file.download'))).toBeFocused()
  const saving = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await saving).suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.xlsx$/)
  await page.keyboard.press('Escape')
  const files = page.getByRole('table', { name: text('reports.files.title') })
  await expect(files).toContainText(text('reports.files.state.ready'))
  await files.getByRole('button', { name: text('actions.remove') }).click()
  await expect(page.getByText(text('reports.files.removed'))).toBeVisible()
  await expect(files).toBeHidden()
})
