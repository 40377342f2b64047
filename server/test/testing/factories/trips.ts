import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { type BagDetail, bagByNumber, createBag, fillBag, sealBag } from '@waybill/contract/parcels/transport/bags'
import {
  arriveTrip,
  closeTrip,
  createTrip,
  departTrip,
  getTrip,
  loadTrip,
  type TripDetail,
  unloadBeforeDeparture,
  unloadTrip,
} from '@waybill/contract/parcels/transport/trips'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import { buildTestApp, type TestApp } from '../app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from './accounts.ts'
import { findCounterAndHub } from './gunnies.ts'
import { seedTestNetwork } from './network.ts'
import { createParcel, type ParcelDefaults } from './parcels.ts'
import { findOtherStation } from './stations.ts'

/** Returns the body of a response, and throws if the call was refused. */
function requireBody<T extends { status: number; body: unknown; error: unknown }>(answer: T): T['body'] {
  if (answer.status !== 200) throw new Error(`refused: ${JSON.stringify(answer.error)}`)
  return answer.body
}

/** Parcels that a station has. */
export async function createAtStation(
  test: TestApp,
  owner: TestCustomer,
  stationId: string,
  count = 1,
  overrides: ParcelDefaults = {},
): Promise<ParcelRow[]> {
  const parcels: ParcelRow[] = []
  const custody = { status: 'inbound', delivery_mode: 'P2D', handed_over: true, holder: 'station' } as const
  for (let n = 0; n < count; n += 1)
    parcels.push(await createParcel(test, owner, { ...custody, station_id: stationId, ...overrides }))
  return parcels
}

/** A bag with these parcels, at the station of a member of staff; sealed if it has a seal. */
export async function fillNewBag(
  test: TestApp,
  { token }: TestStaff,
  toStationId: string,
  numbers: readonly string[],
  sealNumber?: string,
): Promise<BagDetail> {
  const { id, number } = requireBody(await test.call(createBag, { token, body: { toStationId } }))
  const params = { id }
  for (const trackingNumber of numbers)
    requireBody(await test.call(fillBag, { token, params, body: { trackingNumber } }))
  const bag = requireBody(await test.call(bagByNumber, { token, params: { no: number } }))
  if (!sealNumber) return bag
  return requireBody(await test.call(sealBag, { token, params, body: { version: bag.version, sealNumber } }))
}

/** A trip that is loading at the station of a member of staff, with these loads. */
export async function loadNewTrip(
  test: TestApp,
  { token }: TestStaff,
  toStationId: string,
  loadNumbers: readonly string[],
): Promise<TripDetail> {
  const body = { toStationId, vehicle: 'VAA 1234', driverName: 'Ravi a/l Kumar' }
  const { id } = requireBody(await test.call(createTrip, { token, body }))
  for (const loadNumber of loadNumbers)
    requireBody(await test.call(loadTrip, { token, params: { id }, body: { loadNumber } }))
  return requireBody(await test.call(getTrip, { token, params: { id } }))
}

/** Calls of the staff of a trip's two stations. */
export function buildTripCalls(
  test: TestApp,
  { sender, receiver, there }: { sender: TestStaff; receiver: TestStaff; there: string },
) {
  const getParams = ({ id }: Pick<TripDetail, 'id'>) => ({ params: { id } })
  const depart = (
    trip: Pick<TripDetail, 'id' | 'version'>,
    sealNumber: string | null = 'T-1',
    { by = sender, key }: { by?: TestStaff; key?: string } = {},
  ) => {
    const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
    return test.call(departTrip, {
      token: by.token,
      ...getParams(trip),
      body: { version: trip.version, sealNumber },
      headers,
    })
  }
  return {
    load: (id: string, loadNumber: string, by = sender) =>
      test.call(loadTrip, { token: by.token, ...getParams({ id }), body: { loadNumber } }),
    takeOff: (id: string, loadId: string, by = sender) =>
      test.call(unloadBeforeDeparture, { token: by.token, params: { id, loadId } }),
    depart,
    arrive: (trip: TripDetail, sealNumber: string | null = 'T-1', by = receiver) =>
      test.call(arriveTrip, { token: by.token, ...getParams(trip), body: { version: trip.version, sealNumber } }),
    unload: (id: string, loadNumber: string, more: { sealNumber?: string; opened?: true } = {}, by = receiver) =>
      test.call(unloadTrip, { token: by.token, ...getParams({ id }), body: { loadNumber, ...more } }),
    close: (trip: TripDetail, by = receiver) =>
      test.call(closeTrip, { token: by.token, ...getParams(trip), body: { version: trip.version } }),
    read: async (id: string) => requireBody(await test.call(getTrip, { token: receiver.token, ...getParams({ id }) })),
    findParcel: async (no: string) =>
      requireBody(await test.call(staffParcelByNumber, { token: receiver.token, params: { no } })),
    findBag: async (no: string) => requireBody(await test.call(bagByNumber, { token: receiver.token, params: { no } })),
    /** A trip on its way with these loads. */
    sendOff: async (numbers: readonly string[], sealNumber: string | null = 'T-1') =>
      requireBody(await depart(await loadNewTrip(test, sender, there, numbers), sealNumber)),
  }
}

/** An app with a trip's two stations, a member of staff at each, a third station, and a sender. */
export async function buildTripTest() {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const owner = await createCustomer(test)
  const stations = await findCounterAndHub(test)
  const { counter: sender, hub: receiver, here, there } = stations
  const third = await findOtherStation(test, [here, there])
  return { test, owner, ...stations, third, calls: buildTripCalls(test, { sender, receiver, there }) }
}
export type TripTest = Awaited<ReturnType<typeof buildTripTest>>

/** What became of the load with this number. */
export const findLoadState = (trip: TripDetail, number: string) =>
  trip.loads.find((load) => load.number === number)?.state
