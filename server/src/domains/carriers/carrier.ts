// The interface to a carrier, independent of its protocol.
import type { Checkpoint } from './checkpoints.ts'
import type { Shipment } from './rules.ts'

/** A carrier's price for a shipment, in minor units. */
export type CarrierRate = { product: string; name: string; priceMinor: number; currency: string; days: number | null }

export type BookingResult = { carrierNumber: string; label: Buffer | null }

/** Checkpoints by the carrier's number, oldest first. A number without an entry is unknown, or was not queried. */
export type CheckpointsByNumber = Map<string, Checkpoint[]>

/** Each method ends within a few seconds, and throws CarrierError when it fails. None accesses the database. */
export type CarrierClient = {
  /** Prices of the carrier's products. */
  rate(shipment: Shipment): Promise<CarrierRate[]>
  /** Books a shipment under its reference. */
  book(shipment: Shipment): Promise<BookingResult>
  /** Finds an earlier booking whose response was lost; null when the carrier has none under this reference. */
  find(shipment: Shipment): Promise<BookingResult | null>
  /** The label of a booked parcel; null if the carrier has none for it. */
  label(carrierNumber: string, bookedAt: Date): Promise<Buffer | null>
  /** Cancels a booking. Also resolves if the carrier does not know it. */
  cancel(carrierNumber: string, reference: string): Promise<void>
  /** Announces numbers that will be tracked, for carriers that require it. Returns those that were accepted. */
  subscribe(parcels: readonly { carrierNumber: string; reference: string }[]): Promise<string[]>
  /** Reads checkpoints; `timeZone` applies to times without a zone. */
  track(carrierNumbers: readonly string[], timeZone: string): Promise<CheckpointsByNumber>
  /** The maximum number of parcels for one call of `track`. */
  readonly trackAtOnce: number
}
