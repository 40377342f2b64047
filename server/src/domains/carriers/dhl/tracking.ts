/**
 * DHL Shipment Tracking – Unified: one number a call, told less finely than the MyDHL API, and open when that is not.
 */
import * as z from 'zod/mini'
import type { DhlAccess } from '../../../config.ts'
import type { Tracked } from '../carrier.ts'
import { type Checkpoint, checkpointMeaning, unifiedCodes } from '../checkpoints.ts'
import { parseCarrierTime } from '../rules.ts'
import { CarrierError, parseAnswer, problemOfStatus, send } from '../wire.ts'

const text = z.optional(z.nullable(z.string()))
const event = z.object({
  timestamp: text,
  location: z.optional(z.nullable(z.object({ address: z.optional(z.object({ addressLocality: text })) }))),
  statusCode: text,
  status: text,
  description: text,
  remark: text,
})
const shipments = z.object({
  shipments: z.array(
    z.object({
      id: z.union([z.number(), z.string()]),
      status: z.optional(event),
      events: z.optional(z.array(event)),
    }),
  ),
})
const problem = z.object({ title: text, detail: text })

/** Calls under way at a time: the service is meant for single look-ups, and lets few through. */
const mostCalls = 20

/** Tracks numbers one by one; those that it could not ask about are left for the next time. */
export function dhlTracking(access: NonNullable<DhlAccess['tracking']>, timeoutMs: number) {
  const one = async (number: string, timeZone: string): Promise<Checkpoint[] | null> => {
    const query = new URLSearchParams({ trackingNumber: number, service: 'express', language: 'en' })
    const answer = await send(
      `${access.url}/shipments?${query}`,
      { method: 'GET', headers: { accept: 'application/json', 'DHL-API-Key': access.key } },
      timeoutMs,
    )
    if (answer.status === 404) return null
    if (answer.status !== 200) {
      throw new CarrierError(problemOfStatus(answer.status), saidIn(answer.text), answer.retryAfterSeconds)
    }
    const found = parseAnswer(shipments, answer.text).shipments.find(({ id }) => String(id) === number)
    if (!found) return null
    const events = found.events?.length ? found.events : found.status ? [found.status] : []
    return events.flatMap((each) => checkpointOf(each, timeZone) ?? []).sort((a, b) => a.at.getTime() - b.at.getTime())
  }

  return async (numbers: readonly string[], timeZone: string): Promise<Tracked> => {
    const found: Tracked = new Map()
    for (const number of numbers.slice(0, mostCalls)) {
      try {
        const checkpoints = await one(number, timeZone)
        if (checkpoints) found.set(number, checkpoints)
      } catch (error) {
        // The first number's failure is the service's; later ones keep what has been found.
        if (found.size === 0) throw error
        break
      }
    }
    return found
  }
}

function saidIn(body: string): string {
  try {
    const { title, detail } = parseAnswer(problem, body)
    return detail ?? title ?? ''
  } catch {
    return ''
  }
}

function checkpointOf(given: z.output<typeof event>, timeZone: string): Checkpoint | null {
  const code = given.statusCode ?? 'unknown'
  const meaning = checkpointMeaning(unifiedCodes, code)
  const at = given.timestamp ? parseCarrierTime(given.timestamp, timeZone) : null
  if (!meaning || !at) return null
  return {
    at,
    code,
    milestone: meaning.milestone,
    reason: meaning.reason ?? null,
    place: given.location?.address?.addressLocality?.split('-')[0]?.trim().slice(0, 80) || null,
    said: (given.description ?? given.status)?.trim().slice(0, 200) || null,
    signedBy: null,
  }
}
