// Tracking numbers: issued from a serial, and read from input.

import { findNumberProblem, type NumberProblem } from '@waybill/contract/ground/numbers/parcel-number'
import { checkDigit, postalTracking, readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { AppError } from '../../http/errors.ts'

/** The number of serials with ten digits. */
const modulus = 10_000_000_000n

/**
 * Coprime to the modulus (odd, and not a multiple of five), so that multiplication is a permutation. Far from any
 * simple fraction of the modulus, so that numbers do not look regular.
 */
const multiplier = 7_385_196_203n
const offset = 3_141_592_653n
/**
 * Half of the digits. `fold` mixes both halves, because after a multiplication alone neighbours differ by a constant.
 */
const half = 100_000n

function affine(value: bigint): bigint {
  return (value * multiplier + offset) % modulus
}

/** Two Feistel rounds in base 10^5: each half is shifted by a function of the other, which is always a permutation. */
function fold(value: bigint): bigint {
  const upper = value / half
  const lower = value % half
  const lowerNext = (lower + upper * upper + 57_731n * upper) % half
  const upperNext = (upper + lowerNext * lowerNext + 90_011n * lowerNext) % half
  return upperNext * half + lowerNext
}

/**
 * Maps a serial (from 1) by a fixed permutation of 0 … 10^10-1. Each serial has a unique number, and nobody can guess
 * the next one (docs/rules/parcels.md). Never change the constants: all issued numbers depend on them.
 */
export function permuteSerial(serial: number): number {
  return Number(affine(fold(affine(BigInt(serial) % modulus))))
}

/** The tracking number of a serial: prefix, ten digits, check digit. */
export function makeTrackingNumber(prefix: string, serial: number): string {
  const digits = String(permuteSerial(serial)).padStart(10, '0')
  return `${prefix}${digits}${checkDigit(digits)}`
}

/**
 * A number from user input. `problem` says why no parcel can have it, null if one can; `suggestion` corrects a typo.
 */
export type ParcelNumber = {
  /** In upper case, without spaces and dashes. */
  number: string
  problem: NumberProblem | null
  suggestion: string | null
}

/** Checks a number before it is looked up: ours by its check digit, those of carriers by their formats. */
export function parseParcelNumber(input: string, prefix: string): ParcelNumber {
  const reading = readTrackingNumber(input, prefix)
  return {
    number: reading.number,
    problem: findNumberProblem(input, prefix),
    suggestion: reading.kind === 'slip' ? reading.suggestion : null,
  }
}

/**
 * The normalised number. Throws tracking_number_slip (with `details.suggestion`), tracking_number_postal (with
 * `details.link`) or tracking_number_format if no parcel can have it.
 */
export function requireNumber(input: string, prefix: string): string {
  const { number, problem, suggestion } = parseParcelNumber(input, prefix)
  if (problem === 'slip') {
    throw new AppError('tracking_number_slip', {
      ...(suggestion ? { text: 'tracking_number_slip_meant' } : {}),
      vars: { number, suggestion },
      details: { number, suggestion },
    })
  }
  if (problem === 'postal') {
    throw new AppError('tracking_number_postal', { vars: { number }, details: { number, link: postalTracking } })
  }
  if (problem === 'format') throw new AppError('tracking_number_format', { vars: { number }, details: { number } })
  return number
}
