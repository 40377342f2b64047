import { Button, NativeSelect } from '@mantine/core'
import {
  type downloadReportFile,
  type downloadStaffReportFile,
  type getReportFile,
  type getStaffReportFile,
  type listReportFiles,
  type listStaffReportFiles,
  type ReportFile,
  type ReportFileFormat,
  type removeReportFile,
  type removeStaffReportFile,
  reportFileFormats,
  type retryReportFile,
  type retryStaffReportFile,
} from '@waybill/contract/reports/files'
import { useEffect, useRef, useState } from 'react'
import { Dialog, DialogFoot } from '../../../../components/feedback/dialog.tsx'
import { JobProgress } from '../../../../components/feedback/job-progress.tsx'
import { useSend } from '../../../../components/feedback/use-send.ts'
import { Stack } from '../../../../components/layout/boxes.tsx'
import { Note, Notice } from '../../../../components/layout/text.tsx'
import { call } from '../../../../lib/api.ts'
import { saveDocument } from '../../../../lib/download.ts'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'
import { useCall, useRefresh } from '../../../../lib/query.ts'

const pollEveryMs = 700

/** The calls of one report: a customer's, or that of all accounts. `create` includes the filters of the screen. */
export type ReportFileCalls = {
  create: (format: ReportFileFormat) => Promise<ReportFile>
  list: typeof listReportFiles | typeof listStaffReportFiles
  get: typeof getReportFile | typeof getStaffReportFile
  retry: typeof retryReportFile | typeof retryStaffReportFile
  download: typeof downloadReportFile | typeof downloadStaffReportFile
  remove: typeof removeReportFile | typeof removeStaffReportFile
}

type Props = {
  calls: ReportFileCalls
  file: ReportFile | null
  onFile: (file: ReportFile | null) => void
  onClose: () => void
}

/** Selects the format, shows the progress, and then the download. Closing the dialog does not stop the server. */
export function ReportFileDialog({ calls, file, onFile, onClose }: Props) {
  const t = useT()
  const [format, setFormat] = useState<ReportFileFormat>(file?.format ?? 'pdf')
  const running = file?.state === 'queued' || file?.state === 'running'
  // Cached responses from before this time belong to an earlier attempt.
  const [startedAt, setStartedAt] = useState(Date.now)
  const { data: latest, dataUpdatedAt } = useCall(
    calls.get,
    { params: { id: file?.id ?? '' } },
    { enabled: running, staleTime: 0, refetchInterval: pollEveryMs },
  )
  useEffect(() => {
    if (running && latest && dataUpdatedAt > startedAt) onFile(latest)
  }, [running, latest, dataUpdatedAt, startedAt, onFile])

  const create = useSend(() => calls.create(format), { refresh: [calls.list], onSuccess: onFile })
  const retry = useSend((id: string) => call(calls.retry, { params: { id } }), {
    refresh: [calls.list],
    onSuccess: (queued) => {
      setStartedAt(Date.now())
      onFile(queued)
    },
  })
  const download = useSend((id: string) => saveDocument(calls.download, { params: { id } }), {
    success: t('reports.file.saved'),
  })
  const refresh = useRefresh()
  const button = useRef<HTMLButtonElement>(null)
  const state = file?.state
  // The button was disabled meanwhile, so the browser has removed its focus.
  useEffect(() => {
    if (state !== 'ready' && state !== 'failed') return
    button.current?.focus()
    // The list on the page must not say that the file is still being created.
    void refresh(calls.list)
  }, [state, refresh, calls.list])

  const [label, press] =
    file?.state === 'ready'
      ? [t('reports.file.download'), () => download.send(file.id)]
      : file?.state === 'failed'
        ? [t('actions.tryAgain'), () => retry.send(file.id)]
        : [t('reports.file.make'), () => create.send()]
  return (
    <Dialog title={t('reports.file.title')} onClose={onClose}>
      <Stack>
        <Note>{t('reports.file.lead')}</Note>
        <NativeSelect
          data-autofocus
          label={t('reports.file.format')}
          value={format}
          disabled={running}
          onChange={(event) => {
            setFormat(event.currentTarget.value as ReportFileFormat)
            onFile(null)
          }}
          data={reportFileFormats.map((value) => ({ value, label: t(`reports.file.${value}`) }))}
        />
        <FileState file={file} />
      </Stack>
      <DialogFoot>
        <Button
          ref={button}
          variant="filled"
          loading={running || create.pending || retry.pending || download.pending}
          onClick={() => void press()}
        >
          {label}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Screen readers announce each new state, but not each row count. */
function FileState({ file }: { file: ReportFile | null }) {
  const t = useT()
  const format = useFormat()
  const running = file?.state === 'queued' || file?.state === 'running'
  return (
    <>
      <div role="status">{file && file.state !== 'failed' && t(`reports.file.${file.state}`)}</div>
      {file && running && (
        <JobProgress
          done={file.done}
          total={file.total}
          text={t('reports.file.rows', { done: format.number(file.done), total: format.number(file.total) })}
        />
      )}
      {file?.failure && (
        <Notice tone="danger" role="alert">
          {t(`reports.file.${file.failure}`)}
        </Notice>
      )}
    </>
  )
}
