// Our own network as a carrier.
import type { Deps } from '../../deps.ts'
import { quoteServices } from '../pricing/service.ts'
import type { CarrierClient } from './carrier.ts'

/** A client without a remote side: a booking is our own tracking number, and scans write the timeline themselves. */
export function createOwnNetworkClient(deps: Deps): CarrierClient {
  return {
    trackAtOnce: 1000,
    async rate(shipment) {
      const quotes = await quoteServices(
        deps,
        {
          scope: shipment.scope,
          deliveryMode: 'D2D',
          sender: shipment.sender,
          receiver: shipment.receiver,
          dropOffStationId: null,
          selfCollectionStationId: null,
          weightGrams: shipment.weightGrams,
          dimensions: shipment.dimensions,
          insuredValueMinor: null,
          codAmountMinor: shipment.codAmountMinor,
        },
        null,
        undefined,
        'own',
      )
      return quotes.flatMap(({ open, serviceType, price, transitDays }) =>
        open && price
          ? [
              {
                product: serviceType,
                name: serviceType,
                priceMinor: price.totalMinor,
                currency: price.currency,
                days: transitDays,
              },
            ]
          : [],
      )
    },
    book: async ({ trackingNumber }) => ({ carrierNumber: trackingNumber, label: null }),
    find: async ({ trackingNumber }) => ({ carrierNumber: trackingNumber, label: null }),
    // The consignment note is the label.
    label: async () => null,
    cancel: async () => undefined,
    subscribe: async (parcels) => parcels.map(({ carrierNumber }) => carrierNumber),
    track: async () => new Map(),
  }
}
