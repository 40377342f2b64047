import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getProfile, login, refresh } from '@waybill/contract/accounts/sign-in'
import { cartCount } from '@waybill/contract/parcels/cart'
import { getGeneralSettings } from '@waybill/contract/settings/settings'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError, buildPath, call, NetworkError, readError } from '../src/lib/api.ts'
import { onSessionExpired, startCredentials } from '../src/lib/credentials.ts'
import { parseEvents } from '../src/lib/events.ts'
import { sessionStore, storeTokens, storeUser } from '../src/lib/session.ts'
import { serverNow } from '../src/lib/time/server-clock.ts'

/** A server with a response per test. It also serves the runtime settings that contain its own address. */
let server: Server
let answer: RequestListener
let host = ''
const realFetch = globalThis.fetch

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  host = `http://localhost:${(server.address() as AddressInfo).port}`
  // A browser resolves `/settings.json` against the page; here the origin is added.
  globalThis.fetch = ((input: string, init?: RequestInit) =>
    input === '/settings.json'
      ? Promise.resolve(Response.json({ apiHost: host, timeoutMs: 300 }))
      : realFetch(input, init)) as typeof fetch
  startCredentials()
})

afterAll(async () => {
  globalThis.fetch = realFetch
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

beforeEach(() => storeTokens({ access: null, refresh: null }))

function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

const credentials = { body: { email: 'a@example.com', password: 'secret secret' } }

test('fills in the parameters of a path and omits empty ones', () => {
  expect(buildPath('/a/:id/b', { id: 'x/y' }, { sort: '+at', tab: '', page: 2, none: undefined })).toBe(
    '/a/x%2Fy/b?sort=%2Bat&page=2',
  )
})

test('knows the time of the server from every response, also from a refusal', async () => {
  const time = Date.parse('2040-01-01T10:00:00Z')
  answer = json(403, { code: 'forbidden', message: 'No.' }, { date: new Date(time).toUTCString() })
  await expect(call(cartCount)).rejects.toThrow('No.')
  expect(Math.abs(serverNow() - time)).toBeLessThan(5_000)
})

test('sends JSON and the language', async () => {
  let received: unknown
  answer = async (request, response) => {
    received = {
      body: await readBody(request),
      language: request.headers['accept-language'],
      bearer: request.headers.authorization,
    }
    json(200, { token: 't' })(request, response)
  }
  await call(login, credentials)
  expect(received).toEqual({ body: credentials.body, language: 'en', bearer: undefined })
})

test('sends the same browser id with each request that starts a session, and with no other request', async () => {
  const deviceIds: unknown[] = []
  answer = (request, response) => {
    deviceIds.push(request.headers['x-device-id'])
    json(200, { token: 't' })(request, response)
  }
  await call(login, credentials)
  await call(login, credentials)
  await call(getGeneralSettings)
  expect(deviceIds[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(deviceIds).toEqual([deviceIds[0], deviceIds[0], undefined])
})

test("throws an ApiError with the server's message for an error response", async () => {
  const errors = [{ field: 'email', message: 'Email is required.' }]
  answer = json(
    422,
    { statusCode: 422, code: 'validation', message: 'Correct the fields.', errors },
    { 'retry-after': '7' },
  )
  const error = await call(login, credentials).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    statusCode: 422,
    code: 'validation',
    message: 'Correct the fields.',
    errors,
    retryAfter: 7,
  })
})

test('throws an ApiError with our own message for an error page of a proxy', async () => {
  const error = await readError(new Response('<html>Bad gateway</html>', { status: 502 }))
  expect(error).toMatchObject({ statusCode: 502, code: 'unavailable', message: 'errors.unavailable' })
})

test('throws a NetworkError after a timeout', async () => {
  answer = () => {}
  const error = await call(login, credentials).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ code: 'timeout' })
})

test('throws a NetworkError if the connection breaks', async () => {
  answer = (request) => request.socket.destroy()
  const error = await call(login, credentials).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ code: 'offline' })
})

test("throws the signal's reason if the call is aborted", async () => {
  answer = () => {}
  const controller = new AbortController()
  const running = call(login, { ...credentials, signal: controller.signal })
  controller.abort()
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
})

test('asks for the password once if several calls find the session ended, and then continues all of them', async () => {
  storeTokens({ access: 'spent', refresh: null })
  answer = (request, response) =>
    request.headers.authorization === 'Bearer fresh'
      ? json(200, { name: 'Mei' })(request, response)
      : json(401, { statusCode: 401, code: 'unauthorized', message: 'no' })(request, response)
  let promptCount = 0
  const stop = onSessionExpired(async () => {
    promptCount += 1
    return { token: 'fresh', refreshToken: 'r', user: { id: 'u', permissions: [] } } as never
  })
  const profiles = await Promise.all([call(getProfile), call(getProfile), call(getProfile)])
  stop()
  expect(profiles.map(({ name }) => name)).toEqual(['Mei', 'Mei', 'Mei'])
  expect(promptCount).toBe(1)
  expect(sessionStore.getState().tokens.access).toBe('fresh')
})

