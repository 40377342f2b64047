import { readFileSync } from 'node:fs'
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { expect, test } from 'vitest'

const readTexts = (locale: string) =>
  JSON.parse(readFileSync(new URL(`../public/locales/${locale}/global.json`, import.meta.url), 'utf8'))

test('the tab of open pickups has the word of their status', () => {
  const tabs = ['en', 'cn_zh'].map((locale) => readTexts(locale).pickupsPage.tab.coming)
  expect(tabs).toEqual([...taskStatusLabels.open])
})

test('the focus colour is blue in both colour schemes: red is the colour of errors', () => {
  const tokens = readFileSync(new URL('../src/components/theme/tokens.css', import.meta.url), 'utf8')
  const colours = [...tokens.matchAll(/--wb-focus: #(..)(..)(..);/g)].map(([, ...parts]) =>
    parts.map((part) => Number.parseInt(part, 16)),
  )
  expect(colours).toHaveLength(2)
  for (const [red = 255, , blue = 0] of colours) expect(blue).toBeGreaterThan(red + 50)
})
