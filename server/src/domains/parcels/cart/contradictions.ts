// Cities and states that do not fit their postcode, and senders who ship to them all the same.
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

/** The cities and states that do not fit the postcode. */
function contradictionsIn({ sender, receiver }: Parties): Contradiction[] {
  return [['sender', sender] as const, ['receiver', receiver] as const].flatMap(([side, party]) =>
    (party ? findContradictions(party) : []).flatMap(({ field, rule, vars }): Contradiction[] => {
      const path = contradictionFields.find((name) => name === `${side}.${field}`)
      if (!party || !path) return []
      const text = field === 'state' ? party.state : party.city
      return [{ field: path, written: text, postcode: party.postcode, problem: { field: path, rule, vars } }]
    }),
  )
}

/**
 * The contradictions that the sender overrides, as they are stored with the parcel: those of this request, and those
 * stored before whose values have not changed. Null: none.
 */
export function overriddenContradictions(
  deps: Deps,
  caller: CustomerCaller,
  parties: Parties,
  shipAnyway: readonly Field[],
  before: readonly ShippedAnyway[] | null,
): ShippedAnyway[] | null {
  const overrides = contradictionsIn(parties).flatMap(({ field, written: text, postcode }): ShippedAnyway[] => {
    const earlier = before?.find((one) => one.field === field && one.written === text && one.postcode === postcode)
    if (earlier) return [earlier]
    if (!shipAnyway.includes(field)) return []
    return [{ field, written: text, postcode, by: caller.userId, at: deps.clock.now().toISOString() }]
  })
  return overrides.length > 0 ? overrides : null
}

/**
 * Throws address_contradiction with each contradiction that the sender does not override; `details.insist` has the
 * values for `shipAnyway`.
 */
export function requireNoContradictions(
  rows: readonly Pick<ParcelRow, 'id' | 'sender' | 'receiver' | 'shipped_anyway'>[],
): void {
  const open = rows.flatMap((row) =>
    contradictionsIn(row)
      .filter(
        ({ field, written: text, postcode }) =>
          !row.shipped_anyway?.some((one) => one.field === field && one.written === text && one.postcode === postcode),
      )
      .map((contradiction) => ({ ...contradiction, id: row.id })),
  )
  if (open.length === 0) return
  throw new AppError('address_contradiction', {
    fields: open.map(({ problem }) => problem),
    details: { insist: [...new Set(open.map(({ field }) => field))], ids: [...new Set(open.map(({ id }) => id))] },
  })
}
