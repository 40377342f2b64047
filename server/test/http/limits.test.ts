import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { createAttachment } from '@waybill/contract/attachments/attachments'
import { errorBody } from '@waybill/contract/ground/errors'
import { createBulk, editBulk } from '@waybill/contract/parcels/bulk'
import { createPrintRun, downloadPrintRun, postNotes } from '@waybill/contract/parcels/labels'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { publicTrackLive } from '@waybill/contract/tracking/tracking'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'zod/mini'
import { SharedCounts } from '../../src/http/limits/rate-limit.ts'
import { sweep } from '../../src/jobs/housekeeping.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { testImage } from '../testing/factories/attachments.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { upload } from '../testing/forms.ts'
import { queueBehind } from '../testing/lock-queue.ts'
import { listening, openStream } from '../testing/streams.ts'

describe('limits per user', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  /** Sets a caller's count, so that the next request is close to the limit. */
  const count = (name: string, subject: string) =>
    sql`select count from rate_limits where key = ${`${name} ${subject}`}`.execute(test.deps.db)
  const setCount = (name: string, subject: string, to: number) =>
    sql`update rate_limits set count = ${to}::int where key = ${`${name} ${subject}`}`.execute(test.deps.db)
  const uploadFile = async (who: TestCustomer) =>
    upload(test, createAttachment, {
      token: who.token,
      fields: { purpose: 'parcel_photo' },
      file: { name: 'photo.jpg', bytes: await testImage() },
    })

  it.each([
    ['files', 'upload files user', 300],
    ['bytes', 'upload kB user', 500_000],
  ])(
    'count uploads in %s by the hour, name the field when exceeded, and reset after the hour',
    async (_, name, most) => {
      const who = await createCustomer(test)
      const other = await createCustomer(test)
      expect((await uploadFile(who)).status).toBe(200)
      await setCount(name, who.userId, most)
      const refusal = await uploadFile(who)
      expect(refusal).toMatchObject({ status: 429, error: { code: 'upload_quota', errors: [{ field: 'file' }] } })
      expect(refusal.error.message).toMatch(/\d+ min/)
      expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3000)
      // Pasted rows are stored too, so they count.
      const rows = await test.call(createBulk, { body: { rows: [{ receiverName: 'Ali' }] }, token: who.token })
      expect(rows.error.code).toBe('upload_quota')
      // A body of the size of a file counts too, but a typed text does not.
      const edit = (cell: string) => {
        const body = { id: newId(), add: Array.from({ length: 200 }, () => ({ line1: cell })) }
        return test.call(editBulk, { body, token: who.token })
      }
      expect((await edit('x'.repeat(1_990))).error.code).toBe('upload_quota')
      expect((await edit('1 Jalan Burma')).error.code).toBe('not_found')
      expect((await uploadFile(other)).status).toBe(200)
      const endPeriod = sql`update rate_limits set resets_at = now() - interval '1 second'`
      await endPeriod.execute(test.deps.db)
      expect((await uploadFile(who)).status).toBe(200)
      await endPeriod.execute(test.deps.db)
      await sweep(test.deps)
      expect((await count(name, who.userId)).rows).toEqual([])
    },
  )

  it('count the members of an account together', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const { accountId } = owner
    const member = await createCustomer(test, { accountId, userType: 'corporate', isOwner: false })
    expect((await uploadFile(owner)).status).toBe(200)
    await setCount('upload files account', accountId, 1_000)
    expect((await uploadFile(member)).error.code).toBe('upload_quota')
  })

  it('count labels before they are drawn, and those for label printers threefold', async () => {
    const who = await createCustomer(test)
    const { id } = await createParcel(test, who, { status: 'inbound' })
    const print = (format: 'a6' | 'zpl') => test.call(postNotes, { body: { ids: [id], format }, token: who.token })
    expect((await print('a6')).status).toBe(200)
    expect((await print('zpl')).status).toBe(200)
    expect((await count('print user', who.userId)).rows).toEqual([{ count: 4 }])
    await setCount('print user', who.userId, 29_999)
    const refusal = await print('zpl')
    expect(refusal).toMatchObject({ status: 429, error: { code: 'print_quota' } })
    expect((await print('a6')).status).toBe(200)
    const run = await test.call(createPrintRun, { body: { ids: [id] }, token: who.token })
    const file = await test.call(downloadPrintRun, { params: { id: run.body.id }, token: who.token })
    expect(file.error.code).toBe('print_quota')
  })

  it('allow a fixed number of event streams per user, and more per IP address', async () => {
    const address = await listening(test)
    const who = await createCustomer(test)
    const other = await createCustomer(test)
    const openEvents = (token: string) => openStream(address, accountEvents, { token })
    const streams = []
    for (let n = 0; n < 20; n++) streams.push(await openEvents(who.token))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    expect((await openEvents(who.token)).status).toBe(429)
    const others = await openEvents(other.token)
    expect(others.status).toBe(200)
    await streams[0]?.close()
    const reopen = async () => {
      const stream = await openEvents(who.token)
      if (stream.status === 200) streams.push(stream)
      return stream.status
    }
    await expect.poll(reopen, { timeout: 10_000 }).toBe(200)
    const visitors = []
    for (let n = 0; n < 100; n++) visitors.push(await openStream(address, publicTrackLive, { query: { no: 'WB1' } }))
    expect(visitors.at(-1)?.status).toBe(200)
    expect((await openStream(address, publicTrackLive, { query: { no: 'WB1' } })).status).toBe(429)
    for (const stream of [...streams, ...visitors, others]) await stream.close()
  })

  it('open no event stream for a HEAD request, which nobody would read', async () => {
    const who = await createCustomer(test)
    const headers = { authorization: `Bearer ${who.token}` }
    const streams = test.app.routes.filter(({ endpoint }) => endpoint?.media === 'text/event-stream')
    expect(streams.length).toBeGreaterThan(2)
    for (const { url } of streams)
      expect((await test.app.inject({ method: 'HEAD', url: `${url}?no=WB1`, headers })).statusCode).toBe(404)
    expect((await test.app.inject({ method: 'HEAD', url: getProfile.path, headers })).statusCode).toBe(200)
  })
})

