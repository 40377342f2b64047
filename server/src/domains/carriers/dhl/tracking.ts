// DHL Shipment Tracking – Unified: one number per call and less detail than the MyDHL API, but often up when that is
// down.
import * as z from 'zod/mini'
import type { DhlAccess } from '../../../config.ts'
import type { CheckpointsByNumber } from '../carrier.ts'
import { type Checkpoint, readCheckpoint, unifiedCodes } from '../checkpoints.ts'
import { callForEach } from '../in-parts.ts'
import { parseCarrierTime } from '../rules.ts'
import { CarrierError, optionalAnswerText, parseResponse, send, toCarrierProblem } from '../wire.ts'

const eventSchema = z.object({
  timestamp: optionalAnswerText,
  location: z.optional(
    z.nullable(z.object({ address: z.optional(z.object({ addressLocality: optionalAnswerText })) })),
  ),
  statusCode: optionalAnswerText,
  status: optionalAnswerText,
  description: optionalAnswerText,
  remark: optionalAnswerText,
})
const response = z.object({
  shipments: z.array(
    z.object({
      id: z.union([z.number(), z.string()]),
      status: z.optional(eventSchema),
      events: z.optional(z.array(eventSchema)),
    }),
  ),
})
const problem = z.object({ title: optionalAnswerText, detail: optionalAnswerText })

/** The maximum number of calls per run: the service is meant for single look-ups and rate-limits bulk use. */
const maxCalls = 20

/** Tracks numbers one by one. Numbers that were not reached have no entry and are queried next time. */
export function dhlTracking(access: NonNullable<DhlAccess['tracking']>, timeoutMs: number) {
  const one = async (number: string, timeZone: string): Promise<Checkpoint[] | null> => {
    const query = new URLSearchParams({ trackingNumber: number, service: 'express', language: 'en' })
    const reply = await send(
      `${access.url}/shipments?${query}`,
      { method: 'GET', headers: { accept: 'application/json', 'DHL-API-Key': access.key } },
      timeoutMs,
    )
    if (reply.status === 404) return null
    if (reply.status !== 200) {
      throw new CarrierError(toCarrierProblem(reply.status), problemText(reply.text), reply.retryAfterSeconds)
    }
    const shipment = parseResponse(response, reply.text).shipments.find(({ id }) => String(id) === number)
    if (!shipment) return null
    const events = shipment.events?.length ? shipment.events : shipment.status ? [shipment.status] : []
    return events
      .flatMap((event) => toCheckpoint(event, timeZone) ?? [])
      .sort((a, b) => a.at.getTime() - b.at.getTime())
  }

  return (numbers: readonly string[], timeZone: string): Promise<CheckpointsByNumber> =>
    callForEach(numbers.slice(0, maxCalls), (number) => one(number, timeZone))
}

function problemText(body: string): string {
  try {
    const { title, detail } = parseResponse(problem, body)
    return detail ?? title ?? ''
  } catch {
    return ''
  }
}

function toCheckpoint(event: z.output<typeof eventSchema>, timeZone: string): Checkpoint | null {
  return readCheckpoint(unifiedCodes, {
    code: event.statusCode ?? 'unknown',
    at: event.timestamp ? parseCarrierTime(event.timestamp, timeZone) : null,
    place: event.location?.address?.addressLocality?.split('-')[0],
    text: event.description ?? event.status,
  })
}
