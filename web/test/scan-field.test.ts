import { createElement, isValidElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ScanField } from '../src/components/fields/scan-field.tsx'

type Paste = (event: { clipboardData: { getData: () => string }; preventDefault: () => void }) => void
const inputs = vi.hoisted(() => [] as { onPaste: Paste }[])

vi.mock('@mantine/core', () => ({ Button: () => null }))
vi.mock('../src/lib/session.ts', () => ({ useSession: () => 'WB' }))
// Without a browser nothing can be pasted, so the test calls the handler of the input.
vi.mock('../src/components/layout/boxes.tsx', () => ({
  Row: ({ children }: { children: ReactNode[] }) => {
    for (const child of children)
      if (isValidElement(child) && child.type === 'input') inputs.push(child.props as { onPaste: Paste })
    return null
  },
}))

test('a pasted list is taken at once, but not one without any number', () => {
  const onScan = vi.fn()
  renderToString(createElement(ScanField, { label: 'Parcel', action: 'Add', onScan }))
  const paste = (text: string) =>
    inputs[0]?.onPaste({ clipboardData: { getData: () => text }, preventDefault: () => undefined })
  paste('WB12345678903\nWB00000000019')
  expect(onScan).toHaveBeenCalledWith(['WB12345678903', 'WB00000000019'])
  paste(', ,')
  expect(onScan).toHaveBeenCalledTimes(1)
})
