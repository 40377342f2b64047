import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { readBatches } from '../server/src/db/batches.ts'
import { createDb, createPool } from '../server/src/db/pool.ts'
import { type ExportedOrder, exportBatch } from '../server/src/domains/orders/export/queries.ts'
import { orderFilter } from '../server/src/domains/orders/rules.ts'
import { asAccountId } from '../server/src/http/caller.ts'
import {
  type SheetColumn,
  type SheetFormat,
  type SheetValue,
  sheetMediaTypes,
  writeSheet,
} from '../server/src/lib/sheet/write.ts'
import { newShopper, type Shopper } from './checkouts.ts'
import type { BenchDatabase } from './database.ts'
import { measure, peakMemory, timeSeconds } from './measure.ts'
import { against, type Figure } from './results.ts'
import type { RunningServer } from './server.ts'

const many = 100_000
const few = 10_000
const rounds = 3
const timeZone = 'Asia/Kuala_Lumpur'
/** Orders per statement, as in the export. */
const batchSize = 500

/** The same columns as in the export, so that the floor writes the same cells. */
const columns: SheetColumn[] = (
  ['text', 'time', 'text', 'text', 'number', 'money', 'money', 'money', 'money', 'money', 'time', 'text'] as const
).map((kind, n) => ({ header: `Column ${n}`, kind }))

/**
 * P7: 100,000 orders as .xlsx and as .csv over HTTP, compared with only the writer library and the rows in memory, and
 * with the export's own statements read in the same batches and handed to the same writer, without a server; the
 * server's peak memory for 100,000 rows compared with that for 10,000.
 */
export async function p7(server: RunningServer, database: BenchDatabase): Promise<Figure[]> {
  const [large, small] = [await withOrders(database, many), await withOrders(database, few)]
  await database.query('vacuum analyze orders, invoices')
  const rows = Array.from({ length: many }, (_, n) => rowFor(n))
  const pool = createPool(database.url, { max: 2, name: 'waybill bench export' })
  const figures: Figure[] = []
  for (const format of ['xlsx', 'csv'] as const) {
    const medians = await measure(
      {
        ours: (round) => timeSeconds(() => downloadOrders(server, (round < 0 ? small : large).token, format)),
        own: (round) => timeSeconds(() => readAndWrite(pool, (round < 0 ? small : large).accountId, format)),
        floor: (round) => timeSeconds(() => bare(round < 0 ? rows.slice(0, few) : rows, format)),
      },
      rounds,
    )
    figures.push(
      against({
        id: `P7 ${format} own`,
        what: `orders a second of such an export to .${format}, against its statements and the writer without a server`,
        ours: many / medians.ours,
        floor: many / medians.own,
        unit: 'orders/s',
        goal: { compare: 'at least', value: 0.7 },
      }),
    )
    figures.push(
      against({
        id: `P7 ${format}`,
        what:
          `export of ${many.toLocaleString('en')} orders to .${format} over HTTP, ` +
          'against the writer alone with the rows in memory',
        ours: medians.ours,
        floor: medians.floor,
        unit: 's',
        goal: { compare: 'at most', value: 1.5 },
      }),
    )
  }
  await pool.end()
  const peak = async (who: Shopper) => {
    await downloadOrders(server, small.token, 'xlsx')
    return peakMemory(server, () => downloadOrders(server, who.token, 'xlsx'))
  }
  figures.push(
    against({
      id: 'P7 memory',
      what:
        `peak memory of the server while exporting ${many.toLocaleString('en')} orders, ` +
        `against ${few.toLocaleString('en')}`,
      floor: (await peak(small)) / 2 ** 20,
      ours: (await peak(large)) / 2 ** 20,
      unit: 'MB',
      goal: { compare: 'at most', value: 1.2 },
    }),
  )
  return figures
}

export async function downloadOrders(server: RunningServer, token: string, format: SheetFormat): Promise<void> {
  const answer = await fetch(`${server.address}/api/customer/orders/xls?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.headers.get('content-type') !== sheetMediaTypes[format])
    throw new Error(`the export answers ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body ?? []) bytes += chunk.length
  if (bytes < few) throw new Error(`the export has ${bytes} bytes`)
}

async function bare(rows: readonly (readonly SheetValue[])[], format: SheetFormat): Promise<number> {
  let bytes = 0
  for await (const chunk of writeSheet(format, rows, { name: 'Orders', columns, timeZone, t: (key) => key }))
    bytes += (chunk as Buffer).length
  return bytes
}

/** The export's statements and writer alone: no HTTP, access or presentation. */
async function readAndWrite(pool: Pool, accountId: string, format: SheetFormat): Promise<number> {
  const db = createDb(pool)
  const filter = orderFilter({}, null, timeZone)
  const read = (after: ExportedOrder | null) => exportBatch(db, asAccountId(accountId), filter, after, batchSize)
  async function* batches(): AsyncGenerator<SheetValue[][]> {
    for await (const orders of readBatches(read)) {
      yield orders.map((order) => [
        order.number,
        new Date(order.created_us / 1000),
        order.status,
        order.payment_method,
        order.parcel_count,
        order.total_minor,
        order.tax_minor,
        order.paid_minor,
        order.refunded_minor,
        order.refund_pending_minor,
        order.paid_us === null ? null : new Date(order.paid_us / 1000),
        order.invoice_number,
      ])
    }
  }
  let bytes = 0
  for await (const chunk of writeSheet(
    format,
    { batches: batches() },
    { name: 'Orders', columns, timeZone, t: (key) => key },
  ))
    bytes += (chunk as Buffer).length
  return bytes
}

function rowFor(n: number): SheetValue[] {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000)
  return [`ORD-${n}`, at, 'On its way', 'Credit', 3, 2829, 159, 2829, 0, 0, at, `INV-2026-${n}`]
}

/** A customer with this many paid orders and their invoices, in the same form as the services write them. */
export async function withOrders(database: BenchDatabase, orders: number): Promise<Shopper> {
  const shopper = await newShopper(database, 1)
  const [row] = await database.query<{ account_id: string; created_by: string }>(
    'select account_id, created_by from orders where id = $1',
    [shopper.orderIds[0]],
  )
  await database.query(
    `with made as (
       insert into orders (account_id, id, number, created_by, status, currency, total_minor, paid_minor,
         payment_method, lines, parcel_count, paid_at, created_at)
       select $1, gen_random_uuid(), $3 || n, $2, 'completed', 'MYR', 2829, 2829, 'express_credit', $4::jsonb, 3, at, at
       from (select n, now() - n * interval '1 minute' as at from generate_series(1, $5::int) n) numbered
       returning id, number, created_at)
     insert into invoices (account_id, id, year, number, order_id, currency, seller, buyer, lines, net_minor,
       tax_minor, total_minor, payment_method,
       paid_at, issued_at)
     select $1, gen_random_uuid(), 2026, 'INV-' || number, id, 'MYR', '{}', '{}', '[]', 2670, 159, 2829,
       'express_credit', created_at, created_at from made`,
    [
      row?.account_id,
      row?.created_by,
      `P7-${randomUUID().slice(0, 8)}-`,
      JSON.stringify([{ kind: 'freight', amountMinor: 2400, basis: { parcels: 3 } }]),
      orders,
    ],
  )
  return shopper
}
