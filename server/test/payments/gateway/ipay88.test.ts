import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountText,
  answerFields,
  failureReason,
  type GatewayAnswer,
  type Merchant,
  parseAmount,
  parseEnquiry,
  parseGatewayPost,
  requestFields,
  requestSignature,
  responseSignature,
  type SignatureType,
  signatureFits,
} from '../../../src/domains/payments/gateway/ipay88.ts'

const merchant = (signatureType: SignatureType): Merchant => ({
  merchantCode: 'M00003',
  merchantKey: 'apple',
  signatureType,
})

const answer = (changes: Partial<GatewayAnswer> = {}): GatewayAnswer => ({
  merchantCode: 'M00003',
  paymentId: '2',
  reference: 'A00000001',
  amount: '1.00',
  currency: 'MYR',
  remark: '',
  transactionId: 'T1',
  authCode: '',
  status: '1',
  errorText: '',
  signature: '',
  ...changes,
})

describe('signatures of iPay88', () => {
  it('of a request match the published examples', () => {
    const of = (type: SignatureType) => requestSignature(merchant(type), 'A00000001', '1.00', 'MYR')
    expect(of('SHA1')).toBe('84dNMbfgjLMS42IqSTPqQ99cUGA=')
    expect(of('SHA256')).toBe('110f0be755ccfa9373aa38104bafbc5c6e5462344e44bcfbb70439c82b4b07fa')
    expect(of('HMACSHA512')).toBe(
      'c41859fed9b4ac135990cc10737ff3a37ad1e0eaa3e0f2235a652172fe346541' +
        '3449b2e73acb782bb14a1b2e32792e91dc03fd2da355432de86df6730ed70e9a',
    )
    const philippines = { merchantCode: 'PH00001', merchantKey: 'apple', signatureType: 'SHA1' as const }
    expect(requestSignature(philippines, 'A00000001', '129.03', 'PHP')).toBe('iBGblPHK3XRRxAhfHxSxfw2jav8=')
  })

  it('of a response match the published examples', () => {
    expect(responseSignature(merchant('SHA256'), answer())).toBe(
      'f173a2521d178574caab19ab7ddd04b299dbc0d656a26c1d1aabf9187dfbf352',
    )
    expect(responseSignature(merchant('HMACSHA512'), answer())).toBe(
      '2b8bcaf66881a9f02a7a2b470cbdf958a86d92f2169774de1062db0376545b06' +
        '1c98f78827db0dbe8aacf908982d5777f577370e19658649a9794c7168b5a5d7',
    )
    expect(responseSignature(merchant('SHA1'), answer({ reference: '12345', amount: '2,741.16' }))).toBe(
      '0X0Yq8zEmJ3ddMtn8e/1suethT8=',
    )
  })

  it.each(['HMACSHA512', 'SHA256', 'SHA1'] as const)('match only the response that they were made for (%s)', (type) => {
    const signed = parseGatewayPost(answerFields(merchant(type), answer()))
    expect(signatureFits(merchant(type), signed)).toBe(true)
    for (const changed of [
      { status: '0' },
      { amount: '1.01' },
      { currency: 'SGD' },
      { reference: 'A00000002' },
      { paymentId: '6' },
      { signature: '' },
      { signature: signed.signature.slice(0, -1) },
    ]) {
      expect(signatureFits(merchant(type), { ...signed, ...changed }), JSON.stringify(changed)).toBe(false)
    }
    expect(signatureFits({ ...merchant(type), merchantKey: 'pear' }, signed)).toBe(false)
  })
})

describe('the request form', () => {
  const request = {
    reference: 'A00000001',
    amountMinor: 127_899,
    currency: 'MYR',
    channel: 2,
    description: '包'.repeat(120),
    userName: '🙂'.repeat(60),
    userEmail: 'a@example.test',
    userContact: '+60123456789',
    responseUrl: 'https://portal.example/r',
    backendUrl: 'https://portal.example/b',
  }

  it('truncates to the field lengths without splitting a character', () => {
    const fields = requestFields(merchant('HMACSHA512'), request)
    expect(fields.ProdDesc).toBe('包'.repeat(100))
    expect(fields.UserName).toBe('🙂'.repeat(50))
    expect(fields.Amount).toBe('1,278.99')
    expect(fields.SignatureType).toBe('HMACSHA512')
    expect(fields.Signature).toBe(requestSignature(merchant('HMACSHA512'), 'A00000001', '1,278.99', 'MYR'))
  })

  it('names no signature type if the gateway does not support one', () => {
    expect(requestFields(merchant('SHA1'), request)).not.toHaveProperty('SignatureType')
  })
})

describe('amounts', () => {
  it('have two decimals and a comma every three digits', () => {
    expect([0, 1, 10, 100, 127_899, 100_000_000].map(amountText)).toEqual([
      '0.00',
      '0.01',
      '0.10',
      '1.00',
      '1,278.99',
      '1,000,000.00',
    ])
    expect(() => amountText(1.5)).toThrow(RangeError)
    expect(() => amountText(-1)).toThrow(RangeError)
  })

  it('are parsed as they were formatted', () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (minor) => {
        expect(parseAmount(amountText(minor))).toBe(minor)
      }),
    )
  })

  it('are rejected in any other format', () => {
    for (const text of ['', '1', '1.0', '1,00.00', '10,0.00', '1e3.00', '-1.00', ' 1.00', '１.00']) {
      expect(parseAmount(text), text).toBeNull()
    }
    expect(parseAmount('1278.99')).toBe(127_899)
  })
})

describe('the texts of the gateway', () => {
  it('are mapped for a re-query', () => {
    expect(parseEnquiry('00')).toBe('paid')
    expect(parseEnquiry('Payment fail\r\n')).toBe('failed')
    expect(parseEnquiry('Record not found')).toBe('not_found')
    expect(parseEnquiry('Incorrect amount')).toBe('wrong_amount')
    for (const text of ['Invalid parameters', 'M88Admin', 'Limited by per day maximum number of requery'])
      expect(parseEnquiry(text)).toBe('refused')
    for (const text of ['', '0', '000', '<html>00</html>']) expect(parseEnquiry(text)).toBe('unavailable')
  })

  it('are mapped for a failure', () => {
    expect(failureReason('Customer Cancel Transaction')).toBe('cancelled')
    expect(failureReason('Fail(Bank Declined Transaction)')).toBe('declined')
    expect(failureReason('Permission not allow (referrer not registered)')).toBe('request')
    expect(failureReason('Transaction Timeout')).toBe('timeout')
    expect(failureReason('Something new')).toBe('other')
    expect(failureReason('')).toBe('other')
  })
})
