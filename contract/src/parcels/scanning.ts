/** Scans at stations and by riders: their data, the parcel's custody, and undoing a scan. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { id, idParams, instant, integer, integerText, optionalText, text, versionOrNone } from '../ground/fields.ts'
import { dimensions } from '../ground/measures.ts'
import { failedAttempt, failureReasons } from './failed-delivery.ts'
import { parcelDetail, trackingEvent } from './parcels.ts'

/** Kinds of scans by stations and riders. Each is an event of the transition table. */
export const scanEvents = [
  'picked_up',
  'accepted',
  'sorted',
  'departed',
  'arrived',
  'out_for_delivery',
  'delivered',
  'attempt_failed',
  'handed_over',
  'return_received',
] as const
export type ScanEvent = (typeof scanEvents)[number]

/** Who can hold a parcel. `carrier`: the line haul to the next station, or a foreign carrier. */
export const holders = ['customer', 'station', 'rider', 'gunny', 'carrier'] as const
export type Holder = (typeof holders)[number]

/** The current holder of a parcel. Also in the details of `custody_take_over` and `custody_refused`. */
export const custody = z.object({
  holder: z.enum(holders),
  /** The station that has it, or whose rider has it. */
  station: z.nullable(z.object({ id, name: z.string() })),
  rider: z.nullable(z.object({ id, name: z.string() })),
  /** The number of the gunny that it is in. */
  gunny: z.nullable(z.string()),
  /** Where it was sent. */
  nextStation: z.nullable(z.object({ id, name: z.string() })),
})
export type Custody = z.output<typeof custody>
/** Scans that are made in a station. The others are made by riders, who may have no station. */
export const stationScans: readonly ScanEvent[] = [
  'accepted',
  'sorted',
  'departed',
  'arrived',
  'out_for_delivery',
  'handed_over',
  'return_received',
]

/** Documents that a person shows when collecting a parcel. */
export const idDocuments = ['identity_card', 'passport', 'driving_licence', 'collection_code'] as const

/** How long the person who made a scan can undo it, as long as no other event has followed. */
export const undoSeconds = 120

export const scanResult = z.object({
  id,
  at: instant,
  trackingNumber: z.string(),
  event: z.enum(scanEvents),
  fromStatus: z.enum(labelValues(parcelStatusLabels)),
  toStatus: z.enum(labelValues(parcelStatusLabels)),
  stationId: z.nullable(id),
  place: z.nullable(z.string()),
  /** Until when this scan can be undone; null: not at all. */
  undoUntil: z.nullable(instant),
  /** The right station, if the parcel was scanned at a wrong one; otherwise null. */
  rightStation: z.nullable(z.object({ id, name: z.string() })),
  /** Set if the same scan had already been made: by whom (`at` says when). Nothing was changed. */
  repeated: z.optional(z.object({ byYou: z.boolean(), byName: z.nullable(z.string()) })),
})
export type ScanResult = z.output<typeof scanResult>

export const scan = endpoint({
  id: 'staff.scan',
  method: 'POST',
  path: '/api/staff/scans',
  access: 'staff.operate',
  summary:
    'Reports where a parcel is; checked against the transition table under a lock. Delivered and handed over need a ' +
    'proof. The same scan a second time is answered with the first one',
  body: z.object({
    trackingNumber: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)),
    event: z.enum(scanEvents),
    /** When it was scanned: a scanner without a connection reports later. Absent or implausible: now. */
    scannedAt: z.optional(instant),
    /** The station where the scan is made; the scanner's own when absent. */
    stationId: z.optional(id),
    /** `departed`: the next station. */
    nextStationId: z.optional(id),
    recipientName: z.optional(text(120)),
    /** An SVG path in a 600 x 200 box: only M, L and numbers. */
    signaturePath: z.optional(z.string().check(z.maxLength(20_000), z.regex(/^[ML0-9., -]*$/))),
    /** Photos of the handover, which replace the signature, or of a failed attempt; uploaded as `proof_photo`. */
    photoIds: z._default(z.array(id).check(z.maxLength(4)), []),
    /** `handed_over`: the document that the recipient showed. */
    idDocument: z.optional(z.enum(idDocuments)),
    idLast4: z.optional(z.string().check(z.trim(), z.regex(/^[0-9A-Za-z]{4}$/))),
    /** Cash on delivery: the amount that the recipient paid. It must be the full amount. */
    codCollectedMinor: z.optional(integer(1)),
    /** `out_for_delivery`: the rider who takes it; if absent, the scanner. */
    riderId: z.optional(id),
    failureReason: z.optional(z.enum(failureReasons)),
    note: optionalText(200),
    /** The reply to `custody_take_over`: why the recorded holder is wrong. */
    takeOver: z.optional(z.object({ reason: text(200) })),
    /** The reply to `attempt_early`: another attempt before the day that was chosen for it. */
    beforeChosenDay: z.optional(z.literal(true)),
  }),
  response: scanResult,
  idempotent: true,
})

