/** One POST to an address that somebody else chose: a webhook, or a push service. */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isPublicAddress, literalAddress, publicLookup, RefusedAddress, type Resolve } from './public-address.ts'

/** Why there was no response. */
export type PostProblem = 'timeout' | 'unreachable' | 'tls' | 'address'

export type PostResult = {
  status: number | null
  /** The beginning of the response. */
  excerpt: string | null
  problem: PostProblem | null
  durationMs: number
}

/** The time for a whole delivery, name resolution included: a receiver should store the event and answer. */
export const sendTimeoutMs = 5_000
const excerptCharacters = 500
const excerptBytes = 2_048

type Message = { url: URL; headers: Record<string, string>; body: string | Buffer }
/** `resolve`: null allows every address, for tests and development. */
type Options = { resolve: Resolve | null; plainHttp: boolean }

/**
 * Posts a body and reads the beginning of the response. Never throws. Redirects are not followed: they could lead to an
 * internal address. No connection is kept, because the next one must be checked again.
 */
export async function post({ url, headers, body }: Message, options: Options): Promise<PostResult> {
  const start = performance.now()
  const result = (part: Partial<PostResult>): PostResult => ({
    status: null,
    excerpt: null,
    problem: null,
    ...part,
    durationMs: Math.round(performance.now() - start),
  })
  try {
    return result(await exchange({ url, headers, body }, options))
  } catch (error) {
    return result({ problem: classifyError(error) })
  }
}

async function exchange({ url, headers, body }: Message, { resolve, plainHttp }: Options) {
  if (url.protocol !== 'https:' && !plainHttp) throw new RefusedAddress('only https')
  const literal = literalAddress(url)
  // A number is not looked up, so the connection would not ask `lookup`.
  if (resolve && literal !== null && !isPublicAddress(literal)) throw new RefusedAddress(`${literal} is not public`)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const signal = AbortSignal.timeout(sendTimeoutMs)
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': bytes.length },
        signal,
        ...(resolve ? { lookup: publicLookup(resolve) } : {}),
      },
      done,
    )
    request.on('error', fail)
    request.end(bytes)
  })
  return { status: response.statusCode ?? null, excerpt: await readExcerpt(response) }
}

/** The beginning of a response. If it is slow, endless or broken off, only its status counts. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response) {
      parts.push(part as Buffer)
      size += (part as Buffer).length
      if (size >= excerptBytes) break
    }
  } catch {
    // The data received so far is enough.
  }
  response.destroy()
  const text = Buffer.concat(parts).subarray(0, excerptBytes).toString('utf8')
  // PostgreSQL cannot store NUL, and control characters are unreadable in the log.
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, excerptCharacters)
}

function classifyError(error: unknown): PostProblem {
  const { code = '', name } = error as { code?: string; name?: string }
  if (code === 'ADDRESS_REFUSED') return 'address'
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout'
  return /CERT|SSL|TLS|ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? 'tls' : 'unreachable'
}
