import type { Checkpoint } from './checkpoints.ts'
import type { Shipment } from './rules.ts'

/** What a carrier would take for a shipment; minor units. */
export type CarrierRate = { product: string; name: string; priceMinor: number; currency: string; days: number | null }

export type Booked = { carrierNumber: string; label: Buffer | null }

/**
 * What is told of a number: its checkpoints oldest first; a number without an entry is not known (any more) or could
 * not be asked now.
 */
export type Tracked = Map<string, Checkpoint[]>

/**
 * What every carrier does for us. Each method asks the carrier and ends within a few seconds; what goes wrong is a
 * `CarrierError`. None of them touches the database.
 */
export type CarrierClient = {
  rate(shipment: Shipment): Promise<CarrierRate[]>
  /** Books for the first time under the shipment's reference. */
  book(shipment: Shipment): Promise<Booked>
  /** What became of an earlier booking whose answer was lost; null when the carrier has none under this reference. */
  find(shipment: Shipment): Promise<Booked | null>
  /** The label of a booked parcel; null when the carrier has none for it. */
  label(carrierNumber: string, bookedAt: Date): Promise<Buffer | null>
  /** Gives a booked parcel back. A carrier that has never heard of it has nothing to cancel, which is as good. */
  cancel(carrierNumber: string, reference: string): Promise<void>
  /**
   * Tells the carrier that we shall ask about these numbers; carriers that don't want to know do nothing. Answers those
   * that it took.
   */
  subscribe(parcels: readonly { carrierNumber: string; reference: string }[]): Promise<string[]>
  /** `timeZone`: of times that come without one. */
  track(carrierNumbers: readonly string[], timeZone: string): Promise<Tracked>
  /** Numbers that one call of `track` takes. */
  readonly trackAtOnce: number
}
