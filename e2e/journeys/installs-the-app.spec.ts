import { expect, test } from '../support/journey.ts'
import { heading, startSession } from '../support/steps.ts'

test.use({ serviceWorkers: 'allow' })

type Manifest = {
  id: string
  name: string
  short_name: string
  start_url: string
  display: string
  icons: { src: string; sizes: string; type: string; purpose: string }[]
}

test('the app can be installed, and opens offline with a page that says so', async ({ page, context, text }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/dashboard')
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  const browser = await context.newCDPSession(page)

  const manifest = await test.step('has a manifest without errors', async () => {
    const { data, errors } = await browser.send('Page.getAppManifest')
    expect(errors).toEqual([])
    return JSON.parse(data ?? '{}') as Manifest
  })
  expect(manifest).toMatchObject({ id: '/', start_url: '/dashboard', display: 'standalone' })
  expect(manifest.name).not.toBe('')
  expect(manifest.short_name.length).toBeLessThanOrEqual(12)

  await test.step('has icons of the stated sizes, one of them for masks', async () => {
    expect(new Set(manifest.icons.map(({ purpose }) => purpose))).toEqual(new Set(['any', 'maskable']))
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (url) => {
        const image = new Image()
        image.src = url
        await image.decode()
        return `${image.naturalWidth}x${image.naturalHeight}`
      }, src)
      expect(size, src).toBe(sizes)
    }
  })

  // Page.getInstallabilityErrors is empty for every page of a headless browser, so the requirements are listed here.
  await test.step('has both sizes of icons that browsers require, and a worker for the start page', async () => {
    const plain = manifest.icons.filter(({ purpose }) => purpose === 'any').map(({ sizes }) => sizes)
    expect(plain).toEqual(expect.arrayContaining(['192x192', '512x512']))
    const scope = await page.evaluate(() => navigator.serviceWorker.ready.then((worker) => worker.scope))
    expect(new URL(manifest.start_url, page.url()).href.startsWith(scope)).toBe(true)
  })

  await test.step('opens its start page offline', async () => {
    await context.setOffline(true)
    await page.goto(manifest.start_url)
    await expect(page.getByRole('heading', { name: /offline/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
  await test.step('and the page itself as soon as there is a connection', async () => {
    await context.setOffline(false)
    await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  })
})

test('the pages of the bank and the API never become the page for offline use', async ({ page, text, baseURL }) => {
  await startSession(page, 'aisyah@example.com')
  await page.goto('/dashboard')
  await expect(heading(page, text('dashboardPage.title'))).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
  const open = async (path: string) => (await page.goto(path))?.fromServiceWorker()
  expect(await open('/dashboard')).toBe(true)
  expect(await open('/simulated-bank/decide.asp')).toBe(false)
  expect(await open('/demo/mailbox')).toBe(false)
  expect(await open('/api/customer/settings/general')).toBe(false)
  // The answer to a form, as the bank's page after a payment, is not in the network when the user comes back to it.
  await page.goto('/healthz')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.evaluate(() => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '/payments/none' })
      document.body.append(form)
      form.submit()
    }),
  ])
  expect(answer.url()).toBe(`${baseURL}/payments/none`)
  expect(answer.fromServiceWorker()).toBe(false)
})
