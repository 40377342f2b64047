import { Button, NativeSelect } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { taskStatusLooks } from '@waybill/contract/ground/status/status-look'
import {
  type DeliveryTask,
  exportDeliveryTasks,
  isTaskOpen,
  listDeliveryTasks,
  printRunSheet,
  startDelivery,
} from '@waybill/contract/parcels/rider-tasks'
import type { ScanEvent } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { TextButton } from '../../../components/buttons/link.tsx'
import { PrintButton } from '../../../components/buttons/print-button.tsx'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { Remarks } from '../../../components/display/remarks.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, CardList, Row, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { Pages } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { usePages } from '../../../components/list/use-pages.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import classes from '../scanning/scan.module.css'
import { DeliveryReport, staleAfterReport } from './delivery-report.tsx'
import { FailedAttemptNote } from './failed-attempt-note.tsx'
import { FailedDeliveries } from './failed-deliveries.tsx'
import { RiderDialog } from './rider-dialog.tsx'
import { nameAtDoor } from './same-door.ts'

/** A rider's deliveries, made for a phone: address, cash to collect, and the report of the outcome. */
export function DeliveriesPage() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate({ from: '/staff/deliveries' })
  const url = useSearch({ from: '/staff/staff/deliveries' })
  const { view, rider = 'me' } = url
  const failedInView = view === 'failed'
  const state = view === 'done' ? 'done' : 'under_way'
  const go = (changes: { view?: typeof view; rider?: 'all' | undefined }) =>
    void navigate({ search: { view, rider: url.rider, ...changes }, replace: true, resetScroll: false })
  const [reporting, setReporting] = useState<{ task: DeliveryTask; event: ScanEvent } | null>(null)
  // A rider sees the whole day without turning pages.
  const { list, slice } = usePages({ rider, state }, 200)
  const tasks = useCall(
    listDeliveryTasks,
    { query: { rider, state, ...slice } },
    { refetchInterval: 60_000, keepPrevious: true, enabled: !failedInView },
  )
  const [changing, setChanging] = useState<string | null>(null)
  const summary = tasks.data?.summary
  const next = tasks.data?.items.find(({ status }) => isTaskOpen(status))
  return (
    <>
      <PageHeader
        title={t('deliveriesPage.title')}
        actions={
          !failedInView && (
            <>
              {state === 'under_way' && (
                <PrintButton
                  label={t('deliveriesPage.runSheet')}
                  endpoint={printRunSheet}
                  options={{ query: { rider } }}
                />
              )}
              <DownloadExcel endpoint={exportDeliveryTasks} narrowing={{ rider, state }} />
            </>
          )
        }
      />
      <Row align="end" gap="12px 16px" style={{ marginBlockEnd: 16 }}>
        {!failedInView && (
          <NativeSelect
            label={t('deliveriesPage.whose')}
            data={[
              { value: 'me', label: t('deliveriesPage.mine') },
              { value: 'all', label: t('deliveriesPage.station') },
            ]}
            value={rider}
            onChange={(event) => go({ rider: event.currentTarget.value === 'all' ? 'all' : undefined })}
          />
        )}
        <NativeSelect
          label={t('deliveriesPage.which')}
          data={[
            { value: 'under_way', label: t('deliveriesPage.underWay') },
            { value: 'done', label: t('deliveriesPage.done') },
            { value: 'failed', label: t('failedDelivery.title') },
          ]}
          value={failedInView ? 'failed' : state}
          onChange={(event) => {
            const value = event.currentTarget.value
            go({ view: value === 'done' || value === 'failed' ? value : undefined })
          }}
        />
        {summary && !failedInView && (
          <Note>
            {t('deliveriesPage.summary', {
              underWay: format.number(summary.underWay),
              completed: format.number(summary.completed),
              failed: format.number(summary.failed),
            })}
            {summary.codCollectedMinor > 0 &&
              ` · ${t('deliveriesPage.cash', { amount: format.money(summary.codCollectedMinor) })}`}
          </Note>
        )}
      </Row>
      {failedInView ? (
        <FailedDeliveries />
      ) : tasks.error ? (
        <ErrorPanel error={tasks.error} retry={() => void tasks.refetch()} />
      ) : !tasks.data ? (
        <Loading />
      ) : tasks.data.total === 0 ? (
        <MessagePanel kind="empty" title={t('deliveriesPage.empty')} text={t('deliveriesPage.emptyHint')} />
      ) : (
        <>
          <CardList className={classes.tasks}>
            {tasks.data.items.map((task) => (
              <Task
                key={task.id}
                task={task}
                isNext={task === next}
                onReport={(event) => setReporting({ task, event })}
                onChange={() => setChanging(task.id)}
              />
            ))}
          </CardList>
          <Pages list={list} page={tasks.data} />
        </>
      )}
      {changing && <RiderDialog id={changing} onClose={() => setChanging(null)} />}
      {reporting && (
        <DeliveryReport {...reporting} tasks={tasks.data?.items ?? []} onClose={() => setReporting(null)} />
      )}
    </>
  )
}

