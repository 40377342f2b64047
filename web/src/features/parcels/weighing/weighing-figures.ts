import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import type { Weighing } from '@waybill/contract/parcels/weighing'

type Weights = Pick<Weighing, 'declaredGrams' | 'weightGrams' | 'chargeableBeforeGrams' | 'chargeableGrams'>

/** The weights of a re-weighing, each shown once. A weight that would repeat another one is null. */
export function listWeighingFigures(weighing: Weights) {
  const { declaredGrams, weightGrams, chargeableBeforeGrams: before, chargeableGrams: after } = weighing
  // If charged by actual weight, the chargeable weights would repeat the declared and the measured one.
  const repeats = before === declaredGrams && after === weightGrams
  return {
    declared: declaredGrams === weightGrams ? null : declaredGrams,
    measured: weightGrams,
    charged: repeats ? null : { before: before === after ? null : before, after },
  }
}

/** Whether a station has weighed the parcel. */
export function isReweighed({ actualGrams, events }: ParcelDetail): boolean {
  return actualGrams !== null || events.some(({ event }) => event === 'reweighed_heavier')
}
