import {
  createPrintRun,
  downloadPrintRun,
  generateNotes,
  getPrintRun,
  type NotePaper,
  pickupList,
  postNotes,
  previewNotes,
} from '@waybill/contract/parcels/labels'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { openPaper, scan } from '../../testing/paper.ts'
import { printZpl } from '../../testing/zpl-printer.ts'

describe('printed notes', () => {
  let test: TestApp
  let owner: TestCustomer
  let stranger: TestCustomer
  let ids: string[]
  let numbers: string[]
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    stranger = await createCustomer(test)
    const parcels = [
      await createParcel(test, owner, { status: 'pending_pickup', receiver: testReceiver({ contactName: '王小明' }) }),
      await createParcel(test, owner, { status: 'pending_pickup', cod_amount_minor: 12_345, collection_mode: 'cod' }),
      await createParcel(test, owner, { status: 'inbound', scope: 'international' }),
    ]
    ids = parcels.map(({ id }) => id)
    numbers = parcels.map(({ tracking_number }) => tracking_number ?? '')
  })

  const numbersIn = async (raw: Buffer) => {
    const { pages } = await openPaper(raw)
    const codes = []
    for (const page of pages) codes.push(...(await scan(await page.raster(203))))
    return codes.filter(({ format }) => format === 'Code128').map(({ text }) => text)
  }

  it.each(['a6', '4x6', 'a4'] as const)('have codes that a scanner reads, on %s', async (format) => {
    const answer = await test.call(generateNotes, { token: owner.token, query: { ids: ids.join(','), format } })
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect((await numbersIn(answer.raw)).sort()).toEqual([...numbers].sort())
  })

  it('are a text file with a separate media type for label printers', async () => {
    const answer = await test.call(generateNotes, { token: owner.token, query: { ids: ids.join(','), format: 'zpl' } })
    expect(answer.headers['content-type']).toBe('application/zpl; charset=utf-8')
    expect(answer.headers['content-disposition']).toContain('attachment')
    const labels = printZpl(answer.raw.toString())
    const codes = await Promise.all(labels.map(scan))
    expect(codes.map((label) => label[0]?.text)).toEqual(numbers)
  })

  it('are the same if the ids are in the body', async () => {
    const answer = await test.call(postNotes, { token: owner.token, body: { ids, format: '4x6' } })
    expect(answer.status).toBe(200)
    expect(await numbersIn(answer.raw)).toEqual(numbers)
  })

  it('show the customs and the amount to collect', async () => {
    const answer = await test.call(postNotes, { token: owner.token, body: { ids } })
    const { pages } = await openPaper(answer.raw)
    expect(pages.map(({ text }) => text.includes('CN22'))).toEqual([false, false, true])
    expect(pages[1]?.text).toContain('123.45')
  })

  it('are refused for unknown formats, invalid positions, other accounts’ parcels and drafts', async () => {
    const requestNotes = (body: object, token = owner.token) =>
      test.call(postNotes, { token, body: { ids, ...body } as never })
    expect((await requestNotes({ format: 'a5' })).error.errors?.[0]?.field).toBe('format')
    for (const startAt of [0, 5, 1.5, 'x']) expect((await requestNotes({ format: 'a4', startAt })).status).toBe(422)
    expect((await requestNotes({}, stranger.token)).status).toBe(404)
    expect((await requestNotes({ ids: [] })).status).toBe(422)
    const draft = await createParcel(test, owner)
    for (const endpoint of [postNotes, previewNotes, createPrintRun] as const) {
      const answer = await test.call(endpoint, { token: owner.token, body: { ids: [...ids, draft.id] } })
      expect([answer.status, answer.error.details]).toEqual([422, { ids: [draft.id] }])
      const foreign = await test.call(endpoint, { token: stranger.token, body: { ids } })
      expect(foreign.status).toBe(404)
    }
    const address = { ids: ids.join(','), format: 'a4' as NotePaper, startAt: 9 }
    expect((await test.call(generateNotes, { token: owner.token, query: address })).status).toBe(422)
  })

  it('have a preview of the first sheet, true to size, with the number of sheets', async () => {
    const preview = (format: NotePaper, startAt = 1) =>
      test.call(previewNotes, { token: owner.token, body: { ids, format, startAt } })
    const a4 = (await preview('a4', 3)).body
    expect(a4).toMatchObject({ widthMm: 210, heightMm: 297, sheets: 2 })
    const texts = a4.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape] : []))
    expect(Math.min(...texts.map(({ y }) => y))).toBeGreaterThan(148)
    expect((await preview('4x6')).body).toMatchObject({ widthMm: 101.6, heightMm: 152.4, sheets: 3 })
    expect((await preview('zpl')).body).toMatchObject({ widthMm: 105, sheets: 3 })
    expect(JSON.stringify((await preview('a6')).body.shapes)).toContain('王小明')
  })

  it('of thousands of parcels are a print run, which is validated once and reports its progress', async () => {
    const many = Array.from({ length: 1200 }, (_, n) => ids[n % ids.length] as string)
    const over = await test.call(postNotes, { token: owner.token, body: { ids: many } })
    expect(over.status).toBe(422)
    const body = { ids: many, format: 'a4' as const }
    const headers = { 'idempotency-key': 'run-once' }
    const printRun = await test.call(createPrintRun, { token: owner.token, body, headers })
    expect(printRun.body).toMatchObject({ total: 1200, printed: 0, finished: false })
    expect((await test.call(createPrintRun, { token: owner.token, body, headers })).body.id).toBe(printRun.body.id)
    const params = { id: printRun.body.id }
    const file = await test.call(downloadPrintRun, { token: owner.token, params })
    expect(file.headers['content-type']).toBe('application/pdf')
    expect((await openPaper(file.raw)).pages).toHaveLength(300)
    expect((await test.call(getPrintRun, { token: owner.token, params })).body).toMatchObject({
      printed: 1200,
      finished: true,
    })
    expect((await test.call(getPrintRun, { token: stranger.token, params })).status).toBe(404)
    expect((await test.call(downloadPrintRun, { token: stranger.token, params })).status).toBe(404)
  })
})

