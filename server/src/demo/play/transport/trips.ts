/**
 * Trips between stations: those of the last days take the parcels that depart and arrive in the story. Some differ: a
 * broken seal, a parcel that was missing, one that was extra. A few are loading, on the way or being unloaded now.
 */
import { closeBag, openNewBag, putIntoBag, unpackBag } from '../../../domains/parcels/bags/fill.ts'
import { readBag } from '../../../domains/parcels/bags/service.ts'
import { sendOff } from '../../../domains/parcels/trips/depart.ts'
import { putOnTrip } from '../../../domains/parcels/trips/load.ts'
import { abandonTrip, beginTrip } from '../../../domains/parcels/trips/plan-trip.ts'
import { readTrip } from '../../../domains/parcels/trips/service.ts'
import { endUnloading, receiveTrip, takeFromTrip } from '../../../domains/parcels/trips/unload.ts'
import { withoutKey } from '../../../http/idempotency.ts'
import { days, hours, later, minutes } from '../../../lib/clock.ts'
import type { Happening } from '../../story/journeys.ts'
import type { Stop } from '../../story/map.ts'
import type { OrderStory, ParcelStory } from '../../story/story.ts'
import { playedParcel } from '../parcels.ts'
import { type Act, type Stage, staffCaller } from '../stage.ts'

/** How many days of the past have trips; before, parcels were scanned one by one. */
const tripDays = 4

/** The way of a parcel from one station to the next; `arrival` null: it is under way now. */
type Ride = { parcel: ParcelStory; from: Stop; to: Stop; departure: Happening; arrival: Happening | null }

/** A vehicle's journey with the parcels that it takes. */
type PlannedTrip = {
  rides: Ride[]
  departsAt: Date
  /** Null: under way now. */
  arrivesAt: Date | null
  /** What is unusual about it. */
  oddity: 'none' | 'broken_seal' | 'no_seal' | 'extra' | 'found' | 'arrived' | 'missing'
  /** How many of its parcels are in a bag. */
  bagged: number
  /** The bag has not been emptied yet. */
  keepsBag: boolean
}

export type TripPlan = { trips: readonly PlannedTrip[]; replaced: ReadonlySet<Happening> }

const fleet = [
  { vehicle: 'VGT 4412', driverName: 'Ravi a/l Subramaniam' },
  { vehicle: 'BPL 8830', driverName: 'Mohd Faizal bin Ismail' },
  { vehicle: 'PQR 2719', driverName: '林志强' },
  { vehicle: 'SAB 6154 K', driverName: 'Jeffrey anak Unggang' },
] as const

const island = new Set(['Sabah', 'Sarawak', 'Labuan'])
/** Whether a road leads from one station to the other; parcels to Borneo fly. */
const isByRoad = (from: Stop, to: Stop) => island.has(from.state) === island.has(to.state)

function listRides(stage: Stage, stories: readonly OrderStory[], since: Date): Ride[] {
  return stories
    .flatMap(({ parcels }) => parcels)
    .flatMap((parcel) =>
      parcel.happened.flatMap((departure, n): Ride[] => {
        const to = stage.map.stops.find(({ id }) => id === departure.detail.nextStationId)
        if (departure.event !== 'departed' || departure.at < since || !departure.stop || !to) return []
        if (!isByRoad(departure.stop, to)) return []
        const next = parcel.happened[n + 1]
        // A parcel that was recalled on the way arrives after that.
        if (next && next.event !== 'arrived') return []
        return [{ parcel, from: departure.stop, to, departure, arrival: next ?? null }]
      }),
    )
    .sort((one, other) => +one.departure.at - +other.departure.at)
}

/** Groups the parcels of a lane that can share a vehicle: all depart before the first one arrives. */
function groupRides(rides: readonly Ride[]): Ride[][] {
  const groups: Ride[][] = []
  for (const lane of Map.groupBy(rides, ({ from, to }) => `${from.id} ${to.id}`).values()) {
    let group: Ride[] = []
    for (const ride of lane) {
      const isSameState = (group[0]?.arrival === null) === (ride.arrival === null)
      const departsInTime = group.every(
        ({ arrival }) => arrival === null || arrival.at > later(ride.departure.at, minutes(10)),
      )
      if (group.length > 0 && isSameState && departsInTime) group.push(ride)
      else {
        group = [ride]
        groups.push(group)
      }
    }
  }
  return groups
}

