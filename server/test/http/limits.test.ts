import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAttachment } from '@waybill/contract/attachments/attachments'
import { errorBody } from '@waybill/contract/ground/errors'
import { createBulk, editBulk } from '@waybill/contract/parcels/bulk'
import { createPrintRun, downloadPrintRun, postNotes } from '@waybill/contract/parcels/labels'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { publicTrackLive } from '@waybill/contract/tracking/tracking'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'zod/mini'
import { sweep } from '../../src/jobs/housekeeping.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { testImage } from '../testing/factories/attachments.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { upload } from '../testing/forms.ts'
import { listening, openStream } from '../testing/streams.ts'

describe('what one user may use up', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  /** Sets a caller's count, so that the next request is close to the limit. */
  const count = (name: string, subject: string) =>
    sql`select count from rate_limits where key = ${`${name} ${subject}`}`.execute(test.deps.db)
  const setCount = (name: string, subject: string, to: number) =>
    sql`update rate_limits set count = ${to}::int where key = ${`${name} ${subject}`}`.execute(test.deps.db)
  const photo = async (who: TestCustomer) =>
    upload(test, createAttachment, {
      token: who.token,
      fields: { purpose: 'parcel_photo' },
      file: { name: 'photo.jpg', bytes: await testImage() },
    })

  it.each([
    ['files', 'upload files user', 300],
    ['bytes', 'upload kB user', 500_000],
  ])('counts uploads in %s by the hour, names the field when it is over, and begins anew', async (_, name, most) => {
    const who = await createCustomer(test)
    const other = await createCustomer(test)
    expect((await photo(who)).status).toBe(200)
    await setCount(name, who.userId, most)
    const refused = await photo(who)
    expect(refused).toMatchObject({ status: 429, error: { code: 'upload_quota', errors: [{ field: 'file' }] } })
    expect(refused.error.message).toMatch(/\d+ min/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    // Pasted rows are stored as well.
    const rows = await test.call(createBulk, { body: { rows: [{ receiverName: 'Ali' }] }, token: who.token })
    expect(rows.error.code).toBe('upload_quota')
    // So does a body of the size of a file, but not a typed text.
    const edit = (cell: string) => {
      const body = { id: newId(), add: Array.from({ length: 200 }, () => ({ line1: cell })) }
      return test.call(editBulk, { body, token: who.token })
    }
    expect((await edit('x'.repeat(1_990))).error.code).toBe('upload_quota')
    expect((await edit('1 Jalan Burma')).error.code).toBe('not_found')
    expect((await photo(other)).status).toBe(200)
    const passed = sql`update rate_limits set resets_at = now() - interval '1 second'`
    await passed.execute(test.deps.db)
    expect((await photo(who)).status).toBe(200)
    await passed.execute(test.deps.db)
    await sweep(test.deps)
    expect((await count(name, who.userId)).rows).toEqual([])
  })

  it('counts the members of an account together', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const { accountId } = owner
    const member = await createCustomer(test, { accountId, userType: 'corporate', isOwner: false })
    expect((await photo(owner)).status).toBe(200)
    await setCount('upload files account', accountId, 1_000)
    expect((await photo(member)).error.code).toBe('upload_quota')
  })

  it('counts labels before they are drawn, those for label printers threefold', async () => {
    const who = await createCustomer(test)
    const { id } = await createParcel(test, who, { status: 'inbound' })
    const print = (format: 'a6' | 'zpl') => test.call(postNotes, { body: { ids: [id], format }, token: who.token })
    expect((await print('a6')).status).toBe(200)
    expect((await print('zpl')).status).toBe(200)
    expect((await count('print user', who.userId)).rows).toEqual([{ count: 4 }])
    await setCount('print user', who.userId, 29_999)
    const refused = await print('zpl')
    expect(refused).toMatchObject({ status: 429, error: { code: 'print_quota' } })
    expect((await print('a6')).status).toBe(200)
    const run = await test.call(createPrintRun, { body: { ids: [id] }, token: who.token })
    const file = await test.call(downloadPrintRun, { params: { id: run.body.id }, token: who.token })
    expect(file.error.code).toBe('print_quota')
  })

  it('keeps a certain number of event streams open for a user, more for an address', async () => {
    const address = await listening(test)
    const who = await createCustomer(test)
    const other = await createCustomer(test)
    const open = (token: string) => openStream(address, accountEvents, { token })
    const streams = []
    for (let n = 0; n < 20; n++) streams.push(await open(who.token))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    expect((await open(who.token)).status).toBe(429)
    const others = await open(other.token)
    expect(others.status).toBe(200)
    await streams[0]?.close()
    const again = async () => {
      const stream = await open(who.token)
      if (stream.status === 200) streams.push(stream)
      return stream.status
    }
    await expect.poll(again, { timeout: 10_000 }).toBe(200)
    const visitors = []
    for (let n = 0; n < 100; n++) visitors.push(await openStream(address, publicTrackLive, { query: { no: 'WB1' } }))
    expect(visitors.at(-1)?.status).toBe(200)
    expect((await openStream(address, publicTrackLive, { query: { no: 'WB1' } })).status).toBe(429)
    for (const stream of [...streams, ...visitors, others]) await stream.close()
  })
})

