import type { Leg, ParcelStatus } from '@waybill/contract/ground/enums'
import { endStatuses } from '../status.ts'

type Collecting = { leg: Leg; collection_mode: string | null; cod_amount_minor: number | null }

/**
 * What the recipient pays at the door or the counter; null: nothing. What comes back to its sender costs nobody
 * anything.
 */
export function codDue({ leg, collection_mode, cod_amount_minor }: Collecting): number | null {
  const due = leg === 'outbound' && collection_mode !== null ? (cod_amount_minor ?? 0) : 0
  return due > 0 ? due : null
}

/** What still has to be collected: nothing once the parcel was handed out, which nobody does without its money. */
export function codStillDue(row: Collecting & { status: ParcelStatus }): number | null {
  return (endStatuses as readonly ParcelStatus[]).includes(row.status) ? null : codDue(row)
}
