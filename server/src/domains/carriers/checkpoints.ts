// Maps carriers' codes to our own milestones. What a milestone does to a parcel is decided in
// parcels/carrier-handover/rules-events.ts.
import { clip } from '../../lib/text/clip.ts'
import { plain } from './wire.ts'

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

/** Why a delivery failed: the same reasons as in our own scans. */
export type FailureReason = 'not_home' | 'bad_address' | 'refused' | 'other'

/** Null: nothing of interest to a sender, such as "data received". */
export type Meaning = { milestone: Milestone; reason?: FailureReason } | null

/** One event of a carrier's own timeline. */
export type Checkpoint = {
  at: Date
  /** The carrier's code. */
  code: string
  milestone: Milestone
  reason: FailureReason | null
  /** A town, never an address: the public may see it. */
  place: string | null
  /** The carrier's own text, for the sender. */
  detail: string | null
  signedBy: string | null
}

const failedAttempt = (reason: FailureReason): Meaning => ({ milestone: 'attempt_failed', reason })
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
  // Partial delivery: our shipments have one piece, so staff must look at it.
  PD: is('note'),
  NH: failedAttempt('not_home'),
  BA: failedAttempt('bad_address'),
  ND: failedAttempt('other'),
  RD: failedAttempt('refused'),
  RT: is('returning'),
  OH: is('on_hold'),
  IC: is('customs'),
  CR: is('customs_cleared'),
  UD: is('customs_delay'),
  CD: is('customs_delay'),
  CC: is('awaiting_collection'),
  SA: null,
}

/**
 * Status codes of DHL Shipment Tracking – Unified. They are coarser: `transit` only says that a parcel is on its way.
 */
export const unifiedCodes: Readonly<Record<string, Meaning>> = {
  'pre-transit': null,
  transit: is('collected'),
  delivered: is('delivered'),
  failure: failedAttempt('other'),
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
  SIGNFAIL: failedAttempt('other'),
  RETURN: is('returning'),
  ISSUE: is('on_hold'),
  REJECTION: failedAttempt('refused'),
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

/** The meaning of a code. An unknown code is shown with the carrier's text, and does not change the parcel. */
export function checkpointMeaning(table: Readonly<Record<string, Meaning>>, code: string): Meaning {
  return Object.hasOwn(table, code) ? (table[code] as Meaning) : is('note')
}

type CheckpointFields = {
  code: string
  at: Date | null
  place?: string | null | undefined
  text?: string | null | undefined
  signedBy?: string | null | undefined
}

/** Converts a carrier's event to a checkpoint; null if it has no time, or nothing of interest to a sender. */
export function readCheckpoint(
  table: Readonly<Record<string, Meaning>>,
  { code, at, place, text, signedBy }: CheckpointFields,
): Checkpoint | null {
  const meaning = checkpointMeaning(table, code)
  if (!meaning || !at) return null
  return {
    at,
    code: plain(code, 40),
    milestone: meaning.milestone,
    reason: meaning.reason ?? null,
    place: plain(place ?? '', 80) || null,
    detail: plain(text ?? '', 200) || null,
    signedBy: plain(signedBy ?? '', 120) || null,
  }
}

/**
 * The identity of a checkpoint: minute and meaning. Two services of a carrier that report the same event have the same
 * key.
 */
export function checkpointKey({ at, milestone, detail }: Checkpoint): string {
  const minute = at.toISOString().slice(0, 16)
  return milestone === 'note' ? `${minute} note ${clip(detail ?? '', 60)}` : `${minute} ${milestone}`
}
