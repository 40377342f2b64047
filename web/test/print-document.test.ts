import { afterEach, expect, test, vi } from 'vitest'
import { printDocument } from '../src/lib/download.ts'

vi.mock('../src/lib/api.ts', () => ({ send: async () => new Response('%PDF') }))
afterEach(() => vi.unstubAllGlobals())

const endpoint = { id: 'labels', method: 'GET', path: '/labels', access: 'public', summary: '' } as const

test('a document is not printed if the dialog is closed while it loads', async () => {
  const print = vi.fn()
  const remove = vi.fn()
  const frame = Object.assign(new EventTarget(), {
    style: {},
    setAttribute: vi.fn(),
    contentWindow: { print },
    remove,
  })
  const append = vi.fn()
  vi.stubGlobal('document', { createElement: () => frame, body: { append } })
  vi.stubGlobal('window', new EventTarget())
  const closing = new AbortController()
  const printing = printDocument(endpoint, { signal: closing.signal })
  await vi.waitFor(() => expect(append).toHaveBeenCalled())
  closing.abort()
  frame.dispatchEvent(new Event('load'))
  await expect(printing).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  expect(print).not.toHaveBeenCalled()
  expect(remove).toHaveBeenCalled()
})
