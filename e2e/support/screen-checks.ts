import { expect, type Page } from '@playwright/test'

/*
 * Checks of every screen that axe does not make: the first Tab reaches the skip link, the focus is visible, rows of
 * lists have one line, and nothing scrolls sideways, also at 200 % zoom.
 */

/** The first Tab comes to the skip link, the next ones show where they are, in the colour of the focus. */
export async function expectFirstTab(page: Page, address: string): Promise<void> {
  // A form whose first field has the focus needs no skip link.
  if (await page.evaluate(() => document.activeElement !== document.body)) return
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(() => {
      const element = document.activeElement ?? document.body
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
      const ring = document.createElement('i')
      ring.style.color = 'var(--wb-focus)'
      document.body.append(ring)
      const focusColour = getComputedStyle(ring).color
      ring.remove()
      return {
        name: `${element.tagName} ${element.textContent?.slice(0, 20)}`,
        isSkipLink: element.matches('.wb-skip'),
        ring: outlineStyle !== 'none' && outlineWidth !== '0px' ? outlineColor : 'no ring',
        focusColour,
      }
    })
    if (press === 0) expect(stop.isSkipLink, `${address}: the first Tab comes to ${stop.name}`).toBe(true)
    expect(stop.ring, `${address}: ${stop.name}`).toBe(stop.focusColour)
  }
}

/** The window shows the whole width of the page. */
export async function expectNoSidewaysScroll(page: Page, address: string): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wider, `${address} scrolls sideways`).toBeLessThanOrEqual(0)
}

/** Rows of a list are 40 pixels high, or on a phone about 72, unless they are cards; and fit beside each other. */
export async function expectRows(page: Page, address: string): Promise<void> {
  const tables = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLTableElement>('table[data-dense="true"]')].map((table) => {
      const compact = table.dataset.compact === 'true'
      const isPhone = matchMedia('(max-width: 48em)').matches
      const heights = [...(table.tBodies[0]?.rows ?? [])].map((row) => row.getBoundingClientRect().height)
      return {
        name: table.ariaLabel,
        highest: isPhone && !compact ? 0 : Math.max(0, ...heights),
        limit: isPhone ? 76 : 41,
        wider: (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0),
      }
    }),
  )
  for (const { name, highest, limit, wider } of tables) {
    expect(highest, `${address}: the rows of ${name}`).toBeLessThanOrEqual(limit)
    expect(wider, `${address}: ${name} scrolls sideways`).toBeLessThanOrEqual(0)
  }
}

/** At 200 % zoom the window has half as many pixels. */
export async function expectRoomAtDoubleZoom(page: Page, address: string): Promise<void> {
  const size = page.viewportSize()
  if (!size) return
  await page.setViewportSize({ width: Math.floor(size.width / 2), height: Math.floor(size.height / 2) })
  await expectNoSidewaysScroll(page, `${address} at 200 %`)
  await page.setViewportSize(size)
}
