import type { CarrierProblem } from '@waybill/contract/carriers/carriers'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { Booked, CarrierClient } from './carrier.ts'
import { findClient, isSimulatedCarrier } from './clients.ts'
import { type BookingRow, claimBookingStep, finishBookingStep, type StepResult, saveLabel } from './queries.ts'
import { mostAttempts, pauseMinutes, type Shipment } from './rules.ts'
import { CarrierError } from './wire.ts'

/** Nobody else takes the step meanwhile: longer than all calls of one step together. */
const leaseMs = minutes(2)
/** Labels that came late are fetched this much later. */
const labelPauseMs = minutes(1)
/** First look at the checkpoints of what has just been booked. */
const firstLookMs = minutes(1)

/** What asking again would not change: somebody has to look. */
const hopeless: readonly CarrierProblem[] = ['refused', 'incomplete']
/** Answers after which the carrier certainly has nothing. */
const surelyNothing: readonly CarrierProblem[] = ['refused', 'incomplete', 'credentials', 'busy', 'closed']

/** What a step came to: `outage` when the carrier itself is the trouble, so that others need not try now either. */
export type StepOutcome = 'nothing_due' | 'done' | 'trouble' | 'outage'

/**
 * Builds the shipment of a parcel when a carrier must be told of it; null when the parcel is not there or not complete.
 */
export type ShipmentReader = (parcelId: string) => Promise<Shipment | null>

/**
 * Takes a booking one step further: book, fetch the label, or cancel, whichever is due. Never twice: one process at a
 * time, and what may have been sent before is looked up first. Never throws for a carrier's sake: what went wrong is
 * written on the booking, with the time of the next try.
 */
export async function advanceBooking(deps: Deps, parcelId: string, shipmentOf: ShipmentReader): Promise<StepOutcome> {
  const now = deps.clock.now()
  const row = await claimBookingStep(deps.db, parcelId, now, later(now, leaseMs))
  if (!row) return 'nothing_due'
  const step = new Step(deps, row, shipmentOf)
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
  readonly #shipmentOf: ShipmentReader
  /** A request of this or an earlier try may have been carried out without our knowing. */
  #mayBeBooked: boolean

  constructor(deps: Deps, row: BookingRow, shipmentOf: ShipmentReader) {
    this.#deps = deps
    this.#row = row
    this.#shipmentOf = shipmentOf
    this.#mayBeBooked = row.sent
  }

  async book(): Promise<void> {
    const client = this.#client()
    const shipment = await this.#shipment()
    const earlier = this.#mayBeBooked ? await client.find(shipment) : null
    this.#mayBeBooked = false
    const booked = earlier ?? (await this.#bookNow(client, shipment))
    await this.#keep(booked)
  }

  async #bookNow(client: CarrierClient, shipment: Shipment): Promise<Booked> {
    try {
      return await client.book(shipment)
    } catch (error) {
      this.#mayBeBooked = !(error instanceof CarrierError) || !surelyNothing.includes(error.problem)
      throw error
    }
  }

  async #keep({ carrierNumber, label }: Booked): Promise<void> {
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
    const again = !pdf && attempts < mostAttempts
    await this.#finish({
      problem: null,
      problem_said: null,
      ...(again ? {} : { attempts: 0 }),
      next_try_at: again ? later(at, minutes(pauseMinutes(attempts))) : null,
    })
  }

  async cancel(): Promise<void> {
    const { carrier_number: known } = this.#row
    const client = this.#client()
    const shipment = await this.#shipment()
    const number = known ?? (this.#mayBeBooked ? (await client.find(shipment))?.carrierNumber : null)
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

  /** Writes what went wrong and when it is tried again. */
  async failed(error: unknown): Promise<StepOutcome> {
    const { log, clock } = this.#deps
    const row = this.#row
    const known = error instanceof CarrierError ? error : new CarrierError('broken')
    if (known !== error) log.error({ err: error, parcelId: row.parcel_id }, 'carriers: a step failed')
    const over = hopeless.includes(known.problem) || row.attempts >= mostAttempts
    const booked = row.state === 'booked' && !row.cancel_requested
    const pauseMs = Math.max(minutes(pauseMinutes(row.attempts)), Math.min(known.retryAfterSeconds ?? 0, 3600) * 1000)
    await this.#finish({
      // A label that can't be had does not undo the booking.
      ...(over && !booked ? { state: 'failed' as const } : {}),
      sent: row.state === 'booked' || this.#mayBeBooked,
      problem: booked && over ? null : known.problem,
      problem_said: booked && over ? null : known.said || null,
      next_try_at: over ? null : later(clock.now(), pauseMs),
    })
    return hopeless.includes(known.problem) ? 'trouble' : 'outage'
  }

  #client(): CarrierClient {
    const client = findClient(this.#deps, this.#row.carrier)
    if (!client) throw new CarrierError('closed')
    return client
  }

  async #shipment(): Promise<Shipment> {
    const shipment = await this.#shipmentOf(this.#row.parcel_id)
    if (!shipment) throw new CarrierError('incomplete')
    return shipment
  }

  async #finish(result: StepResult, db = this.#deps.db as Parameters<typeof finishBookingStep>[0]): Promise<void> {
    await finishBookingStep(db, this.#row, result, this.#deps.clock.now())
  }
}
