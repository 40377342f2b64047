import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameText, optionalName } from '../src/ground/fields.ts'

const name = nameText(120)
const accepts = (text: string) => name.safeParse(text).success

describe('a name', () => {
  it.each([
    'Tan Mei Ling',
    '陈美玲',
    "Nur 'Aisyah binti Abd. Rahman",
    'Ravi a/l S.Kumar',
    'Mohd.Faizal bin Hj.Ahmad',
    'Tan Ah Kow @ Tan Kow',
    'ALI@ABU',
    'Dr.Lim Wei-Jie',
    'M. G. Ramachandran',
    'Anne-Marie O’Neill',
    'José Núñez',
    'Syarikat ABC Sdn.Bhd.',
    'Tan & Co.',
    'Kedai No.12/3',
    'A.S. Watson (M) Sdn. Bhd. 201901000005 (1234567-X)',
    'Restoran Makan @ Bangsar',
    '7-Eleven #1024',
    '北京快递有限公司',
    'Wei.Ming Trading',
  ])('accepts %s', (text) => {
    expect(accepts(text)).toBe(true)
  })

  it.each([
    'https://host.example',
    'Win now: http://host.example/x',
    'h t t p : / / host',
    'hxxp://host',
    'www.host.example',
    'WWW . host',
    'Free gift evil.com',
    'evil.com/claim',
    'EVIL.COM',
    'evil。com',
    'bit.ly/abc',
    'shop.my',
    'claim.example/prize',
    'Write to me@host.example',
    'Mei\nYour parcel is held. Pay here',
    'Mei\r\nBcc: x',
    'Mei\u2028Pay',
    'Mei\tLing',
    'Mei\u0000Ling',
    'Mei \u202egnil',
  ])('refuses %j', (text) => {
    expect(accepts(text)).toBe(false)
  })

  it('refuses a link or a line break at any position (property)', () => {
    const words = fc.string({ maxLength: 20 })
    const bad = fc.constantFrom('https://a', 'www.a', 'evil.com ', 'x\ny', 'x\u2029y', 'a@b.example')
    fc.assert(
      fc.property(words, bad, words, (before, piece, after) => {
        expect(accepts(`n ${before} ${piece} ${after} n`)).toBe(false)
      }),
    )
  })

  it('refuses a text that is much too long without searching it', () => {
    // Searching it for links would take minutes, so this test would time out.
    for (const piece of ['@', 'a', 'a.', '.a/', 'www', 'a@']) expect(accepts(piece.repeat(500_000))).toBe(false)
  })

  it('accepts a missing or empty value if it is optional', () => {
    const optional = optionalName(40)
    for (const absent of [undefined, null, '', '  ']) expect(optional.parse(absent)).toBeNull()
    expect(optional.parse(' Kedai Maju ')).toBe('Kedai Maju')
    expect(optional.safeParse('evil.com').success).toBe(false)
  })
})
