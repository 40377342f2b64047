import { expect, test } from 'vitest'
import type { FieldBinding } from '../src/components/form/contract-form.ts'
import { shortenError } from '../src/components/form/field-props.ts'

const t = (key: string) => key
const write = (value: string | null, error?: string) =>
  shortenError({ value, error } as FieldBinding<string | null>, t as never).error

test('only the error of an empty field is short', () => {
  expect(write('', 'City is required.')).toBe('validation.requiredShort')
  expect(write(null, 'Length is required.')).toBe('validation.requiredShort')
  expect(write('x', 'City needs at least 2 characters.')).toBe('City needs at least 2 characters.')
  expect(write('')).toBeUndefined()
})
