/** Writes a report to a file, and deletes old ones. */
import type { ReportFile } from '@waybill/contract/reports/files'
import { tx } from '../../../db/pool.ts'
import { readFromReplicas } from '../../../db/replicas/read-scope.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { attempt, type JobRun, type Jobs } from '../../../jobs/jobs.ts'
import { keepStored, removeReleased, storeMadeFile, sweepMadeFiles, writeToDisk } from '../../attachments/file-store.ts'
import { orderReportPdf, orderReportSheet } from '../orders/documents.ts'
import { deploymentPdf, deploymentSheet } from '../staff/documents.ts'
import { deleteReportFiles, findReportFile, oldReportFiles, type ReportFileRow, updateReportFile } from './queries.ts'
import { maxAttempts } from './service.ts'

/**
 * The job `reports:make-file`. Rows are read and written in batches, so that a year takes no more memory than a day. A
 * retry starts again with the first row.
 */
export async function makeReportFile(deps: Deps, { fileId }: Jobs['reports:make-file'], job?: JobRun): Promise<void> {
  const row = await findReportFile(deps.db, fileId)
  if (!row || row.state === 'ready') return
  let failure: ReportFile['failure'] = 'writing'
  const work = async () => {
    await updateReportFile(deps.db, row.id, { state: 'running', failure: null, done: 0 })
    await readFromReplicas(async () => {
      const { name, file } = await openReport(deps, row)
      await writeToDisk(file, async (path, bytes) => {
        failure = 'storing'
        const key = await storeMadeFile(deps, path, row.format)
        const isWanted = await tx(deps.db, async (trx) => {
          const changes = { state: 'ready', done: row.total, name, storage_key: key, bytes } as const
          if (!(await updateReportFile(trx, row.id, changes))) return false
          await keepStored(trx, [key])
          return true
        })
        // The user removed the report meanwhile.
        if (!isWanted) await removeReleased(deps, key)
      })
    })
  }
  const fail = () => updateReportFile(deps.db, row.id, { state: 'failed', failure })
  await attempt(job, { most: maxAttempts, work, fail })
}

function openReport(deps: Deps, row: ReportFileRow): ReturnType<typeof orderReportPdf> {
  const { format, filters, account_id: accountId, only_created_by: createdBy } = row
  const language = { locale: row.language, t: deps.translations(row.language) }
  const onRow = countRows(deps, row)
  if (accountId === null) {
    if (format === 'pdf') return deploymentPdf(deps, filters, language, onRow)
    return deploymentSheet(deps, { ...filters, format }, language.t, onRow)
  }
  const reader = { accountId: asAccountId(accountId), onlyCreatedBy: createdBy }
  if (format === 'pdf') return orderReportPdf(deps, reader, filters, language, onRow)
  return orderReportSheet(deps, reader, { ...filters, format }, language, onRow)
}

/** Writes the progress at every hundredth of the rows. */
function countRows(deps: Deps, { id, total }: ReportFileRow): () => Promise<void> {
  const step = Math.max(1, Math.ceil(total / 100))
  let done = 0
  return async () => {
    done += 1
    // Orders that came in since the file was requested are included.
    if (done % step === 0) await updateReportFile(deps.db, id, { done: Math.min(done, total) })
  }
}

/** Part of the job `housekeeping:sweep`: deletes old reports with their files. */
export function sweepReportFiles(deps: Deps): Promise<void> {
  return sweepMadeFiles(deps, { list: oldReportFiles, remove: deleteReportFiles })
}
