import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { errorStatus } from '../src/ground/errors.ts'
import { email, newPassword, phone, text } from '../src/ground/fields.ts'
import { positiveAmountMinor } from '../src/ground/money.ts'
import { listQuery, parseSort } from '../src/ground/paging.ts'
import { type Translate, toFieldErrors } from '../src/ground/validation.ts'

/** Returns the keys of texts, so that a test can check which text would be shown. */
const keys: Translate = (key, vars) =>
  [key, vars?.field, vars?.min ?? vars?.max].filter((part) => part !== undefined).join(' ')

const form = z.object({
  name: text(5),
  email,
  phone,
  parts: z.array(z.object({ weight: z.number().check(z.minimum(1)) })),
})
const problems = (value: unknown) => {
  const parsed = z.safeParse(form, value, { reportInput: true })
  return parsed.success ? [] : toFieldErrors(parsed.error.issues, keys)
}

describe('messages of a form', () => {
  it('report each field once, with the rule that it breaks', () => {
    expect(problems({ name: '', email: 'x', phone: '123', parts: [{ weight: 0 }] })).toEqual([
      { field: 'name', message: 'validation.required fields.name' },
      { field: 'email', message: 'validation.email fields.email' },
      { field: 'phone', message: 'validation.phonePattern fields.phone' },
      { field: 'parts.0.weight', message: 'validation.min fields.weight 1' },
    ])
  })

  it('report a missing field of any type as required', () => {
    expect(problems({}).map((problem) => problem.message.split(' ')[0])).toEqual(Array(4).fill('validation.required'))
  })

  it('ask for an empty password before they name its length', () => {
    const message = (password: string) => {
      const parsed = z.safeParse(z.object({ password: newPassword }), { password }, { reportInput: true })
      return toFieldErrors(parsed.error?.issues ?? [], keys)[0]?.message
    }
    expect(message('')).toBe('validation.required fields.password')
    expect(message('short')).toBe('validation.minLength fields.password 10')
  })

  it('say what a field takes whose text is not a number, and ask to tick a box', () => {
    const other = z.object({ weight: z.number(), acceptTerms: z.literal(true) })
    const parsed = z.safeParse(other, { weight: Number.NaN, acceptTerms: undefined }, { reportInput: true })
    expect(toFieldErrors(parsed.error?.issues ?? [], keys)).toEqual([
      { field: 'weight', message: 'validation.numberField fields.weight' },
      { field: 'acceptTerms', message: 'validation.accept fields.acceptTerms' },
    ])
  })

  it('say of half a minor unit, or a tenth of a gram, what is wrong with it', () => {
    const input = z.object({ amountMinor: positiveAmountMinor })
    const problems = (amountMinor: unknown) =>
      toFieldErrors(z.safeParse(input, { amountMinor }, { reportInput: true }).error?.issues ?? [], keys)
    expect(problems(1000.5)).toEqual([{ field: 'amountMinor', message: 'validation.fraction fields.amountMinor' }])
    expect(problems('1000')[0]?.message).toBe('validation.type fields.amountMinor')
  })

  it('match the wording of the specification in English', () => {
    const english = JSON.parse(
      readFileSync(new URL('../../web/public/locales/en/global.json', import.meta.url), 'utf8'),
    )
    expect(english.validation.required).toBe('%field% is required.')
  })
})

describe('sorting', () => {
  it('accepts +field and -field, also decoded from a query string, and only listed fields', () => {
    const query = listQuery(['name', 'createdAt'])
    expect(parseSort(z.parse(query, { sort: ' name,-createdAt' }).sort)).toEqual([
      { field: 'name', descending: false },
      { field: 'createdAt', descending: true },
    ])
    expect(z.safeParse(query, { sort: '-password' }).success).toBe(false)
    expect(z.parse(query, {})).toMatchObject({ offset: 0, limit: 50 })
    expect(z.safeParse(query, { limit: '201' }).success).toBe(false)
  })
})

describe('error codes', () => {
  it('have texts in both languages', () => {
    for (const locale of ['en', 'cn_zh']) {
      const texts = JSON.parse(
        readFileSync(new URL(`../../web/public/locales/${locale}/global.json`, import.meta.url), 'utf8'),
      )
      for (const code of Object.keys(errorStatus)) expect(texts.errors?.[code], `${locale} errors.${code}`).toBeTruthy()
    }
  })
})
