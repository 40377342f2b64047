import type { ServiceType } from '@waybill/contract/enums'
import { demoZones } from './network-zones.ts'

/** How far a parcel goes: within a zone, from or to the Klang Valley, elsewhere on the peninsula, across Borneo, or by air between the two. */
type Distance = 'local' | 'central' | 'peninsula' | 'borneo' | 'air'

/** Weights in grams, prices in sen. */
type Rate = { first: number; firstPrice: number; step: number; stepPrice: number; max: number; days: number }

export type DemoRateLine = Rate & { serviceType: ServiceType; origin: string; destination: string }
export type DemoRateCard = { code: string; name: string; lines: readonly DemoRateLine[] }

const borneo: readonly string[] = ['SBH', 'SWK']

function distance(from: string, to: string): Distance {
  if (from === to) return 'local'
  if (borneo.includes(from) !== borneo.includes(to)) return 'air'
  if (borneo.includes(from)) return 'borneo'
  return from === 'KV' || to === 'KV' ? 'central' : 'peninsula'
}

/** First weight and its price, price of each further step, days on the way. */
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

/** Every service between every two zones; `percent` of the list price, rounded to five sen. */
function linesAt(percent: number): DemoRateLine[] {
  const price = (sen: number) => Math.round((sen * percent) / 500) * 5
  return Object.entries(services).flatMap(([serviceType, { first, step, max, prices }]) =>
    demoZones.flatMap(({ code: origin }) =>
      demoZones.map(({ code: destination }) => {
        const [firstPrice, stepPrice, days] = prices[distance(origin, destination)]
        const rate = { first, firstPrice: price(firstPrice), step, stepPrice: price(stepPrice), max, days }
        return { serviceType: serviceType as ServiceType, origin, destination, ...rate }
      }),
    ),
  )
}

/** What everybody pays, and what companies with a contract pay (`accounts.rate_card_code`). */
export const demoRateCards: readonly DemoRateCard[] = [
  { code: 'STANDARD', name: 'Standard rates 2026', lines: linesAt(100) },
  { code: 'BUSINESS', name: 'Business rates 2026', lines: linesAt(85) },
]
