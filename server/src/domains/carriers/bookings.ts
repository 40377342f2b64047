// Runs one step of a booking: book, fetch the label, or cancel.

import type { CarrierProblem } from '@waybill/contract/carriers/carriers'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { BookingResult, CarrierClient } from './carrier.ts'
import { findClient, isSimulatedCarrier } from './clients.ts'
import { type BookingRow, claimBookingStep, finishBookingStep, type StepResult, saveLabel } from './queries.ts'
import { maxAttempts, pauseMinutes, type Shipment } from './rules.ts'
import { CarrierError } from './wire.ts'

/** Longer than all calls of one step together, so that no other process takes the step meanwhile. */
const leaseMs = minutes(2)
/** How long to wait before fetching a label that did not come with the booking. */
const labelPauseMs = minutes(1)
/** How long to wait before tracking a new booking for the first time. */
const firstLookMs = minutes(1)

/** Problems that a retry does not solve: staff must look at them. */
const permanent: readonly CarrierProblem[] = ['refused', 'incomplete']
/** Problems after which the carrier certainly has no booking. */
const notBooked: readonly CarrierProblem[] = ['refused', 'incomplete', 'credentials', 'busy', 'closed']

/** The result of a step. `outage`: the carrier is down, so other bookings should not try now either. */
export type StepOutcome = 'nothing_due' | 'done' | 'trouble' | 'outage'

/** `isNeeded`: the carrier still gets the parcel. It may have been cancelled or recalled since it was paid. */
type BookableShipment = Shipment & { isNeeded: boolean }

/** Loads the shipment of a parcel; null when the parcel does not exist or is not complete. */
export type ShipmentReader = (parcelId: string) => Promise<BookableShipment | null>

/** What a booking needs of its parcel. */
export type BookingParcels = {
  readShipment: ShipmentReader
  /** Runs in the transaction in which a booking, or its cancellation, becomes `failed`. */
  onFailed(trx: DbOrTx, parcelId: string, step: 'book' | 'cancel'): Promise<void>
}

/**
 * Runs the due step of a booking. A parcel is never booked twice: a lease keeps other processes away, and a booking
 * whose response was lost is looked up first. Carrier problems are not thrown: they are stored with the booking,
 * together with the time of the next attempt.
 */
export async function advanceBooking(deps: Deps, parcelId: string, parcels: BookingParcels): Promise<StepOutcome> {
  const now = deps.clock.now()
  const row = await claimBookingStep(deps.db, parcelId, now, later(now, leaseMs))
  if (!row) return 'nothing_due'
  const step = new Step(deps, row, parcels)
  try {
    if (row.cancel_requested) await step.cancel()
    else if (row.state === 'waiting') await step.book()
    else await step.label()
    return 'done'
  } catch (error) {
    return step.failed(error)
  }
}

class Step {
  readonly #deps: Deps
  readonly #row: BookingRow
  readonly #parcels: BookingParcels
  /** The carrier may have executed a request whose response we did not get. */
  #mayBeBooked: boolean

  constructor(deps: Deps, row: BookingRow, parcels: BookingParcels) {
    this.#deps = deps
    this.#row = row
    this.#parcels = parcels
    this.#mayBeBooked = row.sent
  }

  async book(): Promise<void> {
    const client = this.#client()
    const shipment = await this.#shipment()
    if (!shipment.isNeeded) return this.cancel()
    const earlier = this.#mayBeBooked ? await client.find(shipment) : null
    this.#mayBeBooked = false
    await this.#store(earlier ?? (await this.#bookNow(client, shipment)))
  }

