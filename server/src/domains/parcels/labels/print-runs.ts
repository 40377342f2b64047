// Large prints of consignment notes, and their preview.
import type { Readable } from 'node:stream'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { createPrintRun, NotePaper, PrintRun, previewNotes } from '@waybill/contract/parcels/labels'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { countPrintQuota } from '../../../http/limits/quota.ts'
import { days, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { onlyCreatedBy } from '../access.ts'
import { noteSheet, previewSheet, renderConsignmentNotes } from './draw-notes.ts'
import { presentShapes } from './present.ts'
import {
  deletePrintRuns,
  findPrintable,
  findPrintRun,
  insertPrintRun,
  listParcelIdsOfRun,
  type PrintRunRow,
  setPrinted,
} from './queries-prints.ts'
import { noNoteError, noteOptions, type PrintLanguage, readNotes } from './service.ts'

/** The number of parcels that a print holds in memory at a time. */
const chunkSize = 250

function present(row: PrintRunRow): PrintRun {
  return {
    id: row.id,
    total: row.total,
    printed: row.printed,
    finished: row.finished_at !== null,
    format: row.format,
    createdAt: row.created_at.toISOString(),
  }
}

/** Throws not_found unless the caller may see all parcels, and validation with the ids of those without a note. */
async function checkPrintable(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<void> {
  const printability = await findPrintable(deps.db, caller.accountId, onlyCreatedBy(caller), ids)
  if (ids.some((id) => !printability.has(id))) throw new AppError('not_found')
  const without = ids.filter((id) => printability.get(id) === false)
  if (without.length > 0) throw noNoteError(without)
}

/** Checks and stores a print run; its notes are drawn when they are downloaded. Throws not_found, validation. */
export async function beginPrintRun(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof createPrintRun>,
  idempotency: Idempotency,
): Promise<PrintRun> {
  await checkPrintable(deps, caller, body.ids)
  const id = newId()
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const { accountId, userId } = caller
    const { format, startAt, ids } = body
    await insertPrintRun(trx, { accountId, id, createdBy: userId, format, startAt, parcelIds: ids, at })
    const run = present((await findPrintRun(trx, accountId, userId, id)) as PrintRunRow)
    await idempotency.keep(trx, run)
    return run
  })
}

async function ownRun(deps: Deps, { accountId, userId }: CustomerCaller, id: string): Promise<PrintRunRow> {
  const run = await findPrintRun(deps.db, accountId, userId, id)
  if (!run) throw new AppError('not_found')
  return run
}

/** The progress of a print run. Throws not_found. */
export async function printRun(deps: Deps, caller: CustomerCaller, id: string): Promise<PrintRun> {
  return present(await ownRun(deps, caller, id))
}

/**
 * The notes of a run, drawn in chunks while they are sent, so that neither all rows nor all pages are in memory. The
 * progress is stored. A parcel that was cancelled meanwhile makes the stream fail, because a note must never be
 * missing silently. Throws not_found, print_quota.
 */
export async function printRunFile(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  language: PrintLanguage,
): Promise<{ file: Readable; format: NotePaper }> {
  const run = await ownRun(deps, caller, id)
  await countPrintQuota(deps, caller.userId, run.total, run.format)
  await setPrinted(deps.db, run, 0, null)
  async function* notes() {
    let printed = 0
    while (printed < run.total) {
      const ids = await listParcelIdsOfRun(deps.db, run, printed, chunkSize)
      for await (const note of await readNotes(deps, caller, ids, language)) yield note
      printed += ids.length
      await setPrinted(deps.db, run, printed, printed === run.total ? deps.clock.now() : null)
    }
  }
  const options = noteOptions(deps, language, { format: run.format, startAt: run.start_at })
  return { file: renderConsignmentNotes(notes(), options), format: run.format }
}

/** The first sheet of a print as shapes, and the number of sheets. */
export async function getPreview(
  deps: Deps,
  caller: CustomerCaller,
  { ids, format, startAt }: BodyOf<typeof previewNotes>,
  language: PrintLanguage,
): Promise<ResponseOf<typeof previewNotes>> {
  await checkPrintable(deps, caller, ids)
  const { places } = noteSheet(format)
  const used = format === 'a4' ? startAt - 1 : 0
  const notes = await readNotes(deps, caller, ids.slice(0, places.length - used), language)
  // A label in ZPL looks like one on paper.
  const sheet = await previewSheet(
    notes,
    noteOptions(deps, language, { format: format === 'zpl' ? 'a6' : format, startAt }),
  )
  return {
    widthMm: sheet.widthMm,
    heightMm: sheet.heightMm,
    sheets: Math.ceil((ids.length + used) / places.length),
    shapes: presentShapes(sheet.marks),
  }
}

/** The number of days for which a print run can be downloaded again. */
const printRunDays = 7

/** Part of the job `housekeeping:sweep`. */
export async function sweepPrintRuns({ db, clock }: Deps): Promise<void> {
  await deletePrintRuns(db, later(clock.now(), -days(printRunDays)))
}
