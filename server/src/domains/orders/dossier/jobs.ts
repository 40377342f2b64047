// The job that creates a dossier: parcel by parcel into a file on disk, then into the file store.
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { attempt, type JobRun, type Jobs } from '../../../jobs/jobs.ts'
import { keepStored, storeMadeFile, writeToDisk } from '../../attachments/file-store.ts'
import { listHistories, type ParcelHistory } from '../../parcels/timeline/history.ts'
import { dossierPdf } from './pdf.ts'
import { type DossierRow, findDossier, updateDossier } from './queries.ts'
import { maxAttempts, toScope } from './service.ts'
import { dossierZip } from './zip.ts'

/** The number of parcels between two updates of the progress. */
const progressStep = 10

/**
 * The job `orders:make-dossier`. Parcels are read, drawn and written one after the other, so that a month of a large
 * account takes no more memory than a day. A retry starts again with the first parcel.
 */
export async function makeDossier(
  deps: Deps,
  { accountId, dossierId }: Jobs['orders:make-dossier'],
  job?: JobRun,
): Promise<void> {
  const row = await findDossier(deps.db, accountId, dossierId)
  if (!row || row.storage_key !== null) return
  const work = async () => {
    await updateDossier(deps.db, row, { done: 0, failed: false })
    await store(deps, row)
  }
  await attempt(job, { most: maxAttempts, work, fail: () => updateDossier(deps.db, row, { failed: true }) })
}

async function store(deps: Deps, row: DossierRow): Promise<void> {
  const language = { locale: row.language, t: deps.translations(row.language) }
  const scope = toScope(deps, row)
  const make = row.format === 'pdf' ? dossierPdf : dossierZip
  const file = make(deps, { scope, name: row.name, parcels: readWithProgress(deps, row) }, language)
  await writeToDisk(file, async (path, bytes) => {
    const key = await storeMadeFile(deps, path, row.format)
    await tx(deps.db, async (trx) => {
      await updateDossier(trx, row, { done: row.total, storage_key: key, bytes })
      await keepStored(trx, [key])
    })
  })
}

/** Reads the parcels of a dossier, and updates the progress meanwhile. */
async function* readWithProgress(deps: Deps, row: DossierRow): AsyncGenerator<ParcelHistory> {
  let done = 0
  for await (const parcel of listHistories(deps, toScope(deps, row), row.language)) {
    yield parcel
    done += 1
    if (done % progressStep === 0) await updateDossier(deps.db, row, { done: Math.min(done, row.total) })
  }
}
