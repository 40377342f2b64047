import { expect, it } from 'vitest'
import { loadTranslations } from '../../src/lib/i18n.ts'

it('joins the entries of a list with the punctuation of the language', () => {
  const translations = loadTranslations()
  const vars = { numbers: ['WB 1', 'WB 2'] }
  expect(translations('en')('errors.pickup_missing', vars)).toContain('WB 1, WB 2')
  expect(translations('cn_zh')('errors.pickup_missing', vars)).toContain('WB 1、WB 2')
})
