import { NativeSelect, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { taskStatusLooks } from '@waybill/contract/ground/status/status-look'
import { exportPickupTasks, listPickupTasks } from '@waybill/contract/pickups/rider-tasks'
import { type ReactNode, useState } from 'react'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { formatWindow } from '../../components/display/time-window.ts'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { Row, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { Pages } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { usePages } from '../../components/list/use-pages.ts'
import { useLinkedNumber } from '../../components/scans/use-lookup.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { PickupTaskDialog } from './pickup-task-dialog.tsx'
import classes from './pickups.module.css'

type Props = {
  /** The station whose pickups are shown; null: the staff member's own. */
  stationId: string | null
  /** The selection of another station. */
  stationChoice: ReactNode
}

/** The pickups of a station on one day: riders and progress. */
export function PickupTasksPage({ stationId, stationChoice }: Props) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const longDay = useLongDay()
  const navigate = useNavigate({ from: '/staff/pickups' })
  const { date = format.today(), rider } = useSearch({ from: '/staff/staff/pickups' })
  const [number, setNumber] = useState('')
  useLinkedNumber(setNumber)
  const go = (changes: { no?: string | undefined; date?: string; rider?: typeof rider }) =>
    void navigate({ search: (present) => ({ ...present, ...changes }), replace: true, resetScroll: false })
  const [openId, setOpenId] = useState<string | null>(null)
  const search = number.trim()
  // A number is unique, so the other filters could only hide its pickup.
  const filters = search
    ? { search }
    : {
        ...(stationId ? { stationId } : {}),
        ...(date ? { date } : {}),
        ...(rider ? { rider } : {}),
      }
  const { list, slice } = usePages(filters)
  const tasks = useCall(
    listPickupTasks,
    { query: { ...filters, ...slice } },
    { refetchInterval: 30_000, keepPrevious: true },
  )
  return (
    <>
      <PageHeader
        title={t('pickupTasks.title')}
        actions={<DownloadExcel endpoint={exportPickupTasks} narrowing={filters} />}
      />
      <Row align="end" gap="12px 16px" style={{ marginBlockEnd: 16 }}>
        {stationChoice}
        <TextInput
          type="date"
          label={t('pickupTasks.day')}
          value={date}
          disabled={search !== ''}
          onChange={(event) => go({ date: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('pickupTasks.whose')}
          data={[
            { value: 'station', label: t('pickupTasks.station') },
            { value: 'me', label: t('pickupTasks.mine') },
            { value: 'nobody', label: t('pickupTasks.nobody') },
          ]}
          value={rider ?? 'station'}
          disabled={search !== ''}
          onChange={(event) => {
            const whose = event.currentTarget.value
            go({ rider: whose === 'me' || whose === 'nobody' ? whose : undefined })
          }}
        />
        <TextInput
          type="search"
          label={t('pickupTasks.number')}
          placeholder="PU-00000001"
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
          // Not at each key: the URL would follow the typing, and not the other way round.
          onBlur={() => go({ no: search || undefined })}
        />
      </Row>
      {tasks.error ? (
        <ErrorPanel error={tasks.error} retry={() => void tasks.refetch()} />
      ) : !tasks.data ? (
        <Loading />
      ) : tasks.data.total === 0 ? (
        <MessagePanel
          kind="empty"
          title={t(search ? 'pickupTasks.unknown' : 'pickupTasks.empty')}
          text={t(search ? 'pickupTasks.unknownHint' : 'pickupTasks.emptyHint')}
        />
      ) : (
        <>
          <Stack as="ul" gap={12}>
            {tasks.data.items.map((task) => (
              <li key={task.id}>
                <button type="button" className={classes.task} onClick={() => setOpenId(task.id)}>
                  <span>
                    <strong>
                      {search && `${longDay(task.date)} · `}
                      {formatWindow(task.window)} · {task.accountName}
                    </strong>
                    <span>
                      {task.address.line1}, {task.address.postcode} {task.address.city}
                    </span>
                    <Quiet inline>
                      {task.number} · {task.leg === 'return' && `${t('pickupsPage.isReturn')} · `}
                      {t('pickupTasks.count', {
                        picked: format.number(task.pickedCount),
                        all: format.number(task.parcelCount),
                      })}{' '}
                      · {task.riderName ?? t('pickupTasks.nobody')}
                    </Quiet>
                  </span>
                  <StatusPill look={taskStatusLooks[task.status]} label={label(taskStatusLabels, task.status)} />
                </button>
              </li>
            ))}
          </Stack>
          <Pages list={list} page={tasks.data} countedTo={countLimit} />
        </>
      )}
      {openId && <PickupTaskDialog id={openId} onClose={() => setOpenId(null)} />}
    </>
  )
}
