import { logLevelLabels } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import type { Look } from '@waybill/contract/ground/status/status-look'
import { exportLogs, type LogEntry, type LogSubject, listLogActions, listLogs } from '@waybill/contract/logs/logs'
import { type ReactNode, useEffect } from 'react'
import { OnlyFor } from '../../components/access/only-for.tsx'
import { TextLink } from '../../components/buttons/link.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices, useLabel } from '../../lib/labels.ts'
import { useCall, useRefresh } from '../../lib/query.ts'

const filters = ['level', 'action', 'from', 'to']
const refreshMs = 5_000

const looks: Record<LogEntry['level'], Look> = {
  DEBUG: { tone: 'neutral', icon: 'clock' },
  INFO: { tone: 'neutral', icon: 'check' },
  NOTICE: { tone: 'neutral', icon: 'check' },
  WARNING: { tone: 'waiting', icon: 'alert' },
  ERROR: { tone: 'danger', icon: 'cross' },
  CRITICAL: { tone: 'danger', icon: 'cross' },
  ALERT: { tone: 'danger', icon: 'cross' },
  EMERGENCY: { tone: 'danger', icon: 'cross' },
}

type Props = {
  side: 'customer' | 'staff'
  /** For staff: the record of an entry in words, or its number or id. */
  describeSubject?: (entry: LogEntry) => ReactNode
}

/** The activity log of an account, or of the deployment for staff. Its first page shows new entries automatically. */
export function LogsPage({ side, describeSubject }: Props) {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const refresh = useRefresh()
  const list = useList(listLogs, { filters })
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void refresh(listLogs)
    }, refreshMs)
    return () => clearInterval(timer)
  }, [refresh])
  const title = t(side === 'staff' ? 'logsPage.title' : 'logsPage.ownTitle')
  const actionName = (action: string) => t(`action.${action}`, { defaultValue: action })
  const { data: actions } = useCall(listLogActions, {})
  const actionChoices = (actions?.items ?? [])
    .map((value) => ({ value, label: actionName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))
  return (
    <>
      <PageHeader
        title={title}
        description={t(side === 'staff' ? 'logsPage.lead' : 'logsPage.ownLead')}
        actions={<DownloadExcel endpoint={exportLogs} narrowing={list.narrowing} />}
      />
      <DataList
        list={list}
        label={title}
        countedTo={countLimit}
        rowKey={(row: LogEntry) => row.id}
        filters={
          <>
            <SelectField field={list.filter('level', t('logsPage.fromLevel'))} choices={choices(logLevelLabels)} />
            <SelectField field={list.filter('action', t('logsPage.action'))} choices={actionChoices} />
            <DateField field={list.filter('from')} />
            <DateField field={list.filter('to')} />
          </>
        }
        columns={[
          {
            id: 'action',
            header: t('logsPage.action'),
            card: 'title',
            phone: 'title',
            cell: (row) => (
              <>
                {actionName(row.action)}
                {row.subject && describeSubject && <Quiet>{describeSubject(row)}</Quiet>}
              </>
            ),
          },
          ...(side === 'customer'
            ? [
                {
                  id: 'about',
                  header: t('logsPage.subject'),
                  whole: true as const,
                  phone: 'end' as const,
                  cell: (row: LogEntry) => row.about && <SubjectLink about={row.about} />,
                },
              ]
            : []),
          {
            id: 'level',
            header: t('logsPage.level'),
            // Nearly every entry of a customer has the same level.
            ...(side === 'staff' ? { phone: 'end' as const } : { show: 'chosen' as const }),
            cell: (row) => <StatusPill look={looks[row.level]} label={label(logLevelLabels, row.level)} />,
          },
          {
            id: 'by',
            header: t('logsPage.by'),
            // The name with the IP address.
            ...(side === 'staff' && { minWidth: 216 }),
            phone: 'detail',
            cell: (row) => (
              <>
                {describeAuthor(t, row)}
                {row.ip && <Quiet>{row.ip}</Quiet>}
              </>
            ),
          },
          ...(side === 'staff'
            ? [
                {
                  id: 'account',
                  header: t('logsPage.account'),
                  minWidth: 176,
                  cell: (row: LogEntry) =>
                    row.account ? (
                      <TextLink to="/staff/accounts/$id" params={{ id: row.account.id }}>
                        {row.account.name}
                      </TextLink>
                    ) : (
                      '–'
                    ),
                },
              ]
            : []),
          { id: 'at', header: t('logsPage.at'), phone: 'detailEnd', cell: (row) => <Time at={row.at} /> },
        ]}
        empty={{ title: t('logsPage.empty'), text: t('logsPage.emptyHint') }}
      />
    </>
  )
}

/** A link to the parcel, order or gunny of a customer's entry. */
function SubjectLink({ about: { kind, id, number, reference } }: { about: LogSubject }) {
  const t = useT()
  const format = useFormat()
  const params = { id }
  if (kind === 'order') {
    return (
      <TextLink to="/orders/$id" params={params}>
        {number}
      </TextLink>
    )
  }
  if (kind === 'gunny') {
    return (
      <TextLink to="/gunny/$id" params={params}>
        {format.trackingNumber(number ?? '')}
      </TextLink>
    )
  }
  return (
    <TextLink to="/parcels/$id" params={params}>
      {number === null ? (reference ?? t('parcelsPage.noNumber')) : format.trackingNumber(number)}
    </TextLink>
  )
}

function describeAuthor(t: ReturnType<typeof useT>, { by }: LogEntry): string {
  if (by === null) return t('accountPage.bySystem')
  return by.staff ? t('accountPage.byStaff', { name: by.name }) : by.name
}

/** `/activity`. */
export function ActivityPage() {
  const t = useT()
  return (
    <OnlyFor rule="logs" title={t('logsPage.ownTitle')}>
      <LogsPage side="customer" />
    </OnlyFor>
  )
}