type TaskProps = {
  task: DeliveryTask
  /** The first open task: its main button alone is filled. */
  isNext: boolean
  onReport: (event: ScanEvent) => void
  /** Opens the dialog that gives the task to another rider. */
  onChange: () => void
}

function Task({ task, isNext, onReport, onChange }: TaskProps) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const me = useSession((session) => session.auth.user?.id ?? '')
  const start = useSend(() => call(startDelivery, { params: { id: task.id }, body: { version: task.version } }), {
    refresh: staleAfterReport,
    refreshOnError: staleAfterReport,
  })
  const { to } = task
  const where = to ? [to.line1, to.line2, `${to.postcode} ${to.city}`].filter(Boolean).join(', ') : ''
  const hasEnded = !isTaskOpen(task.status)
  return (
    <Stack as="li" gap={8}>
      <Row justify="between">
        <strong>{to && nameAtDoor(to)}</strong>
        <StatusPill look={taskStatusLooks[task.status]} label={label(taskStatusLabels, task.status)} />
      </Row>
      <span>{where}</span>
      {to && !hasEnded && <Visit phone={to.phone} where={where} />}
      <Remarks text={to?.remarks} />
      <Row gap="0 8px">
        <Quiet>
          <StaffParcelLink number={task.trackingNumber} />
          {task.attempts > 1 && ` · ${t('deliveriesPage.attempt', { count: task.attempts })}`}
          {task.riderName && ` · ${task.riderName}`}
          {!task.failedAttempt && task.failureReason && ` · ${t(`failureReason.${task.failureReason}`)}`}
          {!task.failedAttempt && task.failureNote && ` · ${task.failureNote}`}
        </Quiet>
        {task.mayAssign && (
          <TextButton
            fz={13}
            aria-label={t('phrase.labelled', { label: t('deliveriesPage.change'), value: task.trackingNumber })}
            onClick={onChange}
          >
            {t('deliveriesPage.change')}
          </TextButton>
        )}
      </Row>
      {task.failedAttempt && <FailedAttemptNote failure={task.failedAttempt} />}
      {task.codAmountMinor !== null && (
        <strong style={{ fontSize: 18 }}>
          {task.codCollectedMinor === null
            ? t('deliveriesPage.collect', { amount: format.money(task.codAmountMinor, task.currency) })
            : t('deliveriesPage.collected', { amount: format.money(task.codCollectedMinor, task.currency) })}
        </strong>
      )}
      {!hasEnded && (
        <Buttons className={classes.actions}>
          {task.mayReport && (
            <>
              <Button onClick={() => onReport('attempt_failed')}>{t('deliveriesPage.failed')}</Button>
              <Button
                variant={isNext && task.status === 'in_progress' ? 'filled' : 'default'}
                onClick={() => onReport('delivered')}
              >
                {t('deliveriesPage.delivered')}
              </Button>
            </>
          )}
          {task.status === 'open' && task.riderId === me && (
            <Button variant={isNext ? 'filled' : 'default'} loading={start.pending} onClick={() => void start.send()}>
              {t('deliveriesPage.start')}
            </Button>
          )}
        </Buttons>
      )}
    </Stack>
  )
}

/** What a rider needs on the way. */
function Visit({ phone, where }: { phone: string; where: string }) {
  const t = useT()
  return (
    <Buttons>
      <Button size="sm" component="a" href={`tel:${phone}`}>
        {t('deliveriesPage.call')}
      </Button>
      <Button
        size="sm"
        component="a"
        href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(where)}`}
        target="_blank"
        rel="noreferrer"
      >
        {t('deliveriesPage.map')}
      </Button>
    </Buttons>
  )
}
