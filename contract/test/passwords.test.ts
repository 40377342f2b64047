import { describe, expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import { newPassword } from '../src/ground/fields.ts'

describe('a new password', () => {
  test('has at least ten characters, and may be a pass phrase', () => {
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
  ])('%j may be of any characters, and stays as it was typed', (password) => {
    expect(safeParse(newPassword, password)).toMatchObject({ success: true, data: password })
  })
})
