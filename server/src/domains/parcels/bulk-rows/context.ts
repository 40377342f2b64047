// What the rows of a batch are checked with: prices of the account, labels of choices, units. Loaded once per batch.
import { type Party, party } from '@waybill/contract/addresses/addresses'
import { contentTypeLabels, customsReasonLabels } from '@waybill/contract/ground/enums/enums'
import {
  deliveryModeLabels,
  deliveryModeNames,
  scopeLabels,
  serviceTypeLabels,
} from '@waybill/contract/ground/enums/parcel-enums'
import { currencySymbol, fractionDigits, gramsPerUnit, mmPerUnit } from '@waybill/contract/ground/format'
import { safeParse } from 'zod/mini'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { countryName, listCountries } from '../../../lib/countries.ts'
import { type Choices, createChoices, type Units } from '../../../lib/sheet/cell-values.ts'
import { sendersByLabel } from '../../addresses/service.ts'
import { type PricingAccount, pricingAccount } from '../../pricing/service.ts'
import { listSizeLimits, type SizeLimit } from '../../pricing/size-limits.ts'
import type { Station } from '../../stations/queries.ts'
import { listCounters } from '../../stations/service.ts'
import type { KeptProblem } from '../bulk/queries-rows.ts'
import type { priceColumns } from '../cart/prices.ts'
import type { RowPlace } from './cells-place.ts'
import { rowReading } from './contract-problems.ts'

/** The columns of a price, or the reason why there is none. */
export type PriceAnswer = Awaited<ReturnType<typeof priceColumns>> | KeptProblem

export type RowContext = {
  deps: Deps
  sender: Party | null
  account: PricingAccount
  home: string
  weightUnits: Units
  lengthUnits: Units
  moneyUnits: Units
  /** Minor units in one unit of the currency. */
  minorPerUnit: number
  /** Quantities have no unit. */
  pieces: Units
  services: Choices
  modes: Choices
  contents: Choices
  scopes: Choices
  countries: Choices
  stations: Choices
  reasons: Choices
  senders: Choices
  /** Stations by the values of `stations` and `senders`. */
  stationsById: ReadonlyMap<string, Station>
  sendersByLabel: ReadonlyMap<string, Party>
  /** The limits of all services. */
  limits: readonly SizeLimit[]
  /** Cached prices by everything that they depend on: many rows cost the same. */
  prices: Map<string, PriceAnswer>
  places: Map<string, RowPlace>
  /** The contract's rules for one row. */
  readInput: ReturnType<typeof rowReading>
}

/** Names of each unit, by its size in grams or mm. A 斤 is none of them: 500 g in China, 605 g in Malaysia. */
const buildUnits = (size: number, names: string) => Object.fromEntries(names.split(' ').map((name) => [name, size]))
const weightUnits = {
  ...buildUnits(1000, 'kg kgs kilo kilos kilogram kilograms 公斤 千克'),
  ...buildUnits(1, 'g gm gms gram grams 克'),
  ...buildUnits(gramsPerUnit.lb, 'lb lbs pound pounds 磅'),
  ...buildUnits(gramsPerUnit.lb / 16, 'oz ounce ounces 盎司'),
}
const lengthUnits = {
  ...buildUnits(10, 'cm cms centimetre centimetres centimeter centimeters 厘米 公分'),
  ...buildUnits(1, 'mm millimetre millimetres millimeter millimeters 毫米'),
  ...buildUnits(1000, 'm metre metres meter meters 米'),
  ...buildUnits(mmPerUnit.in, 'in inch inches 英寸'),
}

/** Units as factors of the column's own unit, which applies to plain numbers. */
function inUnit(units: Units, own: number): Units {
  return Object.fromEntries(Object.entries(units).map(([name, factor]) => [name, factor / own]))
}

/** Loads the data for checking the rows of one account's batch. `sender` applies to rows without their own. */
export async function loadRowContext(
  deps: Deps,
  db: DbOrTx,
  accountId: AccountId,
  sender: Party | null,
): Promise<RowContext> {
  const { settings } = deps
  const currency = settings.get('currency')
  const stations = await listCounters(deps.db, 'self_collection')
  const senders = new Map(
    [...(await sendersByLabel(db, accountId))].flatMap(([label, address]) => {
      const parsed = safeParse(party, address)
      return parsed.success ? [[label, parsed.data] as const] : []
    }),
  )
  const countries = Object.fromEntries(
    listCountries().map((entry) => {
      const code = entry.slice(entry.lastIndexOf('|') + 1)
      return [code, [countryName(code, 'en'), countryName(code, 'cn_zh')] as const]
    }),
  )
  return {
    deps,
    sender,
    account: await pricingAccount(db, accountId),
    home: settings.get('countryCode'),
    weightUnits: inUnit(weightUnits, gramsPer(deps)),
    lengthUnits: inUnit(lengthUnits, mmPer(deps)),
    moneyUnits: { [currency.toLowerCase()]: 1, [currencySymbol(currency, 'en').toLowerCase()]: 1 },
    minorPerUnit: 10 ** fractionDigits(currency),
    pieces: {},
    services: createChoices(serviceTypeLabels, {
      parcel: 'e_parcel',
      express: 'semi_express',
      documents: 'document',
      doc: 'document',
    }),
    modes: createChoices(deliveryModeLabels, {
      ...Object.fromEntries(Object.entries(deliveryModeNames).map(([mode, name]) => [name, mode])),
    }),
    contents: createChoices(contentTypeLabels),
    scopes: createChoices(scopeLabels),
    countries: createChoices(countries),
    reasons: createChoices(customsReasonLabels),
    senders: createChoices(Object.fromEntries([...senders.keys()].map((label) => [label, [label, label] as const]))),
    stationsById: new Map(stations.map((station) => [station.id, station])),
    sendersByLabel: senders,
    limits: await listSizeLimits(deps),
    prices: new Map(),
    places: new Map(),
    readInput: rowReading(),
    stations: createChoices(Object.fromEntries(stations.map(({ id, code, name }) => [id, [code, name] as const]))),
  }
}

/** Grams of one unit of the weight column. */
export const gramsPer = ({ settings }: Deps) => gramsPerUnit[settings.get('units.weight')]
/** Millimetres of one unit of the length columns. */
export const mmPer = ({ settings }: Deps) => mmPerUnit[settings.get('units.dimension')]