/** The trips of the last days, and the departures and arrivals that they replace in the parcels' journeys. */
export function planTrips(stage: Stage, stories: readonly OrderStory[], now: Date): TripPlan {
  const groups = groupRides(listRides(stage, stories, later(now, -days(tripDays))))
  const trips = groups.map((rides): PlannedTrip => {
    const arrivals = rides.flatMap(({ arrival }) => arrival?.at ?? [])
    return {
      rides,
      departsAt: new Date(Math.max(...rides.map(({ departure }) => +departure.at))),
      arrivesAt: arrivals.length > 0 ? new Date(Math.min(...arrivals.map(Number))) : null,
      oddity: 'none',
      bagged: rides.length > 2 ? rides.length - 1 : 0,
      keepsBag: false,
    }
  })
  trips.sort((one, other) => +one.departsAt - +other.departsAt)
  const past = trips.filter(({ arrivesAt }) => arrivesAt !== null)
  const present = trips.filter(({ arrivesAt }) => arrivesAt === null)
  const mark = (trip: PlannedTrip | undefined, oddity: PlannedTrip['oddity']) => {
    if (trip) trip.oddity = oddity
  }
  mark(
    past.find(({ rides }) => rides.length > 1),
    'extra',
  )
  const usual = past.filter(({ oddity, rides }) => oddity === 'none' && rides.length === 1)
  mark(usual[0], 'broken_seal')
  mark(usual[1], 'no_seal')
  mark(usual[2], 'found')
  // The parcels that have been under way for the longest time are those that would be missed; the first is lost.
  for (const trip of present.slice(0, 2)) mark(trip, 'missing')
  mark(
    present.find(({ oddity, departsAt }) => oddity === 'none' && departsAt < later(now, -hours(1))),
    'arrived',
  )
  const underWay = present.find(({ oddity }) => oddity === 'none')
  if (underWay) underWay.bagged = underWay.rides.length
  const lastMile = past.findLast(({ oddity, rides }) => oddity === 'none' && rides.every(isLastRide))
  if (lastMile) Object.assign(lastMile, { bagged: lastMile.rides.length, keepsBag: true })
  return { trips, replaced: new Set(trips.flatMap(listReplaced)) }
}

/** Whether a parcel has reached the station that delivers it. */
const isLastRide = ({ parcel, arrival }: Ride) =>
  !parcel.happened.slice(parcel.happened.indexOf(arrival as Happening)).some(({ event }) => event === 'departed')

function listReplaced({ rides, oddity }: PlannedTrip): Happening[] {
  const [first, ...others] = rides
  const both = ({ departure, arrival }: Ride) => [departure, arrival].filter((each) => each !== null)
  if (!first) return []
  // The one that is not on the manifest departs by a scan of its own; the one that is found arrives by one.
  if (oddity === 'extra') return [...others.flatMap(both), first.arrival].filter((each) => each !== null)
  return oddity === 'found' ? [first.departure] : rides.flatMap(both)
}

const clerkAt = ({ operatorAt }: Stage, stop: Stop) => staffCaller(operatorAt(stop).email, stop.id)

