import { readFileSync } from 'node:fs'
import { statement } from '@waybill/contract/orders/monthly-billing'
import { expect, test } from 'vitest'

const locales = new URL('../public/locales/', import.meta.url)

test.each(['en', 'cn_zh'])('every state of a statement has its words for customers and for staff (%s)', (language) => {
  const texts = JSON.parse(readFileSync(new URL(`${language}/global.json`, locales), 'utf8'))
  const states = [...statement.shape.state.options].sort()
  expect(Object.keys(texts.billing.state).sort()).toEqual(states)
  expect(Object.keys(texts.accountPage.statement).sort()).toEqual(states)
})
