import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillText, findText, type Texts } from '../src/ground/language/texts.ts'

describe('filling a text', () => {
  test.each([
    // A space between Han and Latin letters or digits, whether the text has one or not.
    ['选择{{what}}', 'parcel', '选择 parcel'],
    ['选择 {{what}}', 'parcel', '选择 parcel'],
    ['由{{what}}承运', 'DHL', '由 DHL 承运'],
    ['共 {{what}}件', 3, '共 3 件'],
    ['上涨{{what}}后', '5%', '上涨 5% 后'],
    ['来自{{what}}的包裹', 'Kinabalu Sdn. Bhd.', '来自 Kinabalu Sdn. Bhd. 的包裹'],
    ['致电{{what}}', '+60 12-345 6789', '致电 +60 12-345 6789'],
    ['退回{{what}}', '−RM 5.00', '退回 −RM 5.00'],
    ['调整{{what}}', '-5', '调整 -5'],
    ['第{{what}}个', '1', '第 1 个'],
    // No space between Han and Han.
    ['寄给 {{what}} 的包裹', '王小明', '寄给王小明的包裹'],
    ['预计 {{what}}送达', '明天', '预计明天送达'],
    ['预计{{what}}送达', '11月25日 星期三', '预计 11月25日 星期三送达'],
    // No space next to punctuation and brackets.
    ['网点（{{what}}）', 'KL', '网点（KL）'],
    ['{{what}} 请更正。', '邮编有误。', '邮编有误。请更正。'],
    ['属于 {{what}} 的包裹', '（无）', '属于（无）的包裹'],
    ['备注：{{what}}', '王小明', '备注：王小明'],
    // Currencies, accents, brackets and other marks at the ends of a value.
    ['退回{{what}}元', '€5', '退回 €5 元'],
    ['寄往{{what}}的包裹', 'Île-de-France', '寄往 Île-de-France 的包裹'],
    ['来自{{what}}的包裹', 'Malmö', '来自 Malmö 的包裹'],
    ['选择{{what}}的列', '(kg)', '选择 (kg) 的列'],
    ['共{{what}}条', '1,000+', '共 1,000+ 条'],
    ['主题{{what}}已关闭', 'Where is it?', '主题 Where is it? 已关闭'],
    ['“{{what}}”已移除。', 'KL', '“KL”已移除。'],
    ['运单号：{{what}}。', 'WB1', '运单号：WB1。'],
    // Latin texts are not changed.
    ['Parcel to {{what}}', '王小明', 'Parcel to 王小明'],
    ['{{what}}kg', 3, '3kg'],
    ['#{{what}}', 'A1', '#A1'],
    ['Nothing', 'x', 'Nothing'],
    ['{{other}}', 'x', '{{other}}'],
    // An empty value leaves neither a gap nor two spaces.
    ['在{{what}}注册', '', '在注册'],
    ['在 {{what}} 注册', '', '在注册'],
    ['of {{what}} today', '', 'of today'],
  ])('%s with %s is %s', (text, what, result) => {
    expect(fillText(text, { what })).toBe(result)
  })

  test('keeps the space of the text between adjacent values', () => {
    expect(fillText('从{{a}} {{b}}', { a: '吉隆坡', b: '槟城' })).toBe('从吉隆坡 槟城')
    expect(fillText('{{a}}{{b}}', { a: '吉隆坡', b: 'KL' })).toBe('吉隆坡 KL')
  })

  test('replaces %field% by the label of a field', () => {
    expect(fillText('%field%不能为空。', { field: 'SSL' })).toBe('SSL 不能为空。')
    expect(fillText('%field%不能小于 {{min}}。', { field: '重量', min: 1 })).toBe('重量不能小于 1。')
    expect(fillText('%field% is required.', { field: 'Weight' })).toBe('Weight is required.')
    expect(fillText('%field% is required.', {})).toBe('%field% is required.')
  })

  test('does not replace a placeholder inside a value', () => {
    expect(fillText('{{a}} {{b}}', { a: '{{b}}', b: 'x' })).toBe('{{b}} x')
  })

  test('puts one space between Han and Latin, and none between Han and Han (property)', () => {
    const han = fc.constantFrom('包裹', '网点', '的', '送达')
    const latin = fc.constantFrom('DHL', '3', 'RM 5.00', 'WB12', '95%')
    const space = fc.constantFrom('', ' ')
    fc.assert(
      fc.property(han, space, fc.oneof(han, latin), space, han, (before, left, value, right, after) => {
        const join = /^\p{sc=Han}/u.test(value) ? '' : ' '
        expect(fillText(`${before}${left}{{x}}${right}${after}`, { x: value })).toBe(
          `${before}${join}${value}${join}${after}`,
        )
      }),
    )
  })
})

