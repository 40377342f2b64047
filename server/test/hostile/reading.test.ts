import { bulkLimits, createBulk, getBulk } from '@waybill/contract/parcels/bulk'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { SheetError } from '../../src/lib/sheet/error.ts'
import { inspectInProcess, readInProcess } from '../../src/lib/sheet/processes.ts'
import { readSheet } from '../../src/lib/sheet/read.ts'
import { tableLimits } from '../../src/lib/sheet/table.ts'
import { jsonRow, rawXlsx, xlsx } from '../parcels/bulk/bulk-sheets.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { addAddress } from '../testing/factories/addresses.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { listening, openStream } from '../testing/streams.ts'
import { hostileSheets } from './sheets.ts'

const readLimits = tableLimits(bulkLimits.rows)

const readRows = async (rows: AsyncIterable<{ number: number; cells: unknown[] }>) => {
  const result = []
  for await (const { number, cells } of rows) result.push([number, cells[0]])
  return result
}
const getFault = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof SheetError ? error.fault : error),
  )
const buildHostileFile = (family: string, variant = 0) => Buffer.from(hostileSheets[family]?.(variant) ?? '')

describe('the process that reads spreadsheets', () => {
  it('returns the rows of a file in order, in portions', async () => {
    const file = await xlsx(Array.from({ length: 1_200 }, (_, n) => [`row ${n + 1}`, n]))
    const rows = await readRows(readInProcess(file, 'xlsx', readLimits))
    expect(rows).toHaveLength(1_200)
    expect(rows).toEqual(await readRows(readSheet(file, readLimits)))
  })

  it('is stopped if it takes too long, and the next file is read', async () => {
    const file = await xlsx([['Name'], ['Ali']])
    expect(await getFault(inspectInProcess(file, { ...readLimits, deadline: 0 }))).toBe('too_heavy')
    expect(await inspectInProcess(file, readLimits)).toBe('xlsx')
  })

  it('is stopped if it takes too much memory, and the server continues', { timeout: 120_000 }, async () => {
    const file = buildHostileFile('shared texts under the name of a sheet')
    expect(await getFault(readRows(readInProcess(file, 'xlsx', readLimits)))).toBe('too_heavy')
    expect(await inspectInProcess(await xlsx([['Name'], ['Ali']]), readLimits)).toBe('xlsx')
  })

  it('reads at most two files at once, and the others wait', async () => {
    const files = await Promise.all(Array.from({ length: 6 }, (_, n) => xlsx([[`file ${n}`]])))
    const results = await Promise.all(files.map((file) => readRows(readInProcess(file, 'xlsx', readLimits))))
    expect(results).toEqual(files.map((_, n) => [[1, `file ${n}`]]))
  })

  it('uses the scan of an inspected file for that file only, and once', async () => {
    const build = (cell: string) =>
      rawXlsx(`<worksheet><sheetData><row r="1">${cell}<c r="B1"><v>1</v></c></row></sheetData></worksheet>`)
    const [faulty, sound] = [build('<c r="A1" t="e"><v>#N/A</v></c>'), build('<c r="A1"><v>1</v></c>')]
    const countMarks = async (file: Buffer) => {
      let count = 0
      for await (const { marks } of readInProcess(file, 'xlsx', readLimits)) count += marks?.size ?? 0
      return count
    }
    for (const inspected of [faulty, sound]) {
      await inspectInProcess(inspected, readLimits)
      expect(await countMarks(sound)).toBe(0)
      await inspectInProcess(inspected, readLimits)
      expect([await countMarks(faulty), await countMarks(faulty)]).toEqual([1, 1])
    }
  })

  it('is free for the next file if the caller stops in the middle', async () => {
    const file = await xlsx(Array.from({ length: 2_000 }, (_, n) => [n]))
    for (let n = 0; n < 3; n++) {
      for await (const { number } of readInProcess(file, 'xlsx', readLimits)) if (number === 3) break
    }
    expect(await inspectInProcess(file, readLimits)).toBe('xlsx')
  })
})

describe('the checks of a ZIP file', () => {
  it.each(['a ZIP64 record that leads to another directory', 'an entry whose size stands in a ZIP64 field'])(
    'refuse an ambiguous file: %s',
    async (family) => {
      for (const variant of [0, 1, 2])
        expect(await getFault(readRows(readSheet(buildHostileFile(family, variant), readLimits)))).toBe('broken')
    },
  )

  it.each(['sizes that follow the content', 'the same name twice'])('refuse an ambiguous file: %s', async (family) => {
    expect(await getFault(readRows(readSheet(buildHostileFile(family, 1), readLimits)))).toBe('broken')
  })

  it('count shared texts before the library creates objects for them', async () => {
    for (const variant of [0, 1])
      expect(await getFault(readRows(readSheet(buildHostileFile('a million shared texts', variant), readLimits)))).toBe(
        'too_large',
      )
  })

  it('count the total length of all texts, including repeated ones', async () => {
    const file = buildHostileFile('a long text in every cell')
    expect(await getFault(readRows(readInProcess(file, 'xlsx', readLimits)))).toBe('too_large')
  })
})