/** Signs in again in place, as a user whose sign-in response has no permissions. */
function signInAgain(): () => void {
  return onSessionExpired(
    async () => ({ token: 'fresh', refreshToken: 'r', user: { id: 'u', permissions: [] } }) as never,
  )
}

test('reloads the permissions after signing in again in place, before the interrupted call continues', async () => {
  storeTokens({ access: 'spent', refresh: null })
  const calls: string[] = []
  answer = (request, response) => {
    const fresh = request.headers.authorization === 'Bearer fresh'
    calls.push(`${request.method} ${request.url} ${fresh}`)
    if (!fresh) json(401, { statusCode: 401, code: 'unauthorized', message: 'no' })(request, response)
    else if (request.url === getProfile.path) json(200, { id: 'u', permissions: ['pay'] })(request, response)
    else json(200, { total: 3 })(request, response)
  }
  const stop = signInAgain()
  await call(cartCount)
  stop()
  expect(calls).toEqual([`GET ${cartCount.path} false`, `GET ${getProfile.path} true`, `GET ${cartCount.path} true`])
  expect(sessionStore.getState().auth).toMatchObject({ user: { id: 'u' }, permissions: ['pay'] })
})

test('offers what is permitted now after a token that a change of permissions has ended is renewed', async () => {
  storeTokens({ access: 'spent', refresh: 'r1' })
  storeUser({ id: 'u' } as never)
  vi.stubGlobal('localStorage', { getItem: (key: string) => ({ t: 'spent', rt: 'r1' })[key] ?? null, setItem() {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  answer = (request, response) => {
    if (request.url === refresh.path)
      json(200, { token: 'fresh', refreshToken: 'r2', user: { id: 'u', permissions: ['pay'] } })(request, response)
    else if (request.headers.authorization === 'Bearer fresh') json(200, { total: 3 })(request, response)
    else json(401, { statusCode: 401, code: 'unauthorized', message: 'no' })(request, response)
  }
  await call(cartCount)
  expect(sessionStore.getState().auth.permissions).toEqual(['pay'])
})

test('a renewal in the background says for how long the user has done nothing', async () => {
  storeTokens({ access: 'spent', refresh: 'r1' })
  const entries: Record<string, string> = { t: 'spent', rt: 'r1', 'user:acted': String(Date.now() - 600_000) }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => {
      entries[key] = value
    },
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  let body: unknown
  answer = async (request, response) => {
    if (request.url === refresh.path) {
      body = await readBody(request)
      json(200, { token: 'fresh', refreshToken: 'r2', user: { id: 'u', permissions: [] } })(request, response)
    } else if (request.headers.authorization === 'Bearer fresh') json(200, { total: 3 })(request, response)
    else json(401, { statusCode: 401, code: 'unauthorized', message: 'no' })(request, response)
  }
  await call(cartCount)
  expect(body).toEqual({ refreshToken: 'r1', idleSeconds: 600 })
  expect(entries['user:reported']).toBe(entries['user:acted'])
})

test('completes signing in again if the profile cannot be loaded, and fails the interrupted call', async () => {
  storeTokens({ access: 'spent', refresh: null })
  answer = json(401, { statusCode: 401, code: 'unauthorized', message: 'no' })
  const stop = signInAgain()
  await expect(call(cartCount)).rejects.toMatchObject({ statusCode: 401 })
  stop()
})

test('throws "Session expired" and clears the storage if the user signs out instead', async () => {
  storeTokens({ access: 'spent', refresh: null })
  answer = json(401, { statusCode: 401, code: 'unauthorized', message: 'no' })
  const stop = onSessionExpired(async () => null)
  await expect(call(getProfile)).rejects.toMatchObject({ statusCode: 401, code: 'session_expired' })
  stop()
  expect(sessionStore.getState().tokens.access).toBeNull()
})

test('keeps a stored session after wrong credentials', async () => {
  storeTokens({ access: 'good', refresh: null })
  answer = json(401, { statusCode: 401, code: 'wrong_credentials', message: 'wrong' })
  await expect(call(login, credentials)).rejects.toMatchObject({ code: 'wrong_credentials' })
  expect(sessionStore.getState().tokens.access).toBe('good')
})

test('reads events from chunks of any size and skips invalid ones', async () => {
  const text =
    'event: parcel\ndata: {"id":"1"}\n\n: ping\n\ndata: {broken\n\nevent: wallet\r\ndata: {"balanceMinor":5}\r\n\r\n'
  for (const size of [1, 3, 7, 200]) {
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
    const events = []
    for await (const event of parseEvents(stream)) events.push(event)
    expect(events).toEqual([
      { type: 'parcel', data: { id: '1' } },
      { type: 'wallet', data: { balanceMinor: 5 } },
    ])
  }
})
