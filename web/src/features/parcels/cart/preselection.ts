import type { Parcel } from '@waybill/contract/parcels/parcels'

/** Parcels of a checkout that waits for its payment. They are listed above the cart, with a link to the payment. */
export const listInCheckout = <P extends Pick<Parcel, 'orderId'>>(parcels: readonly P[]): P[] =>
  parcels.filter(({ orderId }) => orderId !== null)

/**
 * The ids that a checkout of the cart excludes: those that the user excluded, or at first the parcels of a waiting
 * checkout, so that none is offered for payment twice.
 */
export const listExcluded = (
  parcels: readonly Pick<Parcel, 'id' | 'orderId'>[],
  chosenIds: ReadonlySet<string> | null,
): ReadonlySet<string> => chosenIds ?? new Set(listInCheckout(parcels).map(({ id }) => id))
