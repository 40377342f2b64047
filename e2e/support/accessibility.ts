import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

/** Less than half of the text that `axe.source` has, which Chromium parses again for every page. */
const engine = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Violations of WCAG 2.2 AA on the current page, in light and dark. The engine is injected once and reports only
 * violations. Its own Playwright package injects it for every run and reports every passed element, which takes more
 * than twice as long.
 */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(engine)
  return page.evaluate(async (tags) => {
    // axe would read colours in the middle of a transition. A style sheet created by script needs no exception in the
    // security policy.
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important; animation-duration: 0s !important; }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still]
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()

    // A target half under the header after scrolling is too small for axe, though not for a user: the page is read from
    // the top.
    const scrolled = [...document.querySelectorAll('*')].filter(({ scrollTop }) => scrollTop > 0)
    const positions = scrolled.map((element) => ({ element, top: element.scrollTop }))
    for (const { element } of positions) element.scrollTop = 0

    const problems: string[] = []
    for (const scheme of ['light', 'dark'] as const) {
      document.documentElement.dataset.mantineColorScheme = scheme
      const { violations } = await window.axe.run(document, {
        resultTypes: ['violations'],
        // Not in the standard, but screen reader users rely on these.
        rules:
          scheme === 'light' ? { 'heading-order': { enabled: true }, 'empty-table-header': { enabled: true } } : {},
        // Another colour scheme changes only colours.
        runOnly:
          scheme === 'light'
            ? { type: 'tag', values: tags }
            : { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
      })
      for (const { id, help, nodes } of violations)
        problems.push(`${scheme}: ${id}: ${help}\n  ${nodes.map(({ target }) => target.join(' ')).join('\n  ')}`)
    }
    for (const { element, top } of positions) element.scrollTop = top
    return problems
  }, wcag)
}

declare global {
  interface Window {
    axe: typeof axe
  }
}