describe('the pickup list', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createPayer(test, { creditsMinor: 1_000_000 })
    const order = await placeOrder(test, owner, { count: 3, mode: 'D2D' })
    expect((await payCredits(test, owner, order)).status).toBe(200)
    await createParcel(test, owner, { status: 'pending_pickup' })
    await createParcel(test, owner, { status: 'inbound' })
  })

  it('groups the parcels that wait for a rider by pickup', async () => {
    const { body } = await test.call(pickupList, { token: owner.token })
    expect(body.parcelCount).toBe(4)
    expect(body.groups.map(({ parcels }) => parcels.length)).toEqual([3, 1])
    expect(body.groups[0]?.pickup?.number).toMatch(/^PU-/)
    expect(body.groups[1]?.pickup).toBeNull()
    const pickup = body.groups[0]?.pickup
    const one = await test.call(pickupList, { token: owner.token, query: { pickupRequestId: pickup?.id } })
    expect(one.body.parcelCount).toBe(3)
    const day = await test.call(pickupList, { token: owner.token, query: { date: pickup?.date } })
    expect(day.body.parcelCount).toBe(3)
    expect((await test.call(pickupList, { token: owner.token, query: { date: '2020-01-01' } })).body.parcelCount).toBe(
      0,
    )
  })

  it('has every parcel, however many wait before those of a later pickup', async () => {
    const busy = await createPayer(test, { creditsMinor: 1_000_000 })
    const first = await createParcel(test, busy, { status: 'pending_pickup', created_at: new Date('2026-01-02') })
    await sql`
      insert into parcels (account_id, id, created_by, scope, currency, status, sender, receiver, created_at)
      select account_id, gen_random_uuid(), created_by, scope, currency, status, sender, receiver, created_at
      from parcels, generate_series(1, 5000)
      where id = ${first.id}::uuid`.execute(test.deps.db)
    const order = await placeOrder(test, busy, { count: 2, mode: 'D2D' })
    expect((await payCredits(test, busy, order)).status).toBe(200)
    const { body } = await test.call(pickupList, { token: busy.token })
    expect(body.parcelCount).toBe(5003)
    const date = body.groups[0]?.pickup?.date
    expect((await test.call(pickupList, { token: busy.token, query: { date } })).body.parcelCount).toBe(2)
  })

  it('is a PDF for the rider to sign, even without waiting parcels', async () => {
    const { body } = await test.call(pickupList, { token: owner.token })
    for (const language of ['en', 'zh']) {
      const answer = await test.call(pickupList, { token: owner.token, query: { format: 'pdf' }, language })
      expect(answer.headers['content-type']).toBe('application/pdf')
      const { pages } = await openPaper(answer.raw)
      expect(pages).toHaveLength(2)
      const words = pages.map(({ text }) => text.replace(/\s/g, '')).join('')
      for (const parcel of body.groups.flatMap(({ parcels }) => parcels)) expect(words).toContain(parcel.trackingNumber)
      expect(words).not.toContain('pickupDoc')
    }
    const nobody = await createCustomer(test)
    const empty = await test.call(pickupList, { token: nobody.token, query: { format: 'pdf' } })
    expect((await openPaper(empty.raw)).pages).toHaveLength(1)
    expect((await test.call(pickupList, { token: owner.token, query: { format: 'xls' as never } })).status).toBe(422)
  })
})