/** What staff do with one trip, from its first load to its end. */
function createTripCrew(stage: Stage, { rides, oddity, bagged }: PlannedTrip, n: number) {
  const { deps } = stage
  const [{ from, to }] = rides as [Ride]
  const [sender, receiver] = [clerkAt(stage, from), clerkAt(stage, to)]
  const findNumber = ({ parcel }: Ride) => playedParcel(stage, parcel).number
  const loads = oddity === 'extra' ? rides.slice(1) : rides
  // The parcels of a trip are all under way, or have all arrived: a bag can take any of them.
  const inBag = loads.slice(Math.max(0, rides.length - bagged))
  const seal = oddity === 'no_seal' ? null : `T-${5100 + n}`
  const bagSeal = `B-${7300 + n}`
  let id = ''
  let bag = { id: '', number: '' }
  const getVersion = async () => (await readTrip(deps.db, id)).version
  const unload = (loadNumber: string, sealNumber?: string) =>
    takeFromTrip(deps, receiver, id, { loadNumber, ...(sealNumber ? { sealNumber } : {}) }, withoutKey)
  return {
    loose: rides.filter((ride) => !inBag.includes(ride)),
    hasBag: inBag.length > 0,
    depart: async () => {
      const truck = fleet[n % fleet.length] as (typeof fleet)[number]
      id = (await beginTrip(deps, sender, { stationId: from.id, toStationId: to.id, ...truck }, withoutKey)).id
      if (inBag.length > 0) {
        bag = await sealNewBag(stage, from, to, inBag.map(findNumber), bagSeal)
        await putOnTrip(deps, sender, id, bag.number)
      }
      for (const ride of loads.filter((each) => !inBag.includes(each)))
        await putOnTrip(deps, sender, id, findNumber(ride))
      await sendOff(deps, sender, id, { version: await getVersion(), sealNumber: seal }, withoutKey)
    },
    arrive: async () => {
      const sealNumber = oddity === 'broken_seal' ? 'T-0000' : seal
      await receiveTrip(deps, receiver, id, { version: await getVersion(), sealNumber }, withoutKey)
    },
    unload: (ride: Ride) => unload(findNumber(ride)),
    unloadBag: () => unload(bag.number, bagSeal),
    emptyBag: async () => {
      const { version } = await readBag(deps.db, 'id', bag.id)
      await unpackBag(deps, receiver, bag.id, version)
    },
    close: async () => endUnloading(deps, receiver, id, await getVersion(), withoutKey),
  }
}

/** The acts of all trips, and what is being loaded now. */
export function tripActs(stage: Stage, { trips }: TripPlan, now: Date): Act[] {
  return [...trips.flatMap((trip, n) => actsOfTrip(stage, trip, n, now)), { at: now, run: () => loadToday(stage) }]
}

function actsOfTrip(stage: Stage, trip: PlannedTrip, n: number, now: Date): Act[] {
  const { departsAt, arrivesAt, oddity, keepsBag } = trip
  const crew = createTripCrew(stage, trip, n)
  const departure = { at: departsAt, run: crew.depart }
  if (!arrivesAt && oddity === 'none') return [departure]
  if (!arrivesAt) {
    const at = new Date(Math.min(+later(departsAt, hours(1)), +later(now, -minutes(2))))
    return [departure, { at, run: crew.arrive }, ...(oddity === 'missing' ? [{ at, run: crew.close }] : [])]
  }
  if (oddity === 'found') {
    const at = later(departsAt, minutes(9))
    return [departure, { at, run: crew.arrive }, { at, run: crew.close }]
  }
  const unloadings = crew.loose.map((ride) => ({ at: ride.arrival?.at ?? arrivesAt, run: () => crew.unload(ride) }))
  const last = new Date(Math.max(+arrivesAt, ...unloadings.map(({ at }) => +at)))
  const bagActs = [crew.unloadBag, ...(keepsBag ? [] : [crew.emptyBag])].map((run) => ({ at: arrivesAt, run }))
  return [
    departure,
    { at: arrivesAt, run: crew.arrive },
    ...(crew.hasBag ? bagActs : []),
    ...unloadings,
    { at: last, run: crew.close },
  ]
}

/** A sealed bag; `seal` null: it stays open. */
async function sealNewBag(stage: Stage, from: Stop, to: Stop, numbers: readonly string[], seal: string | null) {
  const { deps } = stage
  const clerk = clerkAt(stage, from)
  const bag = await openNewBag(deps, clerk, { stationId: from.id, toStationId: to.id }, withoutKey)
  let version = bag.version
  for (const number of numbers) version = (await putIntoBag(deps, clerk, bag.id, number)).bag.version
  return seal === null ? bag : closeBag(deps, clerk, bag.id, { version, sealNumber: seal })
}

