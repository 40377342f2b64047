import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base32, matchingStep, totpCode, totpStep, totpUri } from '../../../src/lib/totp.ts'

/** RFC 6238, appendix B, SHA-1: the secret is these 20 characters. The RFC has eight digits; we use the last six. */
const secret = Buffer.from('12345678901234567890')

describe('time-based codes', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('match RFC 6238 at %i seconds', (seconds, code) => {
    expect(totpCode(secret, totpStep(new Date(seconds * 1000)))).toBe(code.slice(2))
  })

  it('are accepted up to one step early or late, and only once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 60_000_000 }), fc.integer({ min: -3, max: 3 }), (step, drift) => {
        const at = new Date(step * 30_000)
        const code = totpCode(secret, step + drift)
        fc.pre([-1, 0, 1].every((each) => each === drift || totpCode(secret, step + each) !== code))
        expect(matchingStep(secret, code, at, 0)).toBe(Math.abs(drift) <= 1 ? step + drift : null)
        expect(matchingStep(secret, code, at, step + drift)).toBeNull()
      }),
    )
  })

  it('are set up in an app with a base32 secret', () => {
    // RFC 4648, section 10.
    const words = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar']
    expect(words.map((word) => base32(Buffer.from(word)))).toEqual([
      '',
      'MY',
      'MZXQ',
      'MZXW6',
      'MZXW6YQ',
      'MZXW6YTB',
      'MZXW6YTBOI',
    ])
    expect(totpUri('Way & bill', 'a@b.test', Buffer.from('foobar'))).toBe(
      'otpauth://totp/Way%20%26%20bill:a%40b.test?secret=MZXW6YTBOI&issuer=Way%20%26%20bill',
    )
  })
})
