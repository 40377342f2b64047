import { describe, expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import { newPassword } from '../src/ground/fields.ts'

describe('a new password', () => {
  test('has 10 to 200 characters', () => {
    expect(safeParse(newPassword, 'nine char').success).toBe(false)
    for (const length of [10, 64, 200]) expect(safeParse(newPassword, 'x'.repeat(length)).success).toBe(true)
    expect(safeParse(newPassword, 'x'.repeat(201)).success).toBe(false)
  })

  test.each([
    'alllowercase',
    '          ',
    '床前明月光疑是地上霜',
    ' spaces around ',
    'ÅngströmÅngström',
    '!!!!!!!!!!',
  ])('may consist of any characters, and is not trimmed or changed: %j', (password) => {
    expect(safeParse(newPassword, password)).toMatchObject({ success: true, data: password })
  })
})
