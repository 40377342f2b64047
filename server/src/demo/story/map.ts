/** The station network as routes for the demo's parcels. */
import type { DbOrTx } from '../../db/pool.ts'
import { type Holiday, isWorkingDay } from '../../domains/pricing/expected-date.ts'
import { loadNetwork } from '../../domains/stations/network.ts'
import { covers, distanceM, offersService } from '../../domains/stations/rules.ts'
import { holidaysByCountry } from '../../domains/stations/service.ts'

/** A station on a journey. */
export type Stop = {
  id: string
  code: string
  city: string
  state: string
  hub: boolean
  /** Whether receivers can collect parcels there. */
  handsOut: boolean
  latitude: number
  longitude: number
}

/** The station network that the demo's parcels travel. */
export type NetworkMap = {
  stops: readonly Stop[]
  /** The station whose riders serve a Malaysian postcode; the narrowest range wins. */
  findStation(postcode: string): Stop
  /** The latest time (`HH:MM`) at which its riders pick up at a postcode. */
  getCutOffTime(postcode: string): string
  /** Whether the riders of a station work on a day (`YYYY-MM-DD`). */
  worksOn(station: Stop, day: string): boolean
  /** The stations on a parcel's way, both ends included: through the warehouses nearest to the ends. */
  between(from: Stop, to: Stop): Stop[]
}

/** Loads the network's current stations and coverage. */
export async function loadMap(db: DbOrTx): Promise<NetworkMap> {
  const { stations, coverage } = await loadNetwork(db)
  const stops = stations
    .map((station) => ({
      id: station.id,
      code: station.code,
      city: station.city,
      state: station.state,
      hub: station.type === 'warehouse',
      handsOut: offersService(station.serviceCodes, 'self_collection', 'e_parcel'),
      latitude: station.latitude,
      longitude: station.longitude,
    }))
    .sort((a, b) => a.code.localeCompare(b.code))
  const hubs = stops.filter(({ hub }) => hub)
  const holidays: readonly Holiday[] = (await holidaysByCountry(db)).get('my') ?? []
  const findRange = (postcode: string) => {
    const range = coverage.find((area) => area.country === 'my' && covers(area, postcode))
    if (!range) throw new Error(`no station serves the postcode ${postcode}`)
    return range
  }

  return {
    stops,
    findStation(postcode) {
      const { stationId } = findRange(postcode)
      const station = stops.find(({ id }) => id === stationId)
      if (!station) throw new Error(`no station serves the postcode ${postcode}`)
      return station
    },
    getCutOffTime: (postcode) => findRange(postcode).cutOffTime,
    worksOn: (station, day) => isWorkingDay(day, station.state, holidays),
    between(from, to) {
      if (from.id === to.id) return [from]
      const way = [from, nearest(hubs, from), nearest(hubs, to), to]
      return way.filter((stop, index) => stop.id !== way[index - 1]?.id)
    },
  }
}

function nearest(hubs: readonly Stop[], to: Stop): Stop {
  const [first] = [...hubs].sort((a, b) => distanceM(a, to) - distanceM(b, to))
  return first ?? to
}

const borneo: readonly string[] = ['Sabah', 'Sarawak', 'Labuan']

/** Parcels between the peninsula and Borneo fly, and wait for their flight. */
export function isOverseas(a: Stop, b: Stop): boolean {
  const onBorneo = ({ state }: Stop) => borneo.includes(state)
  return onBorneo(a) !== onBorneo(b)
}
