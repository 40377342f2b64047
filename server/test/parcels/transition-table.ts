import { labelValues } from '@waybill/contract/ground/enums/labels'
import { type DeliveryMode, deliveryModeLabels, parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { isEnded } from '@waybill/contract/ground/status/parcel-status'
import {
  allowedEvents,
  nextParcelState,
  type ParcelState,
  type Transition,
  transitions,
} from '../../src/domains/parcels/status.ts'

const modes: (DeliveryMode | null)[] = [null, ...labelValues(deliveryModeLabels)]

/** All states that these ones lead to, including themselves. */
function followStates(starts: readonly ParcelState[], table: readonly Transition[]): ParcelState[] {
  const states = new Map<string, ParcelState>()
  const open = [...starts]
  for (let state = open.pop(); state; state = open.pop()) {
    const key = JSON.stringify(state)
    if (states.has(key)) continue
    states.set(key, state)
    for (const event of allowedEvents(state, table)) {
      // Only complete parcels, which have a delivery mode, go to the cart.
      if (event === 'added_to_cart' && state.deliveryMode === null) continue
      const next = nextParcelState(state, event, table)
      if (next) open.push(next)
    }
  }
  return [...states.values()]
}

/** All states that a new draft can reach, with each delivery mode. */
export function reachableStates(table: readonly Transition[] = transitions): ParcelState[] {
  const draft = { status: 'pending', handedOver: false, leg: 'outbound' } as const
  return followStates(
    modes.map((deliveryMode) => ({ ...draft, deliveryMode })),
    table,
  )
}

/**
 * Finds mistakes in the table: unreachable statuses, ambiguous rows, states without a way to an end, rows that never
 * apply.
 */
export function checkTable(table: readonly Transition[] = transitions): string[] {
  const problems: string[] = []
  const states = reachableStates(table)
  for (const status of labelValues(parcelStatusLabels)) {
    if (!states.some((state) => state.status === status)) problems.push(`no way leads to ${status}`)
  }
  const withoutLoss = table.filter(({ event }) => event !== 'lost')
  const usedRows = new Set<Transition>(table.filter((row) => row.from === null))
  for (const state of states) {
    const matching = table.filter((row) => allowedEvents(state, [row]).length > 0)
    for (const row of matching) usedRows.add(row)
    const events = matching.map((row) => row.event)
    const duplicate = events.find((event, index) => events.indexOf(event) !== index)
    if (duplicate) problems.push(`${duplicate} is ambiguous at ${JSON.stringify(state)}`)
    // A parcel must not have to be lost to end.
    const canEnd = followStates([state], withoutLoss).some(({ status }) => isEnded(status))
    if (!canEnd) problems.push(`no way out of ${JSON.stringify(state)}`)
  }
  for (const row of table)
    if (!usedRows.has(row)) problems.push(`${row.event} from ${row.from?.join(', ')} never applies`)
  return problems
}
