/**
 * What carriers' codes mean, as data. A milestone is a word of ours that no carrier and no parcel status knows; what it
 * does to a parcel is decided where parcels are.
 */
export const milestones = [
  'collected',
  'processed',
  'departed',
  'arrived',
  'out_for_delivery',
  'delivered',
  'attempt_failed',
  'returning',
  'on_hold',
  'customs',
  'customs_cleared',
  'customs_delay',
  'awaiting_collection',
  'note',
] as const
export type Milestone = (typeof milestones)[number]

/** Why a delivery failed, in the words of our scanners. */
export type FailureReason = 'not_home' | 'bad_address' | 'refused' | 'other'

/** `null`: says nothing that a sender would want to read (an order was accepted, data was received). */
export type Meaning = { milestone: Milestone; reason?: FailureReason } | null

/** One line of a carrier's own timeline. */
export type Checkpoint = {
  at: Date
  /** The carrier's code. */
  code: string
  milestone: Milestone
  reason: FailureReason | null
  /** A town: the public may see it. */
  place: string | null
  /** The carrier's own sentence, for the sender. */
  said: string | null
  signedBy: string | null
}

const failed = (reason: FailureReason): Meaning => ({ milestone: 'attempt_failed', reason })
const is = (milestone: Milestone): Meaning => ({ milestone })

/** Checkpoints of DHL Express. */
export const dhlCodes: Readonly<Record<string, Meaning>> = {
  PU: is('collected'),
  PL: is('processed'),
  DF: is('departed'),
  AF: is('arrived'),
  AR: is('arrived'),
  WC: is('out_for_delivery'),
  OK: is('delivered'),
  // Part of the pieces: ours have one, so this is for a person to read.
  PD: is('note'),
  NH: failed('not_home'),
  BA: failed('bad_address'),
  ND: failed('other'),
  RD: failed('refused'),
  RT: is('returning'),
  OH: is('on_hold'),
  IC: is('customs'),
  CR: is('customs_cleared'),
  UD: is('customs_delay'),
  CD: is('customs_delay'),
  CC: is('awaiting_collection'),
  SA: null,
}

/** Status codes of DHL Shipment Tracking – Unified: coarser, so `transit` only says that it is under way. */
export const unifiedCodes: Readonly<Record<string, Meaning>> = {
  'pre-transit': null,
  transit: is('collected'),
  delivered: is('delivered'),
  failure: failed('other'),
  unknown: null,
}

/** Actions of Yunda. */
export const yundaActions: Readonly<Record<string, Meaning>> = {
  ACCEPT: null,
  GOT: is('collected'),
  ARRIVAL: is('arrived'),
  DEPARTURE: is('departed'),
  SENT: is('out_for_delivery'),
  INBOUND: is('awaiting_collection'),
  OUTBOUND: is('note'),
  SIGNED: is('delivered'),
  SIGNFAIL: failed('other'),
  RETURN: is('returning'),
  ISSUE: is('on_hold'),
  REJECTION: failed('refused'),
  OTHER: is('note'),
  OVERSEA_IN: is('arrived'),
  OVERSEA_OUT: is('departed'),
  CLEARANCE_START: is('customs'),
  CLEARANCE_FINISH: is('customs_cleared'),
  CLEARANCE_FAIL: is('customs_delay'),
  OVERSEA_ARRIVAL: is('arrived'),
  OVERSEA_DEPARTURE: is('departed'),
  TRANSFER: is('note'),
}

/** A code that is not in the table is shown as the carrier said it, and moves nothing. */
export function checkpointMeaning(table: Readonly<Record<string, Meaning>>, code: string): Meaning {
  return Object.hasOwn(table, code) ? (table[code] as Meaning) : is('note')
}

/** The same for what both of a carrier's services tell of one moment, so that it is told once: minute and meaning. */
export function checkpointKey({ at, milestone, said }: Checkpoint): string {
  const minute = at.toISOString().slice(0, 16)
  return milestone === 'note' ? `${minute} note ${(said ?? '').slice(0, 60)}` : `${minute} ${milestone}`
}
