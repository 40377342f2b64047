import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Phone } from '../src/components/display/phone-link.tsx'

test('a phone number is invisible until it can be grouped, so that it does not change before the reader', () => {
  expect(renderToString(createElement(Phone, { phone: '+60176283941' }))).toContain('opacity:0')
})
