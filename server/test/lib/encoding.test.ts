/** The encoding of a .csv file without a byte order mark, by names as people have them. */
import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectEncoding, type TextEncoding } from '../../src/lib/text/encoding.ts'

type OldEncoding = Extract<TextEncoding, 'gb18030' | 'big5' | 'windows-1252'>

/** Encodes by searching the decoder, because Node encodes only to Unicode. */
function encoder(encoding: OldEncoding) {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map<string, number[]>()
  for (let first = 0; first < 256; first++) {
    const alone = decoder.decode(Uint8Array.of(first))
    if (encoding === 'windows-1252' || first < 0x80) bytes.set(alone, [first])
    else
      for (let second = 0x40; second < 0xff; second++) {
        const text = decoder.decode(Uint8Array.of(first, second))
        if ([...text].length === 1 && !bytes.has(text)) bytes.set(text, [first, second])
      }
  }
  return (text: string) => Buffer.from([...text].flatMap((letter) => bytes.get(letter) ?? [0x3f]))
}
const encoders: Record<OldEncoding, (text: string) => Buffer> = {
  gb18030: encoder('gb18030'),
  big5: encoder('big5'),
  'windows-1252': encoder('windows-1252'),
}

const words = (text: string) => text.trim().split(/\s*,\s*/)
const western = words(
  'Siti D’Aman, O’Brien, Gérard Müller, André, Desirée Straße, Größe, Conceição, João, Ibáñez, IBÁÑEZ, Núñez, CRÉÉE, ' +
    'Ågot Ångström, Töö, Zoë’s Café, “Été”, Łódź, 30°C box, £50, €20, ½ kg, l’été, São Paulo, Peñíscola, Ágúst, ' +
    'Élodie, Ängelholm, PAPÁS, Øystein, Noël–Marie, Kuala Lumpur…',
).filter((name) => !/[Łź]/.test(name))
const simplified = words(
  '陈伟玲, 王小明, 李娜, 张伟, 林美华, 黄志强, 吴婷婷, 欧阳娜娜, 马来西亚槟城, 吉隆坡武吉免登路88号, 茶叶, 收件人, 电话, 地址, ' +
    '邮编, 重量（公斤）, 新山市A座12楼, 张镕基, 李喆, 王堃, T恤M码, 刘洋、陈静, “小心”, 巴生区, 怡保街, 何馨, 谢谢！',
)
const traditional = words(
  '陳偉玲, 王小明, 李娜, 張偉, 林美華, 黃志強, 吳婷婷, 歐陽娜娜, 馬來西亞檳城, 吉隆坡武吉免登路88號, 茶葉, 收件人, 電話, ' +
    '地址, 郵遞區號, 重量（公斤）, 新山市A座12樓, 劉洋、陳靜, 巴生區, 怡保街, 何馨, 謝謝！',
)
const ascii = ['Ali', '10050', 'George Town', 'Jalan Burma', '1.2', '30', 'Weight (kg)', '+60 12-345 6789', '', '"']

const lists: Record<OldEncoding, readonly string[]> = {
  gb18030: simplified,
  big5: traditional,
  'windows-1252': western,
}

describe.each(Object.entries(lists) as [OldEncoding, readonly string[]][])('a file in %s', (encoding, names) => {
  const encode = encoders[encoding]
  const read = (text: string) => {
    const bytes = encode(text)
    const detected = detectEncoding(bytes)
    return detected && new TextDecoder(detected).decode(bytes)
  }

  it.each(names)('is read if its only foreign word is %s', (name) => {
    for (const text of [name, `Name,Phone\r\n${name},0123456789\r\n`, `"${name}";10050`, `${name}\tAli\t${name}`])
      expect(read(text)).toBe(text)
  })

  it('is read for any rows of names', () => {
    const cell = constantFrom(...names, ...ascii)
    const rows = array(array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })
    const separator = constantFrom(',', ';', '\t')
    assert(
      property(rows, separator, constantFrom(...names), (table, between, name) => {
        const text = [[name, 'Ali'], ...table].map((row) => row.join(between)).join('\r\n')
        expect(read(text)).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a file in several scripts', () => {
  it('keeps accented letters and typographic quotes between Hanzi', () => {
    const text = 'Name,City\r\nAndré,槟城\r\nD’Aman,吉隆坡\r\n陈伟玲,Malé\r\n'
    const bytes = encoders.gb18030(text)
    expect(new TextDecoder(detectEncoding(bytes) ?? '').decode(bytes)).toBe(text)
    expect(detectEncoding(encoders.gb18030('André,Malé'))).toBe('gb18030')
  })

  it('is not read as Chinese if most of it is western', () => {
    const bytes = Buffer.concat([
      encoders['windows-1252']('André,Gérard Müller,Zoë\r\n'.repeat(5)),
      encoders.gb18030('陈伟玲\r\n'),
    ])
    expect(detectEncoding(bytes)).toBe('windows-1252')
  })
})

describe('a file that is no text in these encodings', () => {
  it.each([
    ['binary data with zero bytes', Buffer.from([0xff, 0x00, 0x41, 0xe9, 0x00, 0x00])],
    ['control characters', Buffer.from('Andr\xe9\x01\x02\x03,Ali', 'latin1')],
    ['bytes that windows-1252 does not have', Buffer.from('M\x81ller,Andr\x82', 'latin1')],
    ['Chinese with a damaged byte', Buffer.concat([encoders.gb18030('陈伟玲,王小明,张伟'), Buffer.from([0xff, 0x2c])])],
  ])('is refused: %s', (_, bytes) => {
    expect(detectEncoding(bytes)).toBeNull()
  })
})
