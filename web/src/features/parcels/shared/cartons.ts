import type { Dimensions } from '@waybill/contract/ground/measures'

/** Sizes of common cartons, in millimetres. */
export const cartons: Readonly<Record<'s' | 'm' | 'l', Dimensions>> = {
  s: { lengthMm: 200, widthMm: 150, heightMm: 100 },
  m: { lengthMm: 300, widthMm: 250, heightMm: 150 },
  l: { lengthMm: 400, widthMm: 300, heightMm: 300 },
}
export const cartonNames = ['s', 'm', 'l'] as const
