/** The weights and sizes that the services carry. Each carrier has its own divisor for the volumetric weight. */
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import type { Dimensions } from '@waybill/contract/ground/measures'
import type { Deps } from '../../deps.ts'
import type { ServiceRow } from './queries.ts'
import { getRates, type Rates } from './rate-cards/rates.ts'
import { measure } from './rules.ts'

/** The limits of one service, in grams, and the divisor of its carrier. */
export type SizeLimit = {
  scope: Scope
  carrier: Carrier
  /** Whether customers see the service, open or closed. */
  offered: boolean
  heaviestGrams: number
  bulkiestGrams: number
  divisor: number
}

/** The divisor of a carrier, else that of the settings. */
export function carrierDivisor({ settings }: Pick<Deps, 'settings'>, { carriers }: Rates, carrier: Carrier): number {
  return carriers.get(carrier)?.divisor ?? settings.get('weight.divisor')
}

/**
 * How a carrier's rates measure a parcel, for calculators that know no route: its divisor, and the grams that a weight
 * is rounded up to. Services have different steps, so those of the usual one count, and of several the smallest.
 */
export async function carrierMeasures(
  deps: Deps,
  carrier: Carrier,
): Promise<{ divisor: number; roundingGrams: number }> {
  const rates = await getRates(deps)
  const steps = rates.cards
    .filter(({ accountId }) => accountId === null)
    .flatMap(({ lines }) => [...lines.values()].flat())
    .filter((line) => line.carrier === carrier && line.serviceType === 'e_parcel')
    .map(({ stepWeightGrams }) => stepWeightGrams)
  const smallest = steps.reduce((least, step) => Math.min(least, step), Number.POSITIVE_INFINITY)
  return {
    divisor: carrierDivisor(deps, rates, carrier),
    roundingGrams: rates.carriers.get(carrier)?.roundingGrams ?? (steps.length > 0 ? smallest : usualStepGrams),
  }
}

/** For a deployment that has no rates of the carrier. */
const usualStepGrams = 500

/** The limits of a service, at most those of the settings for own and other carriers. In grams. */
export function serviceLimits({ settings }: Pick<Deps, 'settings'>, service: ServiceRow) {
  const own = service.carrier === 'own'
  const weight = settings.get(own ? 'weight.maxGrams' : 'weight.maxThirdPartyGrams')
  const volume = settings.get(own ? 'weight.maxVolumetricGrams' : 'weight.maxThirdPartyVolumetricGrams')
  return {
    heaviestGrams: Math.min(service.maxWeightGrams ?? weight, weight),
    bulkiestGrams: Math.min(service.maxVolumetricGrams ?? volume, volume),
  }
}

/** The limits of every service. */
export async function listSizeLimits(deps: Deps): Promise<SizeLimit[]> {
  const rates = await getRates(deps)
  return rates.services.map((service) => ({
    scope: service.scope,
    carrier: service.carrier,
    offered: service.status !== 'not_offered',
    ...serviceLimits(deps, service),
    divisor: carrierDivisor(deps, rates, service.carrier),
  }))
}

/**
 * The limit that a parcel exceeds with every service of its scope, and of its carrier if one is chosen; null if one of
 * them could carry it. Where none is offered, those that are not offered count: the price says that there is none.
 */
export function findExceededLimit(
  limits: readonly SizeLimit[],
  parcel: { scope: Scope; carrier: Carrier | null; weightGrams: number | null; dimensions: Dimensions | null },
): { of: 'weight' | 'size'; limitGrams: number } | null {
  const { scope, carrier, weightGrams, dimensions } = parcel
  const possible = limits.filter((each) => each.scope === scope && (carrier === null || each.carrier === carrier))
  const offered = possible.filter((each) => each.offered)
  const services = offered.length > 0 ? offered : possible
  const carrying = services.filter(({ heaviestGrams }) => (weightGrams ?? 0) <= heaviestGrams)
  if (carrying.length === 0) {
    return { of: 'weight', limitGrams: Math.max(...services.map(({ heaviestGrams }) => heaviestGrams)) }
  }
  const fits = ({ divisor, bulkiestGrams }: SizeLimit) =>
    measure(0, dimensions, divisor, 1).volumetricGrams <= bulkiestGrams
  if (carrying.some(fits)) return null
  return { of: 'size', limitGrams: Math.max(...carrying.map(({ bulkiestGrams }) => bulkiestGrams)) }
}
