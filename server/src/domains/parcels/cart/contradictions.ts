import type { Party } from '@waybill/contract/addresses/addresses'
import { contradictionFields, type ShippedAnyway } from '@waybill/contract/parcels/parcels'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem } from '../../../http/errors.ts'
import { findContradictions } from '../../addresses/service.ts'
import type { ParcelRow } from '../queries.ts'

type Field = ShippedAnyway['field']
type Parties = { sender: Party | null; receiver: Party | null }
type Contradiction = { field: Field; written: string; postcode: string; problem: FieldProblem }

/** What contradicts itself in the parties: a state or a town that isn't the postcode's. */
function contradictionsIn({ sender, receiver }: Parties): Contradiction[] {
  return [['sender', sender] as const, ['receiver', receiver] as const].flatMap(([side, party]) =>
    (party ? findContradictions(party) : []).flatMap(({ field, rule, vars }): Contradiction[] => {
      const path = contradictionFields.find((known) => known === `${side}.${field}`)
      if (!party || !path) return []
      const written = field === 'state' ? party.state : party.city
      return [{ field: path, written, postcode: party.postcode, problem: { field: path, rule, vars } }]
    }),
  )
}

/** What the sender insists on, as it is kept with the parcel: said now, or said before of the same words. */
export function overriddenContradictions(
  deps: Deps,
  caller: CustomerCaller,
  parties: Parties,
  shipAnyway: readonly Field[],
  before: readonly ShippedAnyway[] | null,
): ShippedAnyway[] | null {
  const kept = contradictionsIn(parties).flatMap(({ field, written, postcode }): ShippedAnyway[] => {
    const said = before?.find((one) => one.field === field && one.written === written && one.postcode === postcode)
    if (said) return [said]
    if (!shipAnyway.includes(field)) return []
    return [{ field, written, postcode, by: caller.userId, at: deps.clock.now().toISOString() }]
  })
  return kept.length > 0 ? kept : null
}

/**
 * Throws address_contradiction naming each field that nobody has insisted on; `details.insist` is what `shipAnyway`
 * would take.
 */
export function requireNoContradictions(
  rows: readonly Pick<ParcelRow, 'id' | 'sender' | 'receiver' | 'shipped_anyway'>[],
): void {
  const open = rows.flatMap((row) =>
    contradictionsIn(row)
      .filter(
        ({ field, written, postcode }) =>
          !row.shipped_anyway?.some(
            (said) => said.field === field && said.written === written && said.postcode === postcode,
          ),
      )
      .map((each) => ({ ...each, id: row.id })),
  )
  if (open.length === 0) return
  throw new AppError('address_contradiction', {
    fields: open.map(({ problem }) => problem),
    details: { insist: [...new Set(open.map(({ field }) => field))], ids: [...new Set(open.map(({ id }) => id))] },
  })
}
