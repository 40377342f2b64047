import { checkDigit, postalTracking, readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { AppError } from '../../http/errors.ts'

/** How many serials ten digits hold. */
const modulus = 10_000_000_000n

/**
 * Odd and no multiple of five, so it has no factor with the modulus: multiplying permutes. Far from any simple fraction
 * of it.
 */
const multiplier = 7_385_196_203n
const offset = 3_141_592_653n
/**
 * Folds the upper half into the lower one between the two multiplications, so that neighbours do not lie a fixed step
 * apart.
 */
const half = 100_000n

function affine(value: bigint): bigint {
  return (value * multiplier + offset) % modulus
}

/**
 * Two halves of five digits; each is shifted by a figure of the other: a Feistel round in base 10^5, so a permutation
 * whatever the figure is.
 */
function fold(value: bigint): bigint {
  const upper = value / half
  const lower = value % half
  const lowerNext = (lower + upper * upper + 57_731n * upper) % half
  const upperNext = (upper + lowerNext * lowerNext + 90_011n * lowerNext) % half
  return upperNext * half + lowerNext
}

/**
 * A serial (from 1) through a fixed permutation of 0 … 10^10-1: every serial has a number of its own, and a number does
 * not tell its neighbours (docs/rules/parcels.md). The constants are part of every number issued: never change them.
 */
export function permuteSerial(serial: number): number {
  return Number(affine(fold(affine(BigInt(serial) % modulus))))
}

/** `('WB', 1)` -> the first tracking number: prefix, ten digits, check digit. */
export function makeTrackingNumber(prefix: string, serial: number): string {
  const digits = String(permuteSerial(serial)).padStart(10, '0')
  return `${prefix}${digits}${checkDigit(digits)}`
}

/**
 * What a number that somebody gave is: `problem` null says that a parcel may have it; else why none can, perhaps with
 * what was meant.
 */
export type ParcelNumber = {
  /** Upper case, without spaces and dashes. */
  number: string
  problem: 'slip' | 'format' | 'postal' | null
  suggestion: string | null
}

/** Reads a number before anything is looked up: ours by its check digit, those of other carriers by their formats. */
export function parseParcelNumber(input: string, prefix: string): ParcelNumber {
  const reading = readTrackingNumber(input, prefix)
  const { number } = reading
  switch (reading.kind) {
    case 'own':
    case 'dhl':
    case 'yunda':
      return { number, problem: null, suggestion: null }
    case 'slip':
      return { number, problem: 'slip', suggestion: reading.suggestion }
    case 's10':
      // A designated post's number: rightly formed, but never one of ours.
      return { number, problem: 'postal', suggestion: null }
    case 'unknown': {
      // A deployment may have changed its prefix: notes of before still travel.
      const [, digits = '', check] = /^[A-Z]{2,4}(\d{10})(\d)$/.exec(number) ?? []
      const before = check !== undefined && checkDigit(digits) === Number(check)
      return { number, problem: before ? null : 'format', suggestion: null }
    }
  }
}

/**
 * The number, normalised; throws tracking_number_slip (with `details.suggestion`), tracking_number_postal
 * (`details.link`) or tracking_number_format when none can be so.
 */
export function requireNumber(input: string, prefix: string): string {
  const { number, problem, suggestion } = parseParcelNumber(input, prefix)
  if (problem === 'slip') {
    throw new AppError('tracking_number_slip', {
      // i18next takes the text with the suggestion where there is one.
      vars: { number, suggestion, ...(suggestion ? { context: 'meant' } : {}) },
      details: { number, suggestion },
    })
  }
  if (problem === 'postal') {
    throw new AppError('tracking_number_postal', { vars: { number }, details: { number, link: postalTracking } })
  }
  if (problem === 'format') throw new AppError('tracking_number_format', { vars: { number }, details: { number } })
  return number
}
