import { expect, test } from 'vitest'
import { scannedNumber } from '../src/features/scans/scanned-number.ts'

test('both codes of a note mean its number; what is neither stays what it is', () => {
  expect(scannedNumber('WB12345678903')).toBe('WB12345678903')
  expect(scannedNumber(' WB12345678903\n')).toBe('WB12345678903')
  expect(scannedNumber('https://portal.example.test/public/track-parcels?no=WB12345678903')).toBe('WB12345678903')
  expect(scannedNumber('HTTPS://X.TEST/P?a=1&no=WB1')).toBe('WB1')
  expect(scannedNumber('https://x.test/p?number=1')).toBe('https://x.test/p?number=1')
  expect(scannedNumber('https://')).toBe('https://')
  expect(scannedNumber('')).toBe('')
})