describe('a connection', () => {
  /** Sends a text as it is and answers all that comes back until the server hangs up. */
  async function raw(address: string, request: string): Promise<string> {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    socket.write(request)
    return text(socket)
  }
  const parseBody = (answer: string) => parse(errorBody, JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))

  it('that sends its request too slowly is ended, in the one error shape', async () => {
    const test = await buildTestApp({}, { requestTimeoutMs: 300 })
    const address = await listening(test)
    const slowBody = await raw(
      address,
      'POST /api/customer/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        'content-length: 1000\r\n\r\n{"e',
    )
    expect(slowBody).toMatch(/^HTTP\/1\.1 408 /)
    expect(parseBody(slowBody)).toMatchObject({ statusCode: 408, code: 'request_timeout' })
    expect(await raw(address, 'POST /api/customer/auth/login HTTP/1.1\r\nhost: x\r\nx-slow: ')).toMatch(/ 408 /)
  })

  it('has two minutes for a request and twenty seconds for its headers', async () => {
    const { app } = await buildTestApp()
    expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([120_000, 20_000])
  })

  it('that sends no request, or headers without end, is answered in the one error shape', async () => {
    const address = await listening(await buildTestApp())
    const broken = await raw(address, 'HELLO\r\n\r\n')
    expect(parseBody(broken)).toMatchObject({ statusCode: 400, code: 'malformed' })
    expect(broken).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    const swollen = `GET / HTTP/1.1\r\nhost: x\r\nx-much: ${'x'.repeat(70_000)}\r\n\r\n`
    expect(parseBody(await raw(address, swollen))).toMatchObject({ statusCode: 431, code: 'headers_too_large' })
  })

  it('with an ambiguous request boundary is closed: a smuggled second request is never answered', async () => {
    const address = await listening(await buildTestApp())
    const head = 'POST /api/customer/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    const hidden = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
    const lengths = [
      `content-length: ${hidden.length + 5}\r\ntransfer-encoding: chunked\r\n`,
      `content-length: 2\r\ncontent-length: ${hidden.length}\r\n`,
    ]
    for (const length of lengths) {
      const answer = await raw(address, `${head}${length}\r\n0\r\n\r\n${hidden}`)
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
      expect(parseBody(answer)).toMatchObject({ code: 'malformed' })
    }
  })

  it('that is still open while the server stops is answered 503 in the one error shape', async () => {
    const test = await buildTestApp()
    const address = await listening(test)
    const { hostname, port } = new URL(address)
    const who = await createCustomer(test)
    // An event stream is what the server waits for; its end is held back until the late request has been answered.
    const late = connect(Number(port), hostname)
    late.setEncoding('utf8')
    let answer = ''
    late.on('data', (chunk) => {
      answer += chunk
    })
    const stream = await openStream(address, accountEvents, { token: who.token })
    // Half a request: the connection is busy, so it is not closed.
    late.write('GET /api/customer/settings/general HTTP/1.1\r\nhost: x\r\naccept-language: zh\r\n')
    const stopping = Promise.withResolvers<void>()
    test.deps.live.endStreams = stopping.resolve
    const closed = test.app.close()
    await stopping.promise
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
    await closed
  })
})
