import { readdirSync, readFileSync } from 'node:fs'
import type { APIRequestContext, Page } from '@playwright/test'
import { authorization } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import {
  expectFirstTab,
  expectNoEmptyScroll,
  expectNoSidewaysScroll,
  expectOrientation,
  expectRoomAtDoubleZoom,
  expectRows,
  expectSearchHints,
  expectTablesFit,
  expectValues,
  listen,
} from '../support/screen-checks.ts'
import { logins, screenAddress, screens, type Who } from '../support/screens.ts'
import { startSession } from '../support/steps.ts'
import { watch } from '../support/watch.ts'

/** The empty lists of a new user, with a link to create the first entry. */
const empty = [
  '/dashboard',
  '/parcels',
  '/cart',
  '/orders',
  '/parcels/bulk',
  '/pickups',
  '/address-book',
  '/address-book/duplicates',
  '/address-book/links',
  '/wallet',
  '/reports',
  '/parcels/new',
]

test('the list contains every screen', () => {
  const folder = new URL('../../web/src/app/routes/', import.meta.url)
  const files = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  // Layouts have an id instead of a path. Anything else is a route that this test cannot read.
  const routes = files
    .flatMap((file) => file.split(/\bcreateRoute\(/).slice(1))
    .map((route) => /\b(?:path|id): '([^']+)'/.exec(route)?.[1] ?? route)
  const layouts = ['public', 'portal', 'staff']
  const pages = JSON.parse(readFileSync(new URL('../../../public/pages.json', folder), 'utf8')) as object
  const missing = [...routes, ...Object.keys(pages)].filter(
    (route) => !screens.some((screen) => screen.route === route),
  )
  expect(missing.sort()).toEqual(layouts.sort())
})

for (const who of Object.keys(logins) as Who[]) {
  test(`every screen is accessible and without errors: ${who}`, async ({
    page,
    text,
    request,
    isMobile,
    checkAccess,
  }) => {
    const ownScreens = screens.filter((one) => one.who === who)
    // axe reads each screen twice, and the machine may be busy.
    test.setTimeout(60_000 + ownScreens.length * 20_000)
    const login = logins[who]
    if (login) await startSession(page, login.email)
    const watched = watch(page)
    for (const [n, screen] of ownScreens.entries()) {
      const address = await screenAddress(screen, listItems(page, request))
      // Visitors' pages are separate documents. A route that is opened twice in a row may keep its heading.
      const isOtherRoute = n > 0 && screen.route !== ownScreens[n - 1]?.route
      const open = isMobile && login && isOtherRoute ? goFromScreen : loadDocument
      await test.step(address, () => lookAt(page, watched, address, open, checkAccess))
      if (screen.heading) await expect(page.getByRole('heading', { level: 1 })).toHaveText(text(screen.heading))
      if (screen.forbidden) {
        await expect(page.getByText(text('list.forbidden')).first()).toBeVisible()
        // Every button of the page would be refused.
        await expect(page.locator('#main').getByRole('button')).toHaveCount(0)
      }
      const answer = screen.forbidden ? '403' : String(screen.refused)
      const unexpected = watched.problems.splice(0).filter((problem) => !problem.includes(answer))
      expect(unexpected, address).toEqual([])
    }
  })
}

test('every empty list links to the form for its first entry', async ({
  page,
  isMobile,
  checkAccess,
  startNewcomer,
}) => {
  await startNewcomer(page, 'Nor Aini')
  const watched = watch(page)
  for (const [n, address] of empty.entries()) {
    const open = isMobile && n > 0 ? goFromScreen : loadDocument
    await test.step(address, () => lookAt(page, watched, address, open, checkAccess))
  }
  expect(watched.problems).toEqual([])
})

/** The first items of a list of the signed-in account. */
const listItems = (page: Page, request: APIRequestContext) => async (path: string) => {
  const answer = await request.get(path, { headers: await authorization(page) })
  return ((await answer.json()) as { items: Record<string, unknown>[] }).items
}

/** Opens a screen and returns the header that keeps it out of search engines. */
type Open = (page: Page, address: string) => Promise<string | undefined>

/** Opens the screen as if its URL had been typed. */
const loadDocument: Open = async (page, address) => (await page.goto(address))?.headers()['x-robots-tag']

/**
 * Opens the screen as if through a link of the portal. At desktop width each screen is loaded as a document. On a
 * phone it is opened from another one: with its accessibility check that takes 0.6 s of CPU time instead of 1.1 s.
 */
const goFromScreen: Open = async (page, address) => {
  await page.evaluate((to) => {
    document.querySelector('h1')?.setAttribute('data-previous-screen', '')
    // The router listens to the history.
    history.pushState({}, '', to)
  }, address)
  await expect(page.locator('[data-previous-screen]')).toHaveCount(0)
  return (await page.request.get(address, { headers: { accept: 'text/html' } })).headers()['x-robots-tag']
}

async function lookAt(
  page: Page,
  watched: ReturnType<typeof watch>,
  address: string,
  open: Open,
  checkAccess: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const robots = await open(page, address)
  const heading = page.getByRole('heading', { level: 1 })
  await heading.first().waitFor()
  await watched.waitForQuiet()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(heading).toHaveCount(1)
  await expect(heading).toBeVisible()

  // Checked before anything else moves the focus.
  if (open === loadDocument) await expectFirstTab(page, address)
  await expect(page).toHaveTitle(/\S/)
  expect(robots).toContain('noindex')
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  await expectNoSidewaysScroll(page, address)
  await expectNoEmptyScroll(page, address)
  await expectRows(page, address)
  await expectSearchHints(page, address)
  await expectValues(page, address)
  expectOrientation(await listen(page), address)
  await checkAccess(page, address)
  await expectRoomAtDoubleZoom(page, address)
  if (open === loadDocument) await expectTablesFit(page, address)
}
