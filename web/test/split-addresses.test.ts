import { expect, test } from 'vitest'
import { splitAddresses } from '../src/features/parcels/paste/split-addresses.ts'

const ahmad = 'Ahmad bin Ali (012-3456789) No.5, Jln Raja Laut, 50350 KL'
const lim = 'Mrs Lim / 016 777 8888 / Blk B-12-3A, Jalan Ampang, 50450 Kuala Lumpur'
const inLines = 'Siti Aminah\n019-876 5432\n12 Jalan SS2/72\n47300 Petaling Jaya'

test('does not split a single address in one line, in several lines, or with an empty line in it', () => {
  expect(splitAddresses(ahmad)).toEqual([{ side: null, text: ahmad }])
  expect(splitAddresses(inLines)).toEqual([{ side: null, text: inLines }])
  const withEmptyLines = 'Siti Aminah\n019-876 5432\n\n12 Jalan SS2/72\n47300 Petaling Jaya\n\npls call before 5pm'
  expect(splitAddresses(withEmptyLines)).toEqual([{ side: null, text: withEmptyLines }])
})

test('splits several addresses in one line each, in one paragraph each, or directly below each other', () => {
  expect(splitAddresses(`${ahmad}\n${lim}`).map(({ text }) => text)).toEqual([ahmad, lim])
  expect(splitAddresses(`${ahmad}\r\n\r\n${lim}\r\nleave at the guard house`).map(({ text }) => text)).toEqual([
    ahmad,
    `${lim}\nleave at the guard house`,
  ])
  expect(splitAddresses(`${inLines}\n${inLines}\n${ahmad}`).map(({ text }) => text)).toEqual([inLines, inLines, ahmad])
})

test('recognises the sender and the receiver by their labels', () => {
  expect(splitAddresses(`From:\n${inLines}`)).toEqual([{ side: 'sender', text: inLines }])
  expect(splitAddresses(`To: ${ahmad}`)).toEqual([{ side: 'receiver', text: ahmad }])
  expect(splitAddresses(`From: ${lim}\nTo:\n${inLines}`)).toEqual([
    { side: 'sender', text: lim },
    { side: 'receiver', text: inLines },
  ])
  expect(splitAddresses('寄件人：陈伟明 012-3456789 吉隆坡 50480 收件人：林美玲 0167788990 槟城 10050')).toEqual([
    { side: 'sender', text: '寄件人：陈伟明 012-3456789 吉隆坡 50480' },
    { side: 'receiver', text: '收件人：林美玲 0167788990 槟城 10050' },
  ])
})

test('returns a text without an address as one text', () => {
  expect(splitAddresses('Ali')).toEqual([{ side: null, text: 'Ali' }])
  expect(splitAddresses('  \n ')).toEqual([])
})
