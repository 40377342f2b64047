/**
 * P5: an .xlsx of 10,000 rows is uploaded, validated, priced and stored with every problem by cell. The floor reads
 * the same file with the same library and COPYs its cells into a bare table. Both run alternately in one run; memory
 * is the maximum of the server's process during our work, above idle.
 */

import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { writeXlsx } from '../server/src/lib/sheet/write.ts'
import { newShopper } from './checkouts.ts'
import type { BenchDatabase } from './database.ts'
import { measure, peakMemory } from './measure.ts'
import { runAndRead } from './processes.ts'
import { against, alone, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

const rows = 10_000
const rounds = 5

const heads = [
  'Receiver name',
  'Phone',
  'Address line 1',
  'Address line 2',
  'Postcode',
  'City',
  'State',
  'Weight',
  'Length',
  'Width',
  'Height',
  'Service',
  'Contents',
  'Type of contents',
  'Reference',
  'Declared value',
  'Email',
  'Remarks',
]
const places = [
  ['10050', 'George Town', 'Pulau Pinang'],
  ['80000', 'Johor Bahru', 'Johor'],
  ['50000', 'Kuala Lumpur', 'Kuala Lumpur'],
  ['75000', 'Melaka', 'Melaka'],
] as const

/** A tenth of the rows has a mistake. `round` makes each file different, so that no row is a duplicate. */
async function file(round: number): Promise<Buffer> {
  function* lines() {
    for (let n = 0; n < rows; n += 1) {
      const [postcode, city, state] = places[n % places.length] ?? places[0]
      const slip = n % 10 === 0 ? Math.floor(n / 10) % 4 : -1
      const phone = `1${2 + (n % 5)}${String(3_000_000 + n).slice(0, 7)}`
      yield [
        `Receiver ${round}-${n}`,
        slip === 0 ? phone : `0${phone}`,
        `${n} Jalan Burma`,
        'Taman Sri',
        slip === 1 ? '99999' : postcode,
        city,
        slip === 2 ? 'Perlis' : state,
        slip === 3 ? '1,2 kg' : String(0.5 + (n % 40) / 10),
        '30',
        '20',
        '10',
        n % 3 === 0 ? 'Semi-express' : 'E-parcel',
        'Two shirts',
        'Clothing',
        `B${round}-${n}`,
        '120.00',
        `receiver${n}@example.test`,
        'Leave at the guard house',
      ]
    }
  }
  return buffer(
    writeXlsx(lines(), { name: 'Parcels', columns: heads.map((header) => ({ header, kind: 'text' as const })) }),
  )
}

export async function p5(server: RunningServer, database: BenchDatabase): Promise<Figure[]> {
  const { token } = await newShopper(database, 0)
  await senderFor(server, token)
  await timed(server, token, await file(0))
  const idle = server.memory()
  const path = join(tmpdir(), `waybill-bench-p5-${process.pid}.xlsx`)
  const ours = async (round: number) => {
    const bytes = await file(round + 1)
    writeFileSync(path, bytes)
    return timed(server, token, bytes)
  }
  // The server is already warm, and the floor warms itself up.
  let medians = { ours: Number.NaN, floor: Number.NaN }
  const peak = await peakMemory(server, async () => {
    medians = await measure({ ours, floor: () => floor(database.url, path) }, rounds, 0)
  }).finally(() => rmSync(path, { force: true }))
  return [
    against({
      id: 'P5',
      what: 'an .xlsx of 10,000 rows, validated, priced and stored with problems by cell, against reading it and COPY',
      ...medians,
      unit: 's',
      goal: { compare: 'at most', value: 3 },
    }),
    alone({
      id: 'P5 memory',
      what: 'resident memory of the server over idle while five such files are read',
      ours: (peak - idle) / 2 ** 20,
      unit: 'MB',
      goal: { compare: 'at most', value: 300 },
    }),
  ]
}

const json = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function senderFor(server: RunningServer, token: string): Promise<void> {
  const answer = await fetch(`${server.address}/api/customer/address`, {
    method: 'POST',
    headers: json(token),
    body: JSON.stringify({
      contactName: 'Bench',
      phone: '+60123456789',
      line1: '1 Jalan Telawi',
      postcode: '59100',
      city: 'Kuala Lumpur',
      state: 'Kuala Lumpur',
      country: 'my',
      kind: 'sender',
      isDefault: true,
    }),
  })
  if (!answer.ok) throw new Error(`no sender: ${await answer.text()}`)
}

/**
 * Seconds from the first byte sent until a response shows the batch as ready. It is read again after each live event,
 * as the web does: reading it every 10 ms took 80 ms of processor time of every import.
 */
async function timed(server: RunningServer, token: string, bytes: Buffer): Promise<number> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], 'bench.xlsx'))
  const events = await followEvents(server, token)
  const begin = performance.now()
  const response = await fetch(`${server.address}/api/customer/parcels/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const { id } = (await response.json()) as { id: string }
  if (!response.ok) throw new Error('the upload was refused')
  for await (const event of events) {
    if (!event.includes(id)) continue
    const look = await fetch(`${server.address}/api/customer/parcels/bulk/${id}?limit=1`, { headers: json(token) })
    const { batch } = (await look.json()) as { batch: { status: string; counts: { total: number; bad: number } } }
    if (batch.status === 'reading') continue
    if (batch.status !== 'ready' || batch.counts.total !== rows || batch.counts.bad !== rows / 10) {
      throw new Error(`not read as it should be: ${JSON.stringify(batch)}`)
    }
    return (performance.now() - begin) / 1000
  }
  throw new Error('the stream of events ended early')
}

/** The account's event stream as texts of one or more events. Leaving the loop over it closes the stream. */
async function followEvents(server: RunningServer, token: string): Promise<AsyncIterable<string>> {
  const { body, ok } = await fetch(`${server.address}/api/customer/events`, { headers: json(token) })
  if (!ok || !body) throw new Error('no stream of events')
  return body.pipeThrough(new TextDecoderStream())
}

/** The floor in a separate process, warmed up like the server. */
async function floor(url: string, path: string): Promise<number> {
  const seconds = Number(await runAndRead(process.execPath, [join(import.meta.dirname, 'floor-bulk.ts'), url, path]))
  if (!(seconds > 0)) throw new Error('the floor reported no time')
  return seconds
}
