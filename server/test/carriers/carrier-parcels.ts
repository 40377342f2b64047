import { getCarrierBooking } from '@waybill/contract/carriers/carriers'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { tx } from '../../src/db/pool.ts'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { checkoutParcels } from '../../src/domains/parcels/service.ts'
import type { ParcelEvent } from '../../src/domains/parcels/status.ts'
import { lockParcels, transitionParcels } from '../../src/domains/parcels/transition.ts'
import { asAccountId } from '../../src/http/caller.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import type { TestCustomer } from '../testing/factories/accounts.ts'
import { parcelNow } from '../testing/factories/handed-over.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { type DhlExpressPeer, startDhlExpressPeer } from '../testing/peers/dhl-express.ts'

type Overrides = Parameters<typeof createParcel>[2]

/** Applies an event to a parcel as a use case does: under its lock, with its outbox events. */
export async function move(test: TestApp, { account_id, id }: ParcelRow, event: ParcelEvent): Promise<ParcelRow> {
  const { deps } = test
  return tx(deps.db, async (trx) => {
    const rows = await lockParcels(trx, asAccountId(account_id), [id])
    const by = { actorId: null }
    const [row] =
      event === 'checkout_credit'
        ? await checkoutParcels(deps, trx, rows, event, by)
        : await transitionParcels(deps, trx, rows, event, by)
    return row as ParcelRow
  })
}

/** A parcel that has just been paid, before the request to its carrier. */
export async function payParcel(test: TestApp, customer: TestCustomer, overrides: Overrides): Promise<ParcelRow> {
  const row = await createParcel(test, customer, { status: 'incart', ...overrides })
  return move(test, row, 'checkout_credit')
}

/** A paid parcel after all immediate jobs have run. */
export async function sendParcel(test: TestApp, customer: TestCustomer, overrides: Overrides): Promise<ParcelRow> {
  const row = await payParcel(test, customer, overrides)
  await test.settle()
  return row
}

export async function findBooking(test: TestApp, customer: TestCustomer, { id }: ParcelRow) {
  const token = await freshToken(test, customer)
  const answer = await test.call(getCarrierBooking, { token, params: { id } })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.error))
  return answer.body.booking
}

/** Tokens are short-lived, and these tests advance the clock by hours. */
export async function freshToken({ deps }: TestApp, { token }: { token: string }): Promise<string> {
  const { iat: _, exp: __, ...claims } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return deps.tokens.sign(claims, { readAt: deps.clock.now() })
}

/** Advances the clock and runs the job that runs every minute. */
export async function pass(
  test: TestApp,
  minutesLater: number,
  job: 'parcels:book-carriers' | 'parcels:track-carriers' = 'parcels:book-carriers',
): Promise<void> {
  test.clock.advance(minutes(minutesLater))
  await addJob(test.deps.db, job, {})
  await test.settle()
}

/** The application and a DHL with its clock. */
export async function startWithDhl(): Promise<{ test: TestApp; dhl: DhlExpressPeer }> {
  let now = () => new Date()
  const dhl = await startDhlExpressPeer(() => now())
  const test = await buildTestApp({ ...dhl.environment })
  now = test.clock.now
  return { test, dhl }
}

/** The number of a parcel's booking at its carrier. */
export async function findCarrierNumber(test: TestApp, customer: TestCustomer, row: ParcelRow): Promise<string> {
  return (await findBooking(test, customer, row))?.carrierNumber ?? ''
}

/** A parcel as its sender sees it. */
export async function readDetail(test: TestApp, customer: TestCustomer, { id }: ParcelRow): Promise<ParcelDetail> {
  return parcelNow(test, { ...customer, token: await freshToken(test, customer) }, id)
}

/** An event at DHL `ago` minutes before the application's time. */
export function reportByDhl(
  test: TestApp,
  { dhl }: DhlExpressPeer,
  number: string,
  code: string,
  ago = 1,
  overrides: object = {},
): void {
  const at = new Date(test.clock.now().getTime() - minutes(ago))
  dhl.addEvent(number, { at, code, description: `said ${code}`, place: 'IPOH', ...overrides })
}
