import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWeakPin } from '../../src/domains/wallet/rules.ts'
import { testPin } from '../testing/factories/wallet.ts'

describe('weak PINs', () => {
  it('are those that anyone would try first', () => {
    for (const pin of ['000000', '999999', '123456', '654321', '012345', '890123', '321098', '121212', '123123'])
      expect(isWeakPin(pin), pin).toBe(true)
    for (const pin of [testPin, '305817', '112233', '135790']) expect(isWeakPin(pin), pin).toBe(false)
  })

  it('are few', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 9 }), (digit) => isWeakPin(String(digit).repeat(6))))
    let weak = 0
    for (let pin = 0; pin < 1_000_000; pin += 1) if (isWeakPin(String(pin).padStart(6, '0'))) weak += 1
    expect(weak).toBeLessThan(1200)
  })
})
