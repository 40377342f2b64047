import { isGoingBack } from '@waybill/contract/ground/status/parcel-status'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import type { StaffParcel } from '@waybill/contract/parcels/scanning'
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

export type SizeValues = { lengthMm: number | null; widthMm: number | null; heightMm: number | null }
export const blankSize: SizeValues = { lengthMm: null, widthMm: null, heightMm: null }

/** Whether a form has at least one length: then all three are required. */
export const hasSize = (size: SizeValues) => Object.values(size).some((side) => side !== null)

/** The values of a form for the API: without any length there is no new size. */
export function withSize<V extends { dimensions: SizeValues }>(values: V) {
  return { ...values, dimensions: hasSize(values.dimensions) ? values.dimensions : null }
}

/** Why a station cannot weigh a parcel: a key of `reweighPage`. */
export function whyNotWeighed(
  { leg, status, custody }: Pick<StaffParcel, 'leg' | 'status' | 'custody'>,
  ownStationId: string | null,
): 'goingBack' | 'notNow' | 'notHere' {
  if (isGoingBack({ leg, status })) return 'goingBack'
  const here = custody.holder === 'station' && (ownStationId === null || custody.station?.id === ownStationId)
  return here ? 'notNow' : 'notHere'
}
