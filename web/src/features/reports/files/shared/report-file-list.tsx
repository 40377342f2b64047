import { Button } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { formatBytes } from '@waybill/contract/ground/format'
import { countLimit } from '@waybill/contract/ground/paging'
import type { Look } from '@waybill/contract/ground/status/status-look'
import type { ReportFile } from '@waybill/contract/reports/files'
import { useState } from 'react'
import { StatusPill } from '../../../../components/display/status-pill.tsx'
import { Time } from '../../../../components/display/time.tsx'
import { useSend } from '../../../../components/feedback/use-send.ts'
import { Buttons, Panel } from '../../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../../components/layout/text.tsx'
import { Pages } from '../../../../components/list/data-list.tsx'
import { ListTable } from '../../../../components/list/list-table.tsx'
import { RemoveRowButton } from '../../../../components/list/row-buttons.tsx'
import { call } from '../../../../lib/api.ts'
import { saveDocument } from '../../../../lib/download.ts'
import { useFormat } from '../../../../lib/format.ts'
import { useLanguage, useT } from '../../../../lib/i18n.ts'
import { useCall } from '../../../../lib/query.ts'
import type { ReportFileCalls } from './report-file-dialog.tsx'

type Calls = Omit<ReportFileCalls, 'create'>

const refetchMs = 2_000
/** Only a few, because the list is above the report. */
const filesAPage = 5

const stateLooks: Record<ReportFile['state'], Look> = {
  queued: { tone: 'waiting', icon: 'clock' },
  running: { tone: 'waiting', icon: 'clock' },
  ready: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'alert' },
}

const isUnderWay = ({ state }: ReportFile) => state === 'queued' || state === 'running'

/** The caller's files of the last seven days, with their progress and buttons to download, retry and remove them. */
export function ReportFileList({ calls }: { calls: Calls }) {
  const t = useT()
  const [cursor, setCursor] = useState<{ after?: string; before?: string }>({})
  const [waiting, setWaiting] = useState(false)
  const { data } = useCall(
    calls.list,
    { query: { ...cursor, limit: filesAPage } },
    { keepPrevious: true, refetchInterval: waiting ? refetchMs : false },
  )
  const isWaiting = data?.items.some(isUnderWay) ?? false
  if (isWaiting !== waiting) setWaiting(isWaiting)
  // Most users have no files, and need no empty panel above their report.
  if (!data || data.total === 0) return null
  return (
    <Panel title={t('reports.files.title')}>
      <Note>{t('reports.files.hint')}</Note>
      <FileTable calls={calls} files={data.items} />
      {(data.next !== null || data.previous !== null) && (
        <Pages list={{ page: 1, setPage: () => undefined, turn: setCursor }} page={data} countedTo={countLimit} />
      )}
    </Panel>
  )
}

function FileTable({ calls, files }: { calls: Calls; files: readonly ReportFile[] }) {
  const t = useT()
  const format = useFormat()
  const locale = useLanguage()
  return (
    <ListTable
      label={t('reports.files.title')}
      rows={files}
      rowKey={({ id }) => id}
      rowName={undefined}
      sort={undefined}
      sortBy={() => undefined}
      selection={undefined}
      columns={[
        {
          id: 'file',
          header: t('reports.file.format'),
          card: 'title',
          cell: (file) => <strong>{t(`reports.files.${file.format}`)}</strong>,
        },
        {
          id: 'period',
          header: t('reports.files.period'),
          cell: (file) => t('reports.period', { from: format.day(file.from), to: format.day(file.to) }),
        },
        {
          id: 'state',
          header: t('fields.status'),
          cell: (file) => <FileState file={file} />,
        },
        {
          id: 'size',
          header: t('reports.files.size'),
          align: 'end',
          cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes, locale)),
        },
        { id: 'created', header: t('reports.files.requested'), cell: (file) => <Time at={file.createdAt} /> },
        { id: 'expires', header: t('reports.files.kept'), cell: (file) => <Time at={file.expiresAt} /> },
        {
          id: 'actions',
          header: t('list.actions'),
          cell: (file) => <FileButtons calls={calls} file={file} />,
        },
      ]}
    />
  )
}

function FileState({ file }: { file: ReportFile }) {
  const t = useT()
  const format = useFormat()
  return (
    <>
      <StatusPill look={stateLooks[file.state]} label={t(`reports.files.state.${file.state}`)} />
      {isUnderWay(file) && (
        <Quiet>{t('reports.file.rows', { done: format.number(file.done), total: format.number(file.total) })}</Quiet>
      )}
      {file.failure && <Quiet>{t(`reports.file.${file.failure}`)}</Quiet>}
    </>
  )
}

function FileButtons({ calls, file }: { calls: Calls; file: ReportFile }) {
  const t = useT()
  const format = useFormat()
  const params = { id: file.id }
  const of = format.list([t(`reports.files.${file.format}`), format.dateTime(file.createdAt)])
  const refresh = [calls.list]
  const download = useSend(() => saveDocument(calls.download, { params }), {
    refreshOnError: refresh,
    success: t('reports.file.saved'),
  })
  const retry = useSend(() => call(calls.retry, { params }), { refresh, refreshOnError: refresh })
  const remove = useSend(() => call(calls.remove, { params }), {
    refresh,
    refreshOnError: refresh,
    success: t('reports.files.removed'),
  })
  return (
    <Buttons as="span">
      {file.state === 'ready' && (
        <Button
          size="compact-sm"
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={t('phrase.labelled', { label: t('reports.file.download'), value: of })}
          loading={download.pending}
          onClick={() => void download.send()}
        >
          {t('reports.file.download')}
        </Button>
      )}
      {file.state === 'failed' && (
        <Button
          size="compact-sm"
          leftSection={<IconRefresh size={16} aria-hidden />}
          aria-label={t('phrase.labelled', { label: t('actions.tryAgain'), value: of })}
          loading={retry.pending}
          onClick={() => void retry.send()}
        >
          {t('actions.tryAgain')}
        </Button>
      )}
      <RemoveRowButton of={of} remove={remove} />
    </Buttons>
  )
}
