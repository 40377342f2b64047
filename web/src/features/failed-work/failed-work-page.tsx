import { Button } from '@mantine/core'
import {
  type DiscardLoss,
  discardFailedWork,
  exportFailedWork,
  type FailedWork,
  listFailedWork,
  retryFailedWork,
} from '@waybill/contract/failed-work/failed-work'
import { Time } from '../../components/display/time.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Mono, Quiet } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'

/** Failed background jobs that are no longer retried, with buttons to retry or discard them. */
export function FailedWorkPage() {
  const t = useT()
  const list = useList(listFailedWork)
  const tasks = list.result.data?.items ?? []
  const kindLabels = { event: t('failedWork.event'), job: t('failedWork.job') }
  return (
    <>
      <PageHeader
        title={t('failedWork.title')}
        description={t('failedWork.description')}
        actions={
          <>
            <DownloadExcel endpoint={exportFailedWork} narrowing={{}} />
            {tasks.length > 1 && <Retry items={tasks} label={t('failedWork.retryAll', { count: tasks.length })} />}
          </>
        }
      />
      <DataList
        list={list}
        label={t('failedWork.title')}
        rowKey={(row: FailedWork) => `${row.kind} ${row.id}`}
        rowName={(row) => row.name}
        columns={[
          {
            id: 'work',
            header: t('failedWork.work'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => <Mono>{row.name}</Mono>,
            cell: (row) => (
              <>
                <Mono>{row.name}</Mono>
                <Quiet>
                  {kindLabels[row.kind]} {row.id}
                </Quiet>
              </>
            ),
          },
          {
            id: 'error',
            wraps: true,
            minWidth: 240,
            header: t('failedWork.error'),
            phone: 'detail',
            phoneCell: (row) => row.error || '–',
            cell: (row) => (
              <>
                <span style={{ overflowWrap: 'anywhere' }}>{row.error || '–'}</span>
                <Quiet>{t('failedWork.tries', { count: row.attempts })}</Quiet>
              </>
            ),
          },
          { id: 'created', header: t('failedWork.created'), cell: (row) => <Time at={row.createdAt} /> },
          {
            id: 'failed',
            header: t('failedWork.failed'),
            phone: 'detailEnd',
            cell: (row) => <Time at={row.failedAt} />,
          },
          {
            id: 'act',
            kind: 'work',
            header: t('failedWork.act'),
            cell: (row) => (
              <Buttons as="span">
                <Retry items={[row]} label={t('actions.tryAgain')} />
                {row.loss && <Discard work={row} loss={row.loss} />}
              </Buttons>
            ),
          },
        ]}
        empty={{ title: t('failedWork.empty'), text: t('failedWork.emptyHint') }}
      />
    </>
  )
}

function Retry({ items, label }: { items: readonly FailedWork[]; label: string }) {
  const t = useT()
  const retry = useSend(() => call(retryFailedWork, { body: { items: items.map(({ kind, id }) => ({ kind, id })) } }), {
    refresh: [listFailedWork],
    success: ({ retried }) => t('failedWork.retried', { count: retried }),
  })
  return (
    <Button
      size={items.length > 1 ? undefined : 'compact-md'}
      variant="default"
      onClick={() => void retry.send()}
      loading={retry.pending}
    >
      {label}
    </Button>
  )
}

function Discard({ work: { kind, id, name }, loss }: { work: FailedWork; loss: DiscardLoss }) {
  const t = useT()
  const losses = {
    message: t('failedWork.loss.message'),
    file: t('failedWork.loss.file'),
    time: t('failedWork.loss.time'),
  }
  const discard = useSend(() => call(discardFailedWork, { body: { items: [{ kind, id }] } }), {
    confirm: {
      title: t('failedWork.discardTitle', { name }),
      message: losses[loss],
      action: t('failedWork.discard'),
    },
    refresh: [listFailedWork],
    success: t('failedWork.discarded'),
  })
  return (
    <Button size="compact-md" variant="default" onClick={() => void discard.send()} loading={discard.pending}>
      {t('failedWork.discard')}
    </Button>
  )
}
