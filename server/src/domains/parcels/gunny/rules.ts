// Numbers of gunnies, and the comparison of a count with what was expected. Pure.
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

const prefix = 'GY'

/** A number that people can type, `1` -> `GY000000013`: eight digits and an ISO 7064 check digit. */
export function makeGunnyNumber(serial: number): string {
  const digits = String(serial).padStart(8, '0')
  return `${prefix}${digits}${checkDigit(digits)}`
}

export type GunnyReading = { by: 'sscc' | 'number'; value: string } | { by: 'slip'; value: string } | null

/**
 * Parses a scanned or typed code: an SSCC with or without its GS1-128 identifier, or a number. Null: not a gunny's
 * code; `slip`: its check digit is wrong.
 */
export function parseGunnyNumber(input: string): GunnyReading {
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
  const digits = /^GY(\d{9})$/.exec(value)?.[1]
  if (!digits) return /^GY\d{7,11}$/.test(value) ? { by: 'slip', value } : null
  return { by: checkDigit(digits.slice(0, 8)) === Number(digits[8]) ? 'number' : 'slip', value }
}

export type CountResult<R> = { moving: R[]; expected: R[]; missing: R[]; extra: R[]; refused: R[] }

/**
 * Compares the parcels of a gunny with the scanned ones. `fits` decides whether a parcel may move. `scanned` null: the
 * seal is intact, so everything is there.
 */
export function countGunny<R extends { id: string }>(
  members: readonly R[],
  scanned: readonly R[] | null,
  fits: (row: R) => boolean,
): CountResult<R> {
  const expected = members.filter(fits)
  const contents = scanned ?? expected
  const contentIds = new Set(contents.map(({ id }) => id))
  const memberIds = new Set(members.map(({ id }) => id))
  const moving = contents.filter(fits)
  return {
    moving,
    expected,
    missing: expected.filter(({ id }) => !contentIds.has(id)),
    extra: moving.filter(({ id }) => !memberIds.has(id)),
    refused: contents.filter((row) => !fits(row)),
  }
}
