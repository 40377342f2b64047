import type { Leg } from '@waybill/contract/enums'

type Collecting = { leg: Leg; collection_mode: string | null; cod_amount_minor: number | null }

/** What the recipient pays at the door or the counter; null: nothing. What comes back to its sender costs nobody anything. */
export function codDue({ leg, collection_mode, cod_amount_minor }: Collecting): number | null {
  const due = leg === 'outbound' && collection_mode !== null ? (cod_amount_minor ?? 0) : 0
  return due > 0 ? due : null
}
