/** The facts that every invoice and credit note states. */
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { billingParty } from '../../accounts/service.ts'
import type { Settings } from '../../settings/load-settings.ts'
import { sumLines } from '../rules.ts'

/** The seller or the buyer, as a document prints them. */
export type StoredParty = {
  name: string
  registrationNumber: string | null
  taxNumber: string | null
  address: string | null
  email: string | null
}

/** What a new invoice or credit note states, whatever it is for. */
export type DocumentFacts = {
  id: string
  seller: StoredParty
  buyer: StoredParty
  taxMinor: number
  /** In the deployment's time zone. */
  year: number
  at: Date
}

/** The facts of a new invoice or credit note of an order. `lines`: those of the document. */
export async function documentFacts(
  { settings, clock }: Deps,
  db: DbOrTx,
  order: { account_id: AccountId; buyer: StoredParty | null },
  lines: readonly PriceLine[],
): Promise<DocumentFacts> {
  const at = clock.now()
  return {
    id: newId(),
    seller: getSeller(settings),
    buyer: order.buyer ?? (await billingParty(db, order.account_id)),
    taxMinor: sumLines(lines, 'tax'),
    year: Number(dayIn(at, settings.get('timezone')).slice(0, 4)),
    at,
  }
}

/** The courier's current details, as invoices and credit notes print them. */
function getSeller(settings: Settings): StoredParty {
  return {
    name: settings.get('company.name'),
    registrationNumber: settings.get('company.registrationNumber'),
    taxNumber: settings.get('company.taxNumber'),
    address: settings.get('company.address'),
    email: null,
  }
}
