import type { Dimensions } from '@waybill/contract/ground/measures'

type SizeTexts = { length: string; width: string; height: string }

/**
 * Cells with the size of a carton. They name their unit: the server reads plain numbers in the deployment's unit, which
 * may differ from the user's own.
 */
export function cartonCells({ lengthMm, widthMm, heightMm }: Dimensions): SizeTexts {
  return { length: `${lengthMm} mm`, width: `${widthMm} mm`, height: `${heightMm} mm` }
}

/** Cells with a typed size. Numbers without a unit get `unit`, the user's own. */
export function typedSizeCells({ length, width, height }: SizeTexts, unit: string): SizeTexts {
  const withUnit = (text: string) => (/\p{L}\.?$/u.test(text.trim()) ? text.trim() : `${text.trim()} ${unit}`)
  return { length: withUnit(length), width: withUnit(width), height: withUnit(height) }
}