const chineseTexts: Texts = JSON.parse(
  readFileSync(new URL('../../web/public/locales/cn_zh/global.json', import.meta.url), 'utf8'),
)

/** `[key, text]` of all texts with a placeholder. */
function textsWithValues(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? /\{\{|%field%/.test(value)
        ? [[prefix + key, value] as [string, string]]
        : []
      : textsWithValues(value, `${prefix}${key}.`),
  )
}

describe('Chinese texts with their values', () => {
  const wrongSpace = [
    /\p{sc=Han}[\p{sc=Latin}\d]|[\p{sc=Latin}\d%]\p{sc=Han}/u,
    /\p{sc=Han} \p{sc=Han}/u,
    / [，。：；？！）]|[，。：；（] /u,
  ]
  /** The parts without language, and marks between two spaces, as a comma. */
  const withoutCode = (text: string) =>
    text.replace(/ ?(https?:[^。，\s]+|\.(xlsx|csv)|\d+年\d+月\d+日|“[\w ]+”|<[a-z]>|\{[xyz]\}) ?| +[·–/—|→] +/g, '，')
  /** Texts with two values next to each other keep the space between them. */
  const texts = textsWithValues(chineseTexts).filter(([, text]) => !/\}\} \{\{/.test(text))

  test.each([
    ['Latin letters', 'DHL'],
    ['a number', '3'],
    ['an amount', 'RM 5.00'],
    ['Han', '包裹'],
    ['nothing', ''],
  ])('have the right spaces around %s', (_, value) => {
    const wrong = texts.flatMap(([key, text]) => {
      const vars = Object.fromEntries([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => [name, value]))
      const result = fillText(text, { ...vars, field: value })
      return wrongSpace.some((pattern) => pattern.test(withoutCode(result))) ? [`${key}: ${result}`] : []
    })
    expect(wrong).toEqual([])
  })
})

describe('finding a text', () => {
  const texts = { a: { b: 'x' }, days_one: '{{count}} day', days_other: '{{count}} days' }
  test('finds it by nested keys, and by the plural form of the language', () => {
    expect(findText(texts, 'en', 'a.b')).toBe('x')
    expect(findText(texts, 'en', 'days', { count: 1 })).toBe('{{count}} day')
    expect(findText(texts, 'en', 'days', { count: 2 })).toBe('{{count}} days')
    expect(findText({ days_other: '{{count}} 天' }, 'cn_zh', 'days', { count: 1 })).toBe('{{count}} 天')
  })
  test('for exactly one by a text of its own, also in Chinese', () => {
    expect(findText(texts, 'cn_zh', 'days', { count: 1 })).toBe('{{count}} day')
    expect(findText(texts, 'cn_zh', 'days', { count: 2 })).toBe('{{count}} days')
  })
  test('finds neither a group of texts nor a missing key', () => {
    expect(findText(texts, 'en', 'a')).toBeUndefined()
    expect(findText(texts, 'en', 'a.c.d')).toBeUndefined()
    expect(findText(texts, 'en', 'days')).toBeUndefined()
    expect(findText(undefined, 'en', 'a')).toBeUndefined()
  })
})
