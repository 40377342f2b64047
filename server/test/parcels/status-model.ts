import type { ParcelEvent, ParcelState } from '../../src/domains/parcels/status.ts'

/**
 * A second, independent model of the statuses and their transitions. It is written from docs/rules, not from the
 * transition table.
 */
export function modelNext(state: ParcelState, event: ParcelEvent): ParcelState | null {
  const { status, deliveryMode, handedOver, leg } = state
  const riderComes = deliveryMode === 'D2D' || deliveryMode === 'D2P'
  const back = leg === 'return'
  const toTheDoor = deliveryMode === 'D2D' || deliveryMode === 'P2D'
  const to = (next: ParcelState['status'], change: Partial<ParcelState> = {}): ParcelState => ({
    ...state,
    status: next,
    ...change,
  })
  const waits = () => to(riderComes ? 'pending_pickup' : 'pending_dropoff')
  switch (status) {
    case 'pending':
      if (event === 'added_to_cart') return to('incart')
      return event === 'cancelled' ? to('cancel') : null
    case 'incart':
      if (event === 'taken_out') return to('pending')
      if (event === 'checkout_gateway' || event === 'checkout_approval') return to('pending_payment')
      if (event === 'checkout_store') return riderComes ? null : to('outstanding')
      if (event === 'checkout_credit' || event === 'checkout_billing') return waits()
      return event === 'cancelled' ? to('cancel') : null
    case 'pending_payment':
      if (event === 'payment_succeeded' || event === 'checkout_approved') return waits()
      if (event === 'payment_failed' || event === 'payment_expired' || event === 'checkout_abandoned')
        return to('incart')
      return event === 'cancelled' ? to('cancel') : null
    case 'outstanding':
      if (handedOver && event === 'lost') return to('lost')
      if (handedOver) return event === 'difference_paid' || event === 'difference_waived' ? to('inbound') : null
      if (event === 'due_paid') return to('pending_dropoff')
      return event === 'cancelled' ? to('cancel') : null
    case 'pending_pickup':
      if (event === 'picked_up') return to('inbound', { handedOver: true })
      return event === 'cancelled' ? to('cancel') : null
    case 'pending_dropoff':
      if (event === 'accepted') return to('inbound', { handedOver: true })
      return event === 'cancelled' ? to('cancel') : null
    case 'inbound':
      if (event === 'lost') return to('lost')
      if (event === 'reweighed_heavier') return to('outstanding')
      if (event === 'sorted') return to('sorting')
      if (event === 'departed') return to('outbound')
      if (event === 'out_for_delivery') return toTheDoor || back ? to('delivering') : null
      if (event === 'handed_over') return toTheDoor || back ? null : to('collected')
      if (event === 'return_received') return back ? to('completed') : null
      return event === 'recalled' ? to('recall') : null
    case 'sorting':
      if (event === 'lost') return to('lost')
      if (event === 'reweighed_heavier') return to('outstanding')
      if (event === 'departed') return to('outbound')
      if (event === 'out_for_delivery') return toTheDoor || back ? to('delivering') : null
      if (event === 'handed_over') return toTheDoor || back ? null : to('collected')
      if (event === 'return_received') return back ? to('completed') : null
      return event === 'recalled' ? to('recall') : null
    case 'outbound':
      if (event === 'lost') return to('lost')
      if (event === 'arrived') return to('inbound')
      return event === 'recalled' ? to('recall') : null
    case 'delivering':
      if (event === 'lost') return to('lost')
      if (event === 'delivered') return to('completed')
      return event === 'attempt_failed' ? to('fail-to-deliver') : null
    case 'fail-to-deliver':
      if (event === 'lost') return to('lost')
      if (event === 'next_attempt') return to('delivering')
      if (event === 'redirected' || event === 'diverted') return leg === 'outbound' ? to('outbound') : null
      return event === 'recalled' ? to('recall') : null
    case 'recall':
      if (event === 'lost') return to('lost')
      if (event === 'departed' || event === 'arrived') return to('recall')
      return event === 'return_received' ? to('completed', { leg: 'return' }) : null
    case 'completed':
    case 'collected':
      return event === 'return_requested' && leg === 'outbound' ? to('reverse_pickup') : null
    case 'reverse_pickup':
      return event === 'return_picked_up' ? to('inbound', { leg: 'return' }) : null
    case 'lost':
      return event === 'arrived' ? to('inbound') : null
    case 'cancel':
      return event === 'refunded' ? to('refunded') : null
    case 'refunded':
      return null
  }
}
