// HTTP requests to carriers. Each ends within a few seconds with a response or a `CarrierError`.
import type { CarrierProblem } from '@waybill/contract/carriers/carriers'
import * as z from 'zod/mini'
import { clip } from '../../lib/text/clip.ts'

/** A failed request to a carrier. It is the only error that carrier clients throw. */
export class CarrierError extends Error {
  readonly problem: CarrierProblem
  /** The carrier's own message, at most 300 characters; empty if it had none. */
  readonly detail: string
  /** The pause that the carrier requested. */
  readonly retryAfterSeconds: number | null

  constructor(problem: CarrierProblem, detail = '', retryAfterSeconds: number | null = null) {
    super(detail ? `${problem}: ${detail}` : problem)
    this.name = 'CarrierError'
    this.problem = problem
    this.detail = plain(detail, 300)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * A carrier's text as one line of at most `length` characters, for lists and timelines. Without control characters and
 * halves of characters: PostgreSQL refuses them.
 */
export function plain(text: string, length: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = text.toWellFormed().replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
  return clip(line.trim(), length)
}

export type Answer = { status: number; text: string; retryAfterSeconds: number | null }

/** A label has some hundred kilobytes; larger responses are not read. */
const maxBytes = 12 * 1024 * 1024

/**
 * Sends a request and reads the response within `timeoutMs`. Throws unreachable, or nonsense for a response that is
 * too long.
 */
export async function send(
  url: string,
  init: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: Buffer },
  timeoutMs: number,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: init.method,
      headers: init.headers,
      ...(init.body ? { body: new Uint8Array(init.body) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of response.body ?? []) {
      bytes += part.byteLength
      if (bytes > maxBytes) throw new CarrierError('nonsense', 'an answer without an end')
      parts.push(part)
    }
    const retryAfter = Number(response.headers.get('retry-after'))
    return {
      status: response.status,
      text: Buffer.concat(parts).toString('utf8'),
      retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    }
  } catch (error) {
    if (error instanceof CarrierError) throw error
    throw new CarrierError('unreachable', error instanceof Error && error.name === 'TimeoutError' ? 'time-out' : '')
  }
}

/** Maps an HTTP error status to a problem. What a 404 means depends on the call, so callers handle it first. */
export function toCarrierProblem(status: number): CarrierProblem {
  if (status === 401 || status === 403) return 'credentials'
  if (status === 429) return 'busy'
  return status >= 500 ? 'broken' : 'refused'
}

/** Whether an error may concern one parcel only, while the carrier is up. */
export const isAboutItem = (error: unknown): error is CarrierError =>
  error instanceof CarrierError && (error.problem === 'refused' || error.problem === 'nonsense')

/** An optional text of a carrier's response. */
export const optionalAnswerText = z.optional(z.nullable(z.string()))

/** Parses and validates the JSON of a response. Throws nonsense for anything else. */
export function parseResponse<S extends z.ZodMiniType>(schema: S, text: string): z.output<S> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new CarrierError('nonsense', clip(text, 80))
  }
  const result = z.safeParse(schema, json)
  if (result.success) return result.data as z.output<S>
  const [issue] = result.error.issues
  throw new CarrierError('nonsense', `${issue?.path.join('.') || 'answer'}: ${issue?.message ?? ''}`)
}

/** Decodes a label from a base64 PDF. Null for anything else: a booking must not fail because of its label. */
export function decodePdf(base64: string | null | undefined): Buffer | null {
  if (!base64) return null
  const bytes = Buffer.from(base64, 'base64')
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-' ? bytes : null
}
