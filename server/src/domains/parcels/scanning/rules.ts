// What a recipient has to pay. Pure.
import type { Leg, ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { isEnded } from '@waybill/contract/ground/status/parcel-status'

type CashOnDelivery = { leg: Leg; collection_mode: string | null; cod_amount_minor: number | null }

/** The COD amount due at the door or the counter, in minor units; null: none, as for every return. */
export function codDue({ leg, collection_mode, cod_amount_minor }: CashOnDelivery): number | null {
  const due = leg === 'outbound' && collection_mode !== null ? (cod_amount_minor ?? 0) : 0
  return due > 0 ? due : null
}

/** `codDue` while the parcel is in transit: once it is handed out, the money is collected. */
export function codStillDue(row: CashOnDelivery & { status: ParcelStatus }): number | null {
  return isEnded(row.status) ? null : codDue(row)
}