/**
 * What is being loaded now: at the station of the demo's operations user a trip and an open bag; elsewhere bags and a
 * gunny. Another trip was cancelled.
 */
async function loadToday(stage: Stage): Promise<void> {
  const { deps, map } = stage
  const home = map.stops.find(({ code }) => code === 'SHA-T11')
  const hub = map.stops.find(({ code }) => code === 'SHA-WH1')
  if (!home || !hub) throw new Error('the stations of the Klang Valley are not in the network')
  const begin = (from: Stop, to: Stop, n: number) => {
    const truck = fleet[n] as (typeof fleet)[number]
    return beginTrip(deps, clerkAt(stage, from), { stationId: from.id, toStationId: to.id, ...truck }, withoutKey)
  }
  const cancelled = await begin(home, hub, 2)
  await abandonTrip(deps, clerkAt(stage, home), cancelled.id, cancelled.version)
  const trip = await begin(home, hub, 0)
  // A misroute: this station delivers the parcel.
  const misrouted = (await listWaiting(stage)).find(({ from, end }) => from === home && end === home)
  if (misrouted) await putOnTrip(deps, clerkAt(stage, home), trip.id, misrouted.number)
  await sealNewBag(stage, home, hub, [], null)
  const [bagged, waiting] = await findForwarded(stage)
  if (bagged) {
    const bag = await sealNewBag(stage, bagged.from, bagged.to, [bagged.number], 'B-7290')
    const trip = await begin(bagged.from, bagged.to, 1)
    await putOnTrip(deps, clerkAt(stage, bagged.from), trip.id, bag.number)
  }
  if (waiting) await sealNewBag(stage, waiting.from, waiting.to, [waiting.number], 'B-7291')
  await loadGunny(stage, begin)
}

/** A parcel at a station, and the station that delivers it. */
type Waiting = { number: string; from: Stop; end: Stop }

/** The domestic parcels that stations have, on their way to their receivers. */
async function listWaiting({ trx, map }: Stage): Promise<Waiting[]> {
  const rows = await trx
    .selectFrom('parcels')
    .select(['tracking_number', 'station_id', 'receiver'])
    .where('holder', '=', 'station')
    .where('status', 'in', ['inbound', 'sorting'])
    .where('leg', '=', 'outbound')
    .where('scope', '=', 'domestic')
    .where('id', 'not in', trx.selectFrom('bag_parcels').select('parcel_id'))
    .orderBy('id')
    .execute()
  return rows.flatMap(({ tracking_number: number, station_id, receiver }) => {
    const from = map.stops.find(({ id }) => id === station_id)
    const { postcode } = (receiver ?? {}) as { postcode?: string }
    return from && number && postcode ? [{ number, from, end: map.findStation(postcode) }] : []
  })
}

/** Parcels that go on to another station. */
async function findForwarded(stage: Stage): Promise<(Waiting & { to: Stop })[]> {
  return (await listWaiting(stage)).flatMap((parcel) => {
    const [, to] = stage.map.between(parcel.from, parcel.end)
    return to && isByRoad(parcel.from, to) ? [{ ...parcel, to }] : []
  })
}

/** Loads a sealed gunny at the station that has it. */
async function loadGunny(
  stage: Stage,
  begin: (from: Stop, to: Stop, n: number) => Promise<{ id: string }>,
): Promise<void> {
  const { trx, map, deps } = stage
  const gunny = await trx
    .selectFrom('gunnies')
    .select(['number', 'station_id'])
    .where('status', '=', 'at_station')
    .where('seal_number', 'is not', null)
    .orderBy('id')
    .executeTakeFirst()
  const from = map.stops.find(({ id }) => id === gunny?.station_id)
  if (!gunny || !from) return
  const to = map.stops.find((stop) => stop.id !== from.id && isByRoad(from, stop))
  if (!to) return
  const { id } = await begin(from, to, 3)
  await putOnTrip(deps, clerkAt(stage, from), id, gunny.number)
}
