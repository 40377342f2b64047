import type { Parcel } from '@waybill/contract/parcels/parcels'

/** Parcels of a checkout that waits for its payment. They are listed above the cart, with the way to pay. */
export const listInCheckout = <P extends Pick<Parcel, 'orderId'>>(parcels: readonly P[]): P[] =>
  parcels.filter(({ orderId }) => orderId !== null)

/**
 * The ids that a checkout of the cart leaves out: those that the user chose, or at first the parcels of a checkout that
 * waits. None is offered for payment twice.
 */
export const listExcluded = (
  parcels: readonly Pick<Parcel, 'id' | 'orderId'>[],
  chosenIds: ReadonlySet<string> | null,
): ReadonlySet<string> => chosenIds ?? new Set(listInCheckout(parcels).map(({ id }) => id))
