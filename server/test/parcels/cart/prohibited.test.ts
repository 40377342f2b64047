import { expect, test } from 'vitest'
import { findProhibited, type ProhibitedRule } from '../../../src/domains/parcels/cart/rules-prohibited.ts'

test('words of the setting are never treated as patterns, whatever characters they contain', () => {
  const rule: ProhibitedRule = {
    name: { en: 'Signs', cn_zh: '符号' },
    scope: 'all',
    words: ['.*', '(a+)+', 'c[4]', 'a|b', 'x{2}', '^$', '\\d', '?'],
  }
  const find = (description: string) => findProhibited(description, 'domestic', [rule])?.word ?? null
  expect(find('books and shirts')).toBeNull()
  expect(find('a b c4 xx 7')).toBeNull()
  expect(find(`${'a'.repeat(5000)}!`)).toBeNull()
  expect(find('a box of c[4]')).toBe('c[4]')
})
