/**
 * Requests to carriers: each ends within a few seconds with an answer or with a `CarrierError`, whatever is at the
 * other end.
 */
import type { CarrierProblem } from '@waybill/contract/carriers/carriers'
import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'

/** A carrier did not do what it was asked. Nothing else leaves the modules that speak with carriers. */
export class CarrierError extends Error {
  readonly problem: CarrierProblem
  /** The carrier's own words, at most 300 characters; empty when it had none. */
  readonly said: string
  /** What the carrier asked for before the next try. */
  readonly retryAfterSeconds: number | null

  constructor(problem: CarrierProblem, said = '', retryAfterSeconds: number | null = null) {
    super(said ? `${problem}: ${said}` : problem)
    this.name = 'CarrierError'
    this.problem = problem
    this.said = plain(said).slice(0, 300)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** One line without control characters: a carrier's words stand in a list of ours. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim()
}

export type Answer = { status: number; text: string; retryAfterSeconds: number | null }

/** A label is some hundred kilobytes; what is larger is no answer. */
const mostBytes = 12 * 1024 * 1024

/**
 * Sends a request and reads its answer, both within `timeoutMs`. Throws unreachable, or nonsense for an answer without
 * an end.
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
      if (bytes > mostBytes) throw new CarrierError('nonsense', 'an answer without an end')
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

/** What a status that is no success means. 404 is for the caller to judge, who knows what was asked for. */
export function problemOfStatus(status: number): CarrierProblem {
  if (status === 401 || status === 403) return 'credentials'
  if (status === 429) return 'busy'
  return status >= 500 ? 'broken' : 'refused'
}

/** The answer's JSON in the shape expected of it; throws nonsense for anything else. */
export function parseAnswer<S extends z.ZodMiniType>(schema: S, text: string): z.output<S> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new CarrierError('nonsense', text.slice(0, 80))
  }
  const result = safeParse(schema, json)
  if (result.success) return result.data as z.output<S>
  const [issue] = result.error.issues
  throw new CarrierError('nonsense', `${issue?.path.join('.') || 'answer'}: ${issue?.message ?? ''}`)
}

/** A label: base64 of a PDF, or null for anything else, which is not worth a booking. */
export function decodePdf(base64: string | null | undefined): Buffer | null {
  if (!base64) return null
  const bytes = Buffer.from(base64, 'base64')
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-' ? bytes : null
}
