/** The rate cards of the demo. */
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type { Scope, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import { demoZones } from './zones.ts'

/**
 * How far a parcel goes: within a zone, from or to the Klang Valley, elsewhere on the peninsula, across Borneo, or by
 * air between the two.
 */
type Distance = 'local' | 'central' | 'peninsula' | 'borneo' | 'air'

/** Weights in grams, prices in sen. */
type Rate = { first: number; firstPrice: number; step: number; stepPrice: number; max: number; days: number }

export type DemoRateLine = Rate & {
  scope: Scope
  carrier: Carrier
  serviceType: ServiceType
  origin: string
  destination: string
  /** The lightest weight of this band. */
  min: number
}
export type DemoRateCard = {
  code: string
  version: number
  name: string
  status: 'draft' | 'published'
  lines: readonly DemoRateLine[]
}

const borneo: readonly string[] = ['SBH', 'SWK']

function distance(from: string, to: string): Distance {
  if (from === to) return 'local'
  if (borneo.includes(from) !== borneo.includes(to)) return 'air'
  if (borneo.includes(from)) return 'borneo'
  return from === 'KV' || to === 'KV' ? 'central' : 'peninsula'
}

/** First weight and its price, price of each further step, days in transit. */
type Prices = Record<Distance, readonly [firstPrice: number, stepPrice: number, days: number]>

const services: Record<ServiceType, { first: number; step: number; max: number; prices: Prices }> = {
  e_parcel: {
    first: 1_000,
    step: 1_000,
    max: 30_000,
    prices: {
      local: [600, 120, 1],
      central: [750, 180, 2],
      peninsula: [800, 200, 3],
      borneo: [1_200, 550, 4],
      air: [1_450, 950, 5],
    },
  },
  semi_express: {
    first: 1_000,
    step: 500,
    max: 30_000,
    prices: {
      local: [850, 90, 1],
      central: [1_050, 140, 1],
      peninsula: [1_150, 160, 2],
      borneo: [1_700, 400, 2],
      air: [1_950, 650, 3],
    },
  },
  document: {
    first: 500,
    step: 250,
    max: 2_000,
    prices: {
      local: [500, 60, 1],
      central: [590, 80, 1],
      peninsula: [650, 90, 2],
      borneo: [950, 180, 2],
      air: [1_050, 250, 3],
    },
  },
}

/** Rates for every service between any two zones, at `percent` of the list price, rounded to five sen. */
function linesAt(percent: number): DemoRateLine[] {
  const price = (sen: number) => Math.round((sen * percent) / 500) * 5
  return Object.entries(services).flatMap(([serviceType, { first, step, max, prices }]) =>
    demoZones.flatMap(({ code: origin }) =>
      demoZones.map(({ code: destination }) => {
        const [firstPrice, stepPrice, days] = prices[distance(origin, destination)]
        const rate = { first, firstPrice: price(firstPrice), step, stepPrice: price(stepPrice), max, days }
        const service = { scope: 'domestic', carrier: 'own', serviceType: serviceType as ServiceType } as const
        return { ...service, origin, destination, min: 1, ...rate }
      }),
    ),
  )
}

/**
 * International rates from the only zone that we ship from. A band has the lightest and heaviest weight, the first
 * weight and its price, each step and its price.
 */
type Band = readonly [min: number, max: number, first: number, firstPrice: number, step: number, stepPrice: number]
type Abroad = Record<string, { days: number; bands: readonly Band[] }>

/** Express by DHL: steps of half a kilogram up to 30 kg, whole kilograms above. */
const express = (firstPrice: number, stepPrice: number, heavyPrice: number, days: number) => ({
  days,
  bands: [
    [1, 30_000, 500, firstPrice, 500, stepPrice],
    [30_001, 70_000, 30_000, firstPrice + 59 * stepPrice, 1_000, heavyPrice],
  ] as const,
})
const papers = (firstPrice: number, stepPrice: number, days: number) => ({
  days,
  bands: [[1, 2_000, 500, firstPrice, 500, stepPrice]] as const,
})
/** Economy parcels. */
const economy = (firstPrice: number, stepPrice: number, days: number) => ({
  days,
  bands: [[1, 30_000, 500, firstPrice, 500, stepPrice]] as const,
})

const abroad: readonly { carrier: Carrier; serviceType: ServiceType; zones: Abroad }[] = [
  {
    carrier: 'dhl',
    serviceType: 'semi_express',
    zones: {
      SG: express(6_800, 950, 1_700, 1),
      SEA: express(8_200, 1_250, 2_200, 2),
      CN: express(9_400, 1_500, 2_700, 2),
      HKTW: express(8_800, 1_350, 2_400, 2),
      JPKR: express(10_200, 1_650, 2_900, 3),
      SAS: express(10_800, 1_800, 3_200, 3),
      OCE: express(11_500, 1_900, 3_400, 3),
      MEA: express(12_800, 2_200, 3_900, 3),
      EUR: express(13_500, 2_300, 4_200, 3),
      AME: express(14_200, 2_500, 4_500, 3),
    },
  },
  {
    carrier: 'dhl',
    serviceType: 'document',
    zones: {
      SG: papers(4_900, 900, 1),
      SEA: papers(5_900, 1_100, 2),
      CN: papers(6_500, 1_300, 2),
      HKTW: papers(6_200, 1_200, 2),
      JPKR: papers(7_200, 1_400, 2),
      SAS: papers(7_800, 1_600, 3),
      OCE: papers(8_200, 1_700, 3),
      MEA: papers(9_000, 1_900, 3),
      EUR: papers(9_500, 2_000, 3),
      AME: papers(9_900, 2_100, 3),
    },
  },
  // The same kind of service as Yunda's below, but dearer and faster, so that there is a choice of carrier.
  {
    carrier: 'dhl',
    serviceType: 'e_parcel',
    zones: {
      SG: economy(4_300, 620, 2),
      SEA: economy(5_200, 800, 3),
      CN: economy(5_600, 900, 4),
      HKTW: economy(5_400, 850, 3),
      JPKR: economy(6_300, 1_050, 4),
    },
  },
  {
    carrier: 'yunda',
    serviceType: 'e_parcel',
    zones: {
      SG: economy(1_450, 380, 4),
      SEA: economy(1_950, 520, 6),
      CN: economy(1_800, 480, 6),
      HKTW: economy(1_900, 500, 5),
      JPKR: economy(2_400, 680, 7),
    },
  },
]

/** Rates for every international service, at `percent` of the list price, rounded to five sen. */
function linesAbroadAt(percent: number): DemoRateLine[] {
  const price = (sen: number) => Math.round((sen * percent) / 500) * 5
  return abroad.flatMap(({ carrier, serviceType, zones }) =>
    Object.entries(zones).flatMap(([destination, { days, bands }]) =>
      bands.map(([min, max, first, firstPrice, step, stepPrice]) => ({
        ...({ scope: 'international', carrier, serviceType, origin: 'MY', destination, min, max, first } as const),
        ...{ firstPrice: price(firstPrice), step, stepPrice: price(stepPrice), days },
      })),
    ),
  )
}

const published = { version: 1, status: 'published' } as const

/** The public rates, the rates of companies with a contract (`accounts.rate_card_code`), and next year's draft. */
export const demoRateCards: readonly DemoRateCard[] = [
  { ...published, code: 'STANDARD', name: 'Standard rates 2026', lines: [...linesAt(100), ...linesAbroadAt(100)] },
  { ...published, code: 'BUSINESS', name: 'Business rates 2026', lines: [...linesAt(85), ...linesAbroadAt(90)] },
  {
    code: 'BUSINESS',
    version: 2,
    name: 'Business rates 2027',
    status: 'draft',
    lines: [...linesAt(88), ...linesAbroadAt(92)],
  },
]
