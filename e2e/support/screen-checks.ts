import { expect, type Locator, type Page } from '@playwright/test'

/*
 * Checks of every screen that axe does not make: the first Tab reaches the skip link, the focus is visible, a screen
 * reader hears names and headings in order, rows of lists have one line, the hints of search fields fit, and nothing
 * scrolls sideways, also at 200 % zoom.
 */

/** The first Tab moves to the skip link, and the next ones show a focus ring in the focus colour. */
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

/** The page is no wider than the window. */
export async function expectNoSidewaysScroll(page: Page, address: string): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wider, `${address} scrolls sideways`).toBeLessThanOrEqual(0)
}

/** The page scrolls no further than its content. */
export async function expectNoEmptyScroll(page: Page, address: string): Promise<void> {
  const higher = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement
    return scrollHeight - Math.max(clientHeight, Math.ceil(document.body.getBoundingClientRect().bottom + scrollY))
  })
  expect(higher, `${address} scrolls below its content`).toBeLessThanOrEqual(0)
}

/** The lists that customers use most: rows on a phone, never cards. */
const rowsOnPhone = ['/parcels', '/address-book', '/wallet', '/orders']

/**
 * List rows are 40 pixels high, or about 72 on a phone, unless they are cards or a text in them wraps (`wraps`); their
 * cells fit side by side, and their titles have room on a phone.
 */
export async function expectRows(page: Page, address: string): Promise<void> {
  const tables = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLTableElement>('table[data-dense="true"]')].map((table) => {
      const isPhone = matchMedia('(max-width: 48em)').matches
      const isCompact = isPhone && table.dataset.compact === 'true'
      const hasWrapped = (row: HTMLTableRowElement) =>
        [...row.querySelectorAll<HTMLElement>('td[data-wraps] > div > div')].some((text) => text.clientHeight > 30)
      const rows = [...(table.tBodies[0]?.rows ?? [])].filter((row) => isPhone || !hasWrapped(row))
      const heights = rows.map((row) => row.getBoundingClientRect().height)
      return {
        name: table.ariaLabel,
        isCompact,
        isCards: isPhone && !isCompact,
        highest: isPhone && !isCompact ? 0 : Math.max(0, ...heights),
        limit: isPhone ? 76 : 41,
        narrowest: Math.min(
          Number.POSITIVE_INFINITY,
          ...rows.flatMap((row) => row.querySelector('[data-place="title"]')?.clientWidth ?? []),
        ),
        wider: (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0),
      }
    }),
  )
  for (const { name, isCompact, isCards, highest, limit, narrowest, wider } of tables) {
    if (rowsOnPhone.includes(address)) expect(isCards, `${address}: ${name} has cards`).toBe(false)
    expect(highest, `${address}: the rows of ${name}`).toBeLessThanOrEqual(limit)
    if (isCompact) expect(narrowest, `${address}: the titles of ${name}`).toBeGreaterThan(80)
    expect(wider, `${address}: ${name} scrolls sideways`).toBeLessThanOrEqual(0)
  }
}

/** No name of a fact is shown without a value. */
export async function expectValues(page: Page, address: string): Promise<void> {
  const names = await page.evaluate(() =>
    [...document.querySelectorAll('dl > div')]
      .filter(
        (fact) => fact.checkVisibility() && !fact.querySelector('dd > *') && !fact.querySelector('dd')?.textContent,
      )
      .map((fact) => fact.textContent),
  )
  expect(names, `${address}: names without a value`).toEqual([])
}

/** On a small laptop the columns of a table fit next to the navigation. */
export async function expectTablesFit(page: Page, address: string): Promise<void> {
  const size = page.viewportSize()
  if (!size) return
  await page.setViewportSize({ width: 1280, height: 800 })
  const wider = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLTableElement>('main table')]
        .filter(({ parentElement: frame }) => frame && frame.scrollWidth > frame.clientWidth)
        .map((table) => table.ariaLabel ?? table.textContent?.slice(0, 40)),
    )
  await expect.poll(wider, { message: `${address}: tables that scroll sideways at 1280 pixels` }).toEqual([])
  await page.setViewportSize(size)
}

