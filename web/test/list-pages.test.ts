import { MantineProvider } from '@mantine/core'
import { countLimit } from '@waybill/contract/ground/paging'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Pages } from '../src/components/list/data-list.tsx'
import { formatCount, getCountedTabs } from '../src/components/list/list-toolbar.tsx'

// Modules read the width of the screen.
vi.hoisted(() => vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined })))
// Components cannot subscribe to the language without a browser.
vi.mock('../src/lib/i18n.ts', () => ({
  useT:
    () =>
    (key: string, vars: object = {}) =>
      [key, ...Object.values(vars)].join(' '),
}))
vi.mock('../src/lib/format.ts', () => ({ useFormat: () => ({ number: String }) }))

/** The visible text below a list that stops counting at the limit. */
function getText(page: number, total: number): string {
  const list = { page, setPage: () => undefined }
  const data = { items: Array(50).fill(0), total, offset: (page - 1) * 50, limit: 50 }
  const pages = createElement(Pages, { list, page: data, countedTo: countLimit })
  return renderToString(createElement(MantineProvider, null, pages)).replace(/<style.*?<\/style>|<[^>]+>/gs, '')
}

test('a list whose rows are not all counted says so, and that its pages end', () => {
  expect(getText(1, countLimit)).toContain('10000+')
  expect(getText(1, countLimit)).not.toContain('list.notAll')
  expect(getText(200, countLimit)).toContain('list.notAll')
  expect(getText(20, 1000)).not.toMatch(/\+|list\.notAll/)
})

test('a tab whose rows are not all counted has a plus sign', () => {
  const tabs = getCountedTabs(['all', 'closed'], (tab) => tab, { all: countLimit, closed: countLimit - 1 })
  expect(tabs.map((tab) => formatCount(tab, String))).toEqual(['10000+', '9999'])
})
