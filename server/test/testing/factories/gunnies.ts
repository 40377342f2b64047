import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { checkGunny, createGunny, type GunnyDetail } from '@waybill/contract/parcels/gunny'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import type { TestApp } from '../app.ts'
import { createStaff, type TestCustomer, type TestStaff } from './accounts.ts'
import { findCounter } from './handed-over.ts'
import { createParcel, type ParcelDefaults } from './parcels.ts'

type CheckBody = BodyIn<typeof checkGunny>

/** A counter, and a hub in another city with a member of staff, between which gunnies travel. */
export async function findCounterAndHub(
  test: TestApp,
): Promise<{ here: string; there: string; counter: TestStaff; hub: TestStaff }> {
  const counter = await findCounter(test)
  return { ...counter, hub: await createStaff(test, { stationId: counter.there }) }
}

/** Parcels that their sender has not dropped off yet, so that they can be packed. */
export async function createUnpacked(
  test: TestApp,
  owner: TestCustomer,
  count = 1,
  overrides: ParcelDefaults = {},
): Promise<ParcelRow[]> {
  const parcels: ParcelRow[] = []
  for (let n = 0; n < count; n += 1)
    parcels.push(await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D', ...overrides }))
  return parcels
}

/** The tracking numbers of parcels. */
export const getNumbers = (parcels: readonly ParcelRow[]): string[] =>
  parcels.map(({ tracking_number }) => tracking_number ?? '')

/** A gunny that its sender has packed, with its parcels. */
export async function fillGunny(
  test: TestApp,
  owner: TestCustomer,
  {
    count = 1,
    parcel = {},
    ...more
  }: { count?: number; parcel?: ParcelDefaults } & Partial<Omit<BodyIn<typeof createGunny>, 'numbers'>> = {},
): Promise<{ parcels: ParcelRow[]; numbers: string[]; gunny: GunnyDetail }> {
  const parcels = await createUnpacked(test, owner, count, parcel)
  const numbers = getNumbers(parcels)
  const answer = await test.call(createGunny, { token: owner.token, body: { numbers, ...more } })
  if (answer.status !== 200) throw new Error(`no gunny: ${JSON.stringify(answer.error)}`)
  return { parcels, numbers, gunny: answer.body }
}

/** Counts a gunny in or out at the station of a member of staff, and returns any response. */
export const sendCheck = (
  test: TestApp,
  { token }: TestStaff,
  id: string,
  event: CheckBody['event'],
  numbers: string[],
  more: Partial<CheckBody> = {},
) => test.call(checkGunny, { token, params: { id }, body: { event, numbers, ...more } })