describe('the counts of the general limit', () => {
  it('are added once, however many flushes begin during a slow one', async () => {
    const test = await buildTestApp()
    const counts = new SharedCounts(test.deps.db)
    counts.stop()
    counts.take('caller')
    const lock = sql`insert into rate_limits (key, count, resets_at) values ('caller', 1, now() + interval '1 minute')`
    const [first] = await queueBehind(test, lock, () => {
      const flushes = [1, 2, 3].map(() => counts.flush())
      return Promise.all(flushes)
    })
    expect(first).toHaveLength(3)
    expect(counts.read('caller').current).toBe(2)
    // The next flush is a new one.
    counts.take('caller')
    await counts.flush()
    expect(counts.read('caller').current).toBe(3)
  })
})

describe('a connection', () => {
  /** Sends raw text and returns everything that the server sends until it closes the connection. */
  async function sendRaw(address: string, request: string): Promise<string> {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    socket.write(request)
    return text(socket)
  }
  const parseBody = (answer: string) => parse(errorBody, JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))

  it('is closed with the standard error body if it sends its request too slowly', async () => {
    const test = await buildTestApp({}, { requestTimeoutMs: 300 })
    const address = await listening(test)
    const slowBody = await sendRaw(
      address,
      'POST /api/customer/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        'content-length: 1000\r\n\r\n{"e',
    )
    expect(slowBody).toMatch(/^HTTP\/1\.1 408 /)
    expect(parseBody(slowBody)).toMatchObject({ statusCode: 408, code: 'request_timeout' })
    expect(await sendRaw(address, 'POST /api/customer/auth/login HTTP/1.1\r\nhost: x\r\nx-slow: ')).toMatch(/ 408 /)
  })

  it('has two minutes for a request and twenty seconds for its headers', async () => {
    const { app } = await buildTestApp()
    expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([120_000, 20_000])
  })

  it('gets the standard error body for text that is not a request and for endless headers', async () => {
    const address = await listening(await buildTestApp())
    const malformedAnswer = await sendRaw(address, 'HELLO\r\n\r\n')
    expect(parseBody(malformedAnswer)).toMatchObject({ statusCode: 400, code: 'malformed' })
    expect(malformedAnswer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    const largeHeaders = `GET / HTTP/1.1\r\nhost: x\r\nx-much: ${'x'.repeat(70_000)}\r\n\r\n`
    expect(parseBody(await sendRaw(address, largeHeaders))).toMatchObject({
      statusCode: 431,
      code: 'headers_too_large',
    })
  })

  it('is closed if its request boundary is ambiguous: a smuggled second request is never answered', async () => {
    const address = await listening(await buildTestApp())
    const head = 'POST /api/customer/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    const smuggled = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
    const lengths = [
      `content-length: ${smuggled.length + 5}\r\ntransfer-encoding: chunked\r\n`,
      `content-length: 2\r\ncontent-length: ${smuggled.length}\r\n`,
    ]
    for (const length of lengths) {
      const answer = await sendRaw(address, `${head}${length}\r\n0\r\n\r\n${smuggled}`)
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
      expect(parseBody(answer)).toMatchObject({ code: 'malformed' })
    }
  })

  it('gets 503 with the standard error body if it is still open while the server stops', async () => {
    const test = await buildTestApp()
    const address = await listening(test)
    const { hostname, port } = new URL(address)
    const who = await createCustomer(test)
    // The server waits for event streams. The stream stays open until the late request has been answered.
    const late = connect(Number(port), hostname)
    late.setEncoding('utf8')
    let answer = ''
    late.on('data', (chunk) => {
      answer += chunk
    })
    const stream = await openStream(address, accountEvents, { token: who.token })
    // Half a request: the connection is in use, so the server does not close it.
    late.write('GET /api/customer/settings/general HTTP/1.1\r\nhost: x\r\naccept-language: zh\r\n')
    const stop = Promise.withResolvers<void>()
    test.deps.live.endStreams = stop.resolve
    const closing = test.app.close()
    await stop.promise
    late.write('\r\n')
    await expect.poll(() => answer.includes('\r\n\r\n{'), { timeout: 10_000 }).toBe(true)
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer.toLowerCase()).toContain('retry-after: 1')
    expect(parseBody(answer)).toMatchObject({
      statusCode: 503,
      code: 'unavailable',
      message: expect.stringMatching(/[一-鿿]/),
    })
    await stream.close()
    await closing
  })
})