  async #bookNow(client: CarrierClient, shipment: Shipment): Promise<BookingResult> {
    try {
      return await client.book(shipment)
    } catch (error) {
      this.#mayBeBooked = !(error instanceof CarrierError) || !notBooked.includes(error.problem)
      throw error
    }
  }

  async #store({ carrierNumber, label }: BookingResult): Promise<void> {
    const at = this.#deps.clock.now()
    await tx(this.#deps.db, async (trx) => {
      if (label) await saveLabel(trx, this.#row, label, at)
      await this.#finish(
        {
          state: 'booked',
          carrier_number: carrierNumber,
          simulated: isSimulatedCarrier(this.#deps, this.#row.carrier),
          sent: true,
          attempts: 0,
          problem: null,
          problem_said: null,
          booked_at: at,
          next_look_at: later(at, firstLookMs),
          next_try_at: label || this.#row.carrier === 'own' ? null : later(at, labelPauseMs),
        },
        trx,
      )
    })
  }

  async label(): Promise<void> {
    const { carrier_number: number, booked_at: bookedAt, attempts } = this.#row
    const at = this.#deps.clock.now()
    const pdf = number && bookedAt ? await this.#client().label(number, bookedAt) : null
    if (pdf) await saveLabel(this.#deps.db, this.#row, pdf, at)
    const retry = !pdf && attempts < maxAttempts
    await this.#finish({
      problem: null,
      problem_said: null,
      ...(retry ? {} : { attempts: 0 }),
      next_try_at: retry ? later(at, minutes(pauseMinutes(attempts))) : null,
    })
  }

  async cancel(): Promise<void> {
    const client = this.#client()
    const shipment = await this.#shipment()
    const number = this.#row.carrier_number ?? (this.#mayBeBooked ? (await client.find(shipment))?.carrierNumber : null)
    if (number) await client.cancel(number, shipment.reference)
    await this.#finish({
      state: 'cancelled',
      carrier_number: number ?? null,
      problem: null,
      problem_said: null,
      next_look_at: null,
      next_try_at: null,
    })
  }

  /** Stores the problem, and when the step is tried again. */
  async failed(error: unknown): Promise<StepOutcome> {
    const { log, clock } = this.#deps
    const row = this.#row
    const failure = error instanceof CarrierError ? error : new CarrierError('broken')
    if (failure !== error) log.error({ err: error, parcelId: row.parcel_id }, 'carriers: a step failed')
    const final = permanent.includes(failure.problem) || row.attempts >= maxAttempts
    const isBooked = row.state === 'booked' && !row.cancel_requested
    const pauseMs = Math.max(minutes(pauseMinutes(row.attempts)), Math.min(failure.retryAfterSeconds ?? 0, 3600) * 1000)
    const hasFailed = final && !isBooked
    await tx(this.#deps.db, async (trx) => {
      if (hasFailed) {
        await recordActivity(trx, {
          action: 'carriers.failed',
          level: 'ERROR',
          accountId: row.account_id,
          subject: row.parcel_id,
          detail: { carrier: row.carrier, problem: failure.problem },
          at: clock.now(),
        })
        await this.#parcels.onFailed(trx, row.parcel_id, row.cancel_requested ? 'cancel' : 'book')
      }
      await this.#finish(
        {
          // A booking is valid without a label.
          ...(hasFailed ? { state: 'failed' as const } : {}),
          sent: row.state === 'booked' || this.#mayBeBooked,
          problem: isBooked && final ? null : failure.problem,
          problem_said: isBooked && final ? null : failure.detail || null,
          next_try_at: final ? null : later(clock.now(), pauseMs),
        },
        trx,
      )
    })
    return permanent.includes(failure.problem) ? 'trouble' : 'outage'
  }

  #client(): CarrierClient {
    const client = findClient(this.#deps, this.#row.carrier)
    if (!client) throw new CarrierError('closed')
    return client
  }

  async #shipment(): Promise<BookableShipment> {
    const shipment = await this.#parcels.readShipment(this.#row.parcel_id)
    if (!shipment) throw new CarrierError('incomplete')
    return shipment
  }

  async #finish(result: StepResult, db = this.#deps.db as Parameters<typeof finishBookingStep>[0]): Promise<void> {
    await finishBookingStep(db, this.#row, result, this.#deps.clock.now())
  }
}
