import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillText, findText } from '../src/ground/language/texts.ts'

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
    ['退回{{what}}', '-RM 5.00', '退回 -RM 5.00'],
    ['第{{what}}个', '1', '第 1 个'],
    // No space between Han and Han.
    ['寄给 {{what}} 的包裹', '王小明', '寄给王小明的包裹'],
    ['预计 {{what}}送达', '明天', '预计明天送达'],
    ['预计{{what}}送达', '11月25日 星期三', '预计 11月25日 星期三送达'],
    // No space next to punctuation and brackets.
    ['网点（{{what}}）', 'KL', '网点（KL）'],
    ['“{{what}}”已移除。', 'KL', '“KL”已移除。'],
    ['运单号：{{what}}。', 'WB1', '运单号：WB1。'],
    // Latin texts are not changed.
    ['Parcel to {{what}}', '王小明', 'Parcel to 王小明'],
    ['{{what}}kg', 3, '3kg'],
    ['#{{what}}', 'A1', '#A1'],
    ['Nothing', 'x', 'Nothing'],
    ['{{other}}', 'x', '{{other}}'],
    ['在{{what}}注册', '', '在注册'],
  ])('%s with %s is %s', (text, what, result) => {
    expect(fillText(text, { what })).toBe(result)
  })

  test('keeps the space of the text between adjacent values', () => {
    expect(fillText('从{{a}} {{b}}', { a: '吉隆坡', b: '槟城' })).toBe('从吉隆坡 槟城')
    expect(fillText('{{a}}{{b}}', { a: '吉隆坡', b: 'KL' })).toBe('吉隆坡 KL')
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