it('merged cells use no more memory than the columns that can be mapped', async () => {
  const file = buildHostileFile('thousands of merged columns')
  let most = 0
  for await (const { cells, marks } of readSheet(file, readLimits))
    most = Math.max(most, cells.length, marks?.size ?? 0)
  expect(most).toBe(200)
})

it('merged cells are filled even if there are more than a few hundred', async () => {
  // Every second row has a value in its second column only.
  const cell = (n: number) => `<c r="${n % 2 ? 'B' : 'A'}${n + 1}"><v>${n}</v></c>`
  const rows = Array.from({ length: 2_000 }, (_, n) => `<row r="${n + 1}">${cell(n)}</row>`)
  const merges = Array.from({ length: 1_000 }, (_, n) => `<mergeCell ref="A${2 * n + 1}:A${2 * n + 2}"/>`)
  const [data, merged] = [rows.join(''), merges.join('')]
  const sheet = `<worksheet><sheetData>${data}</sheetData><mergeCells>${merged}</mergeCells></worksheet>`
  const result = await readRows(readSheet(rawXlsx(sheet), readLimits))
  expect(result).toEqual(result.map((_, n) => [n + 1, n - (n % 2)]))
})

describe('a batch that cannot be read', () => {
  let test: TestApp
  let who: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp({ LOG_LEVEL: 'silent' })
    await seedTestNetwork(test)
    who = await createCustomer(test)
    await addAddress(test, who, { isDefault: true, kind: 'sender' })
  })

  const look = async (id: string, language = 'en') =>
    (await test.call(getBulk, { params: { id }, query: {}, token: who.token, language })).body.batch
  const listMails = () => test.mailbox.mails().filter(({ to }) => to.includes(who.email))
  /** Makes the database reject rows, until `repairStoring`. */
  const breakStoring = () =>
    sql`alter table bulk_rows add constraint broken check (false) not valid`.execute(test.deps.db)
  const repairStoring = () => sql`alter table bulk_rows drop constraint broken`.execute(test.deps.db)
  /** Runs the next attempt now, instead of in a few seconds. */
  const tryAgain = async () => {
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db)
    await test.settle()
  }
  const begin = async (name: string) => {
    const { body } = await test.call(createBulk, { body: { name, rows: [jsonRow(1)] }, token: who.token })
    await test.settle()
    expect((await look(body.id)).status).toBe('reading')
    return body.id
  }

  it('is read by the second attempt after one failure', async () => {
    await breakStoring()
    const id = await begin('Once')
    await repairStoring()
    await tryAgain()
    expect(await look(id)).toMatchObject({ status: 'ready', counts: { total: 1 } })
    expect(listMails()).toEqual([])
  })

  it('is marked as failed after two failures, and its sender is notified on the page, live and by email', async () => {
    const stream = await openStream(await listening(test), accountEvents, { token: who.token })
    await breakStoring()
    const id = await begin('Twice')
    await tryAgain()
    await repairStoring()
    expect(await look(id)).toMatchObject({ status: 'failed', fault: { code: 'file_unreadable' }, counts: { total: 0 } })
    expect((await look(id, 'en')).fault?.message).toMatch(/twice and failed/)
    expect((await look(id, 'zh')).fault?.message).toMatch(/两次/)
    let event = await stream.next()
    while (event.event !== 'bulk') event = await stream.next()
    expect(event.data).toMatchObject({ id })
    await stream.close()
    const [mail] = listMails()
    expect(mail?.subject).toContain('Twice')
    expect(mail?.text).toContain(`/parcels/bulk/${id}`)
    // The batch has failed finally: no attempt is left.
    await tryAgain()
    expect(listMails()).toHaveLength(1)
  })

  it('is not read a third time after the process ended twice', async () => {
    await breakStoring()
    const id = await begin('Killed')
    await repairStoring()
    // Simulates a second attempt that ended the process before it could report anything.
    await sql`update bulk_batches set attempts = 2 where id = ${id}`.execute(test.deps.db)
    await tryAgain()
    expect(await look(id)).toMatchObject({ status: 'failed', fault: { code: 'file_unreadable' } })
    expect(listMails()).toHaveLength(2)
  })
})
