// Numbers of containers that people type and scan: a short number with a check digit, and an SSCC of GS1. Pure.
import { checkDigit } from '@waybill/contract/ground/tracking-number'

/** The GS1 check digit (modulo 10, weights 3 and 1 from the right). */
export function gs1CheckDigit(digits: string): number {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) sum += Number(digit) * (index % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

/** Serial shipping container code: extension digit 0, company prefix and serial (16 digits together), check digit. */
export function makeSscc(companyPrefix: string, serial: number): string {
  const room = 16 - companyPrefix.length
  const digits = `0${companyPrefix}${String(serial % 10 ** room).padStart(room, '0')}`
  return `${digits}${gs1CheckDigit(digits)}`
}

/** A number that people can type, `GY` and 1 -> `GY000000013`: eight digits and an ISO 7064 check digit. */
export function makeContainerNumber(prefix: string, serial: number): string {
  const digits = String(serial).padStart(8, '0')
  return `${prefix}${digits}${checkDigit(digits)}`
}

export type ContainerCode = { by: 'sscc' | 'number'; value: string } | { by: 'slip'; value: string } | null

/**
 * Parses a scanned or typed code: an SSCC with or without its GS1-128 identifier, or a number with this prefix of two
 * letters. Null: another kind of code; `slip`: its check digit is wrong.
 */
export function parseContainerCode(input: string, prefix: string): ContainerCode {
  const value = input
    .trim()
    .toUpperCase()
    .replace(/^\]C1/, '')
    .replace(/[^0-9A-Z]/g, '')
  const sscc = /^(?:00)?(\d{18})$/.exec(value)?.[1]
  if (sscc) {
    const right = gs1CheckDigit(sscc.slice(0, 17)) === Number(sscc[17])
    return { by: right ? 'sscc' : 'slip', value: sscc }
  }
  if (!value.startsWith(prefix)) return null
  const digits = value.slice(prefix.length)
  if (!/^\d{9}$/.test(digits)) return /^\d{7,11}$/.test(digits) ? { by: 'slip', value } : null
  return { by: checkDigit(digits.slice(0, 8)) === Number(digits[8]) ? 'number' : 'slip', value }
}