export const recentScans = endpoint({
  id: 'staff.recentScans',
  method: 'GET',
  path: '/api/staff/scans',
  access: 'staff.operate',
  summary: 'The latest scans of this member of staff',
  query: z.object({ limit: z._default(integerText(1, 100), 20) }),
  response: z.object({ items: z.array(scanResult) }),
})

export const undoScan = endpoint({
  id: 'staff.undoScan',
  method: 'POST',
  path: '/api/staff/scans/:id/undo',
  access: 'staff.operate',
  summary:
    'Takes back a scan of one’s own that nothing has followed: the parcel is where it was, and its timeline says so',
  params: idParams,
  response: scanResult,
})

/** A parcel for staff: the events that the caller may scan next, and the current holder. */
export const staffParcel = z.extend(parcelDetail, {
  accountId: id,
  accountName: z.string(),
  /** `byName`: the person who caused the event; null: the portal or another carrier. */
  events: z.array(z.extend(trackingEvent, { byName: z.nullable(z.string()) })),
  allowedEvents: z.array(z.enum(scanEvents)),
  /** Whether the caller can weigh it again: it is at their station, or their last reading can be corrected. */
  mayWeigh: z.boolean(),
  /** Until when the caller may correct a wrong reading of a held parcel; null: not at all. */
  weighingCorrectableUntil: z.nullable(instant),
  /** The latest reading of a station's scale; null: it was not weighed again. */
  latestReading: z.nullable(z.object({ at: instant, weightGrams: z.number(), dimensions: z.nullable(dimensions) })),
  custody,
  /** The bag that it is in, and the trip on which it is loaded, travels, or was missing. */
  transport: z.object({
    bagNumber: z.nullable(z.string()),
    trip: z.nullable(z.object({ id, number: z.string(), missing: z.boolean() })),
  }),
  /** The destination station: it delivers the parcel, hands it out, or returns it. Null: unknown. */
  lastStation: z.nullable(z.object({ id, name: z.string() })),
  /** The latest failed attempt and the choice after it; null: no attempt failed, or the parcel has arrived. */
  failedAttempt: z.nullable(failedAttempt),
  /** Whether the caller may declare the parcel lost. */
  mayDeclareLost: z.boolean(),
})
export type StaffParcel = z.output<typeof staffParcel>

export const staffParcelByNumber = endpoint({
  id: 'staff.parcelByNumber',
  method: 'GET',
  path: '/api/staff/parcels/trackno/:no',
  access: 'staff.parcels',
  summary: 'A parcel by tracking number with its timeline and the scans that the caller may make next',
  params: z.object({ no: z.string().check(z.minLength(1), z.maxLength(40)) }),
  response: staffParcel,
})

export const declareLost = endpoint({
  id: 'staff.declareLost',
  method: 'POST',
  path: '/api/staff/parcels/:id/lost',
  access: 'staff.supervise',
  summary: 'Ends the journey of a parcel that cannot be found; its sender gets a mail with the note',
  params: idParams,
  body: z.object({
    version: versionOrNone,
    /** For the sender: where the courier has searched, and what happens next. */
    note: text(500),
  }),
  response: staffParcel,
})
