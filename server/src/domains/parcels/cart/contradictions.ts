// Cities and states that do not fit their postcode, and senders who ship to them all the same.
import type { Party } from '@waybill/contract/addresses/addresses'
import { contradictionFields, type ParcelOverride } from '@waybill/contract/parcels/parcels'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem } from '../../../http/errors.ts'
import { findContradictions, keepOverrides, withoutOverridden } from '../../addresses/contradictions.ts'
import type { ParcelRow } from '../queries.ts'

type Field = ParcelOverride['field']
type Parties = { sender: Party | null; receiver: Party | null }
type Contradiction = { field: Field; written: string; postcode: string; problem: FieldProblem }

/** The cities and states that do not match the postcode. */
function contradictionsIn({ sender, receiver }: Parties): Contradiction[] {
  return [['sender', sender] as const, ['receiver', receiver] as const].flatMap(([side, party]) =>
    (party ? findContradictions(party) : []).flatMap(({ field, rule, vars, ...text }): Contradiction[] => {
      const path = contradictionFields.find((name) => name === `${side}.${field}`)
      return path ? [{ ...text, field: path, problem: { field: path, rule, vars } }] : []
    }),
  )
}

/**
 * The overridden contradictions to store with the parcel: those of this request, and those stored before whose values
 * have not changed. Null: none.
 */
export function overriddenContradictions(
  deps: Deps,
  caller: CustomerCaller,
  parties: Parties,
  override: readonly Field[],
  before: readonly ParcelOverride[] | null,
): ParcelOverride[] | null {
  const request = { fields: override, by: caller.userId, at: deps.clock.now() }
  const overrides = keepOverrides(contradictionsIn(parties), request, before ?? [])
  return overrides.length > 0 ? overrides : null
}

/**
 * Throws address_contradiction with each contradiction that the sender does not override; `details.override` has the
 * values for `override`.
 */
export function requireNoContradictions(
  rows: readonly Pick<ParcelRow, 'id' | 'sender' | 'receiver' | 'shipped_anyway'>[],
): void {
  const open = rows.flatMap((row) =>
    withoutOverridden(contradictionsIn(row), row.shipped_anyway ?? []).map((one) => ({ ...one, id: row.id })),
  )
  if (open.length === 0) return
  throw new AppError('address_contradiction', {
    fields: open.map(({ problem }) => problem),
    details: { override: [...new Set(open.map(({ field }) => field))], ids: [...new Set(open.map(({ id }) => id))] },
  })
}
