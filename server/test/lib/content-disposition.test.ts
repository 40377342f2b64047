import { expect, it } from 'vitest'
import { contentDisposition } from '../../src/lib/sheet/write.ts'

it.each([
  ['invoice-1.pdf', 'invoice-1.pdf'],
  ['a"; filename="b.html', 'a-filename-b.html'],
  ['发票 1\r\nset-cookie: x.pdf', '-1-set-cookie-x.pdf'],
])('a file is named safely, shown or downloaded: %j', (name, safe) => {
  expect(contentDisposition(name)).toBe(`attachment; filename="${safe}"`)
  expect(contentDisposition(name, 'attachment')).toBe(`attachment; filename="${safe}"`)
  expect(contentDisposition(name, 'inline')).toBe(`inline; filename="${safe}"`)
})