/** The search fields of lists show their whole hint. */
export async function expectSearchHints(page: Page, address: string): Promise<void> {
  const cut = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')
    return [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')]
      .filter((field) => field.checkVisibility())
      .map((field) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field)
        if (context) context.font = font
        const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
        return { hint: field.placeholder, over: Math.ceil((context?.measureText(field.placeholder).width ?? 0) - room) }
      })
      .filter(({ over }) => over > 0)
  })
  expect(cut, `${address}: the hints of search fields`).toEqual([])
}

/** A window at 200 % zoom has half as many pixels. */
export async function expectRoomAtDoubleZoom(page: Page, address: string): Promise<void> {
  const size = page.viewportSize()
  if (!size) return
  await page.setViewportSize({ width: Math.floor(size.width / 2), height: Math.floor(size.height / 2) })
  await expectNoSidewaysScroll(page, `${address} at 200 %`)
  await page.setViewportSize(size)
}

/** One line of the accessibility tree: `radio "E-parcel RM 12.20" [checked]`. */
export type Line = string

/** The page as a screen reader goes through it, line by line. */
export async function listen(page: Page): Promise<readonly Line[]> {
  const tree = await page.locator('body').ariaSnapshot()
  return tree.split('\n').map((line) => line.replace(/^\s*- /, ''))
}

/** Controls and pictures have names. Headings go down by one level at a time. */
export function expectOrientation(lines: readonly Line[], address?: string): void {
  const needsName = /^(button|link|textbox|combobox|checkbox|radio|spinbutton|searchbox|img|dialog)(?=$|:| \[)/
  // A picture inside a button is read as the button.
  const isRead = (line: Line, n: number) => !(line === 'img' && /^button ".*":$/.test(lines[n - 1] ?? ''))
  const nameless = lines.filter((line, n) => needsName.test(line) && isRead(line, n))
  expect(nameless, address).toEqual([])
  const levels = lines.flatMap((line) => /^heading .*\[level=(\d)\]/.exec(line)?.[1] ?? []).map(Number)
  const titles = levels.filter((level) => level === 1)
  expect(titles, address).toHaveLength(1)
  const main = levels.slice(levels.indexOf(1))
  const jumps = main.filter((level, n) => level > (main[n - 1] ?? 0) + 1)
  expect(jumps, address).toEqual([])
}

/** A message covers no fixed part: neither the frame of the page, nor a sticky panel or footer, nor the main action. */
export async function expectNothingCovered(message: Locator): Promise<void> {
  // A message finds its place again at every tenth of a second, because the page below it loads and scrolls.
  const listCovered = () =>
    message.evaluate((box) => {
      const { left, top, right, bottom } = box.getBoundingClientRect()
      const isBelow = (element: Element) => {
        const place = element.getBoundingClientRect()
        return place.left < right && place.right > left && place.top < bottom && place.bottom > top
      }
      const fixed = document.querySelectorAll(
        'header a, header button, nav a, nav button, main aside, [data-foot], [data-variant=filled]',
      )
      return [...fixed]
        .filter((element) => element.checkVisibility() && isBelow(element))
        .map((element) => element.textContent || element.getAttribute('aria-label'))
    })
  await expect.poll(listCovered, { timeout: 4_000 }).toEqual([])
}

/** The whole dialog is in the window, and its content is no wider than the dialog. */
export async function expectWholeInWindow(dialog: Locator): Promise<void> {
  await expect(dialog).toBeInViewport({ ratio: 1 })
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0)
}

/** A long word breaks or is cut off before the edge of its box, wherever it is on the page. */
export async function expectWordInside(page: Page, word: string): Promise<void> {
  const places = await page.evaluate((text) => {
    const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
    const edges: { tag: string; over: number }[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const box = parent?.closest('section, article, li, td, dd')
      if (!parent || !box || !node.textContent?.includes(text) || !parent.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      let { right } = range.getBoundingClientRect()
      for (let part: Element = parent; part !== box; part = part.parentElement ?? box)
        if (getComputedStyle(part).overflowX !== 'visible') right = Math.min(right, part.getBoundingClientRect().right)
      const edge = Math.min(box.getBoundingClientRect().right, document.documentElement.clientWidth)
      edges.push({ tag: box.tagName, over: Math.round(right - edge) })
    }
    return edges
  }, word)
  expect(places.length).toBeGreaterThan(0)
  expect(places.filter(({ over }) => over > 0)).toEqual([])
}
