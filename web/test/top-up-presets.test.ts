import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { TopUpPresets } from '../src/features/wallet/top-up-presets.tsx'

// Components cannot subscribe to the language or the settings without a browser.
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/format.ts', async (original) => {
  const { createFormat } = await original<typeof import('../src/lib/format.ts')>()
  return { useFormat: () => createFormat() }
})

/** The visible text. */
const getText = (html: string) => html.replace(/<style.*?<\/style>|<[^>]+>/g, ' ').replaceAll('\u00a0', ' ')

// The setting `wallet.topUpPresetsMinor`.
test('offers the amounts of the settings', () => {
  const render = (amounts: number[]) =>
    renderToString(
      createElement(
        MantineProvider,
        null,
        createElement(TopUpPresets, { amounts, getBonus: () => 0, value: 1234, onChange: () => {} }),
      ),
    )
  const html = render([1234, 98700])
  expect(getText(html)).toContain('RM 12.34')
  expect(getText(html)).toContain('RM 987.00')
  expect(html.match(/aria-pressed="true"/g)).toHaveLength(1)
  expect(getText(render([]))).not.toContain('RM')
})
