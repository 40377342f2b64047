import type { Parcel } from '@waybill/contract/parcels/parcels'

/** The text that says why these parcels cannot be shipped again, or null: exactly one can, and no draft. */
export function whyNotRepeat(parcels: readonly Pick<Parcel, 'allowedActions'>[]): string | null {
  const [only] = parcels
  if (parcels.length > 1) return 'parcelsPage.repeatOne'
  return only?.allowedActions.includes('repeat') ? null : 'parcelsPage.repeatNone'
}
