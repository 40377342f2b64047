import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Attachment, createAttachment, getAttachment } from '@waybill/contract/attachments/attachments'
import type { ErrorBody } from '@waybill/contract/ground/errors'
import { type BulkBatch, createBulk, getBulk } from '@waybill/contract/parcels/bulk'
import { expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { addAddress } from '../testing/factories/addresses.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { listening } from '../testing/streams.ts'
import { hiddenScript, hostilePdfs, hostilePictures, pdfHideouts, pictureHideouts } from './documents.ts'
import { watchEventLoop } from './event-loop.ts'
import { hostileSheets } from './sheets.ts'

/** The number of files of a family; families that take seconds to create or to reject have fewer. */
const usual = 9
const fewer: Readonly<Record<string, number>> = {
  'shared texts under the name of a sheet': 1,
  'a cell in the last column of every row': 1,
  'thousands of merged columns': 1,
  'a long text in every cell': 2,
  'a million shared texts': 2,
  'a bomb whose header says that it is small': 3,
  'millions of empty shared texts': 1,
  'half a million styles': 1,
  'a ZIP64 record that leads to another directory': 3,
  'sizes that follow the content': 2,
  'a workbook of a hundred thousand sheets': 1,
  'a sheet that inflates to a thousand times its size': 4,
  'shared texts that inflate to a thousand times their size': 4,
  'a .csv of one endless line': 1,
  'a small file that unpacks to gigabytes': 3,
  'megabytes of compressed comments': 3,
  'a PDF of more bytes than are taken': 2,
  nothing: 1,
  'a PDF where only a picture will do': 1,
  'a PDF whose objects inflate to gigabytes': 2,
}

type Kind = 'sheet' | 'picture' | 'picture that is taken' | 'PDF' | 'PDF that is taken'
type Case = { family: string; kind: Kind; round: number; upload: { body: Buffer; type: string } }

/** The first file of every family, then the second file of every family, and so on. */
async function buildCases(): Promise<Case[]> {
  const families = [
    ['sheet', hostileSheets],
    ['picture', hostilePictures],
    ['picture that is taken', pictureHideouts],
    ['PDF', hostilePdfs],
    ['PDF that is taken', pdfHideouts],
  ] as const
  const cases: Case[] = []
  for (const [kind, group] of families) {
    for (const [family, make] of Object.entries(group)) {
      for (let round = 0; round < (fewer[family] ?? usual); round++) {
        cases.push({ family, kind, round, upload: await buildUpload(kind, Buffer.from(await make(round))) })
      }
    }
  }
  return cases.sort((a, b) => a.round - b.round)
}

/** The body of an upload. It is encoded in advance, because the client shares the event loop that is measured. */
async function buildUpload(kind: Kind, bytes: Buffer): Promise<Case['upload']> {
  const form = new FormData()
  if (kind !== 'sheet') form.set('purpose', kind.startsWith('PDF') ? 'message' : 'parcel_photo')
  // Both the name and the type are wrong.
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'orders.xlsx')
  const encoded = new Response(form)
  return { body: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' }
}

/** Uploads a file. `fetch` would copy its body twice on the event loop that is measured. */
async function send(
  url: string,
  token: string,
  { body, type }: Case['upload'],
): Promise<{ status: number; body: unknown }> {
  const upload = request(url, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': type } })
  upload.end(body)
  const [answer] = (await once(upload, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, body: await json(answer) }
}

/** The outcome of an upload in one word, or a description of the failure. */
async function getOutcome(test: TestApp, address: string, token: string, { kind, upload }: Case): Promise<string> {
  const endpoint = kind === 'sheet' ? createBulk : createAttachment
  const { status, body } = await send(address + endpoint.path, token, upload)
  if (status !== 200) {
    const { message, errors } = body as ErrorBody
    const namesField = message.length > 10 && errors?.some(({ field }) => field === 'file')
    return status < 500 && namesField ? 'refused' : `${status} ${JSON.stringify(body)}`
  }
  if (kind === 'sheet') return `batch ${(body as BulkBatch).id}`
  if (!kind.endsWith('taken')) return `taken: ${JSON.stringify(body)}`
  const { id } = body as Attachment
  const { link } = (await test.call(getAttachment, { params: { id }, token })).body
  const file = await test.app.inject({ url: link })
  const apart = file.headers['content-security-policy'] === "default-src 'none'; sandbox"
  if (kind === 'PDF that is taken')
    return apart && /^attachment/.test(String(file.headers['content-disposition'])) ? 'kept apart' : 'shown'
  return apart && !file.rawPayload.includes(hiddenScript) ? 'made anew' : 'kept what it hides'
}

it('three hundred hostile files are each refused or cleaned, and other requests are answered meanwhile', {
  timeout: 600_000,
}, async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const cases = await buildCases()
  expect(cases.length).toBeGreaterThanOrEqual(300)
  const customers = await Promise.all([1, 2, 3, 4].map(() => createCustomer(test)))
  for (const customer of customers) await addAddress(test, customer, { isDefault: true, kind: 'sender' })
  const address = await listening(test)

  const healths: number[] = []
  const askHealth = async () => healths.push((await fetch(`${address}/healthz`)).status)
  // Peaks of resident memory: of the first round, which has every family, and of all others.
  const peaks = { first: 0, others: 0 }
  let round = 0
  const memory = setInterval(() => {
    const part = round === 0 ? 'first' : 'others'
    peaks[part] = Math.max(peaks[part], process.memoryUsage.rss() / 2 ** 20)
  }, 50)
  const loop = watchEventLoop()

  const outcomes: { each: Case; what: string; token: string }[] = []
  const queue = [...cases]
  await Promise.all(
    customers.map(async ({ token }) => {
      for (let each = queue.shift(); each; each = queue.shift()) {
        round = each.round
        const [what] = await Promise.all([getOutcome(test, address, token, each), askHealth()])
        outcomes.push({ each, what, token })
      }
    }),
  )
  await Promise.all([test.settle(), askHealth()])
  await loop.stop()
  clearInterval(memory)

  for (const { each, what, token } of outcomes) {
    const name = `${each.family} (${each.round})`
    if (!what.startsWith('batch ')) {
      expect(['refused', 'made anew', 'kept apart'], `${name}: ${what}`).toContain(what)
      continue
    }
    const { batch } = (await test.call(getBulk, { params: { id: what.slice(6) }, query: {}, token })).body
    // Readable rows are left to the sender, but none of them may be good enough to become a parcel.
    if (batch.status === 'failed') expect(batch.fault?.message.length, name).toBeGreaterThan(10)
    else expect([['columns', 'ready'].includes(batch.status), batch.counts.good], name).toEqual([true, 0])
  }
  expect(healths).toEqual([...cases, 'settling'].map(() => 200))
  expect(loop.longestMs()).toBeLessThan(200)
  expect(peaks.others).toBeLessThan(peaks.first * 1.25 + 64)
})
