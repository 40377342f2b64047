import { describe, expect, it } from 'vitest'
import { keyRing, randomCode, randomToken, seal, unseal } from '../../src/lib/crypto.ts'

const keys = keyRing('3f9c1e7ab2d84056c9e1f0a7b35d2864')

describe('an encrypted value', () => {
  const key = keys.derive('settings')
  const sealed = seal(key, 'smtp password')

  it('decrypts with its key, but not with the key of another purpose or secret', () => {
    expect(unseal(key, sealed)).toBe('smtp password')
    expect(() => unseal(keys.derive('webhook secrets'), sealed)).toThrow()
    expect(() => unseal(keyRing('another secret, as long as this').derive('settings'), sealed)).toThrow()
  })

  it('does not decrypt once any of its bits is changed', () => {
    const bytes = Buffer.from(sealed, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => unseal(key, changed.toString('base64'))).toThrow()
    }
  })

  it('differs on each encryption', () => {
    expect(seal(key, 'smtp password')).not.toBe(sealed)
  })
})

describe('random values', () => {
  it('have 256 bits, or six digits where people type them', () => {
    const tokens = Array.from({ length: 1000 }, randomToken)
    expect(new Set(tokens).size).toBe(1000)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    for (let n = 0; n < 1000; n++) expect(randomCode()).toMatch(/^\d{6}$/)
  })
})
