import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import type { QueryIn, ResponseOf } from '@waybill/contract/ground/endpoint'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import {
  createReportFile,
  downloadReportFile,
  getReportFile,
  listReportFiles,
  type ReportFileFormat,
  removeReportFile,
  retryReportFile,
} from '@waybill/contract/reports/files'
import {
  exportOrderReport,
  maxReportDays,
  printOrderReport,
  type ReportedOrder,
  reportOrders,
} from '@waybill/contract/reports/orders'
import { useState } from 'react'
import { OnlyFor } from '../../../components/access/only-for.tsx'
import { TextLink } from '../../../components/buttons/link.tsx'
import { OrderPill } from '../../../components/display/record-pills.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Together } from '../../../components/feedback/together.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Heading, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { ApiError, call } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { currentView } from '../../../lib/view.ts'
import { ReportFileButton } from '../files/shared/report-file-button.tsx'
import { ReportFileList } from '../files/shared/report-file-list.tsx'
import { ServiceLevelsPanel } from '../service-levels/shared/service-levels-panel.tsx'
import { ReportFilters, reportFilters } from './report-filters.tsx'
import { ReportUsers } from './report-users.tsx'
import { ReportCharts } from './shared/report-charts.tsx'

/** The report of orders: filters, totals, charts, spending by user, and every order; also as PDF and Excel. */
export function OrderReportPage() {
  const t = useT()
  return (
    <OnlyFor rule="reports" title={t('reports.title')}>
      <OrderReportContent />
    </OnlyFor>
  )
}

function OrderReportContent() {
  const t = useT()
  const format = useFormat()
  const list = useList(reportOrders, { filters: reportFilters })
  const { data, error } = list.result
  const query = withoutSort(list.narrowing)
  const report = error ? undefined : data
  // The reason is below its field, so the list does not repeat it as a failure.
  const isRefused = error instanceof ApiError && error.errors.length > 0
  // An error response has no creators. The last ones are kept, so that their filter does not disappear.
  const [creators, setCreators] = useState<ReportCreators>([])
  if (data && data.creators !== creators) setCreators(data.creators)
  return (
    <>
      <PageHeader
        title={t('reports.title')}
        description={t('reports.intro', { days: maxReportDays })}
        actions={
          currentView === null ? (
            <ReportFileButton key={JSON.stringify(query)} calls={{ ...fileCalls, create: createFile(query) }} />
          ) : (
            <StreamedDocuments query={query} />
          )
        }
      />
      <Stack gap={24}>
        {currentView === null && <ReportFileList calls={fileCalls} />}
        <ReportFilters list={list} creators={creators} />
        {report && (
          <>
            <Panel
              aria-label={t('reports.totals')}
              title={t('reports.period', { from: format.day(report.from), to: format.day(report.to) })}
            >
              <Facts layout="tiles" min={140}>
                <Fact label={t('reports.orders')}>{format.number(report.totals.orders)}</Fact>
                <Fact label={t('reports.parcels')}>{format.number(report.totals.parcels)}</Fact>
                <Fact label={t('cart.total')}>{format.money(report.totals.totalMinor, report.currency)}</Fact>
                <Fact label={t('ordersPage.paidAmount')}>{format.money(report.totals.paidMinor, report.currency)}</Fact>
                <Fact label={t('ordersPage.refunded')}>
                  {format.money(report.totals.refundedMinor, report.currency)}
                </Fact>
                <Fact label={t('reports.spent')}>
                  <strong>{format.money(report.totals.spentMinor, report.currency)}</strong>
                </Fact>
              </Facts>
              <Note>{t('reports.spentHint')}</Note>
            </Panel>
            {report.totals.orders > 0 && <ReportCharts report={report} />}
            <ServiceLevelsPanel from={report.from} to={report.to} />
            {report.creators.length > 1 && report.users.length > 0 && <ReportUsers report={report} />}
          </>
        )}
        {!isRefused && (
          <Together answers={[list.result]}>
            {report && <Heading style={{ marginBlockStart: 8 }}>{t('reports.list')}</Heading>}
            <OrderList list={list} />
          </Together>
        )}
      </Stack>
    </>
  )
}

/** A view by staff is read-only, so it cannot create files on the server. */
function StreamedDocuments({ query }: { query: Query }) {
  const t = useT()
  const print = useSend(() => saveDocument(printOrderReport, { query }))
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileTypePdf size={18} aria-hidden />}
        loading={print.pending}
        onClick={() => void print.send()}
      >
        {t('reports.savePdf')}
      </Button>
      <DownloadExcel endpoint={exportOrderReport} narrowing={query} />
    </>
  )
}

type Query = QueryIn<typeof printOrderReport>
type ReportCreators = ResponseOf<typeof reportOrders>['creators']

const fileCalls = {
  list: listReportFiles,
  get: getReportFile,
  retry: retryReportFile,
  download: downloadReportFile,
  remove: removeReportFile,
}
const createFile = (query: Query) => (format: ReportFileFormat) =>
  call(createReportFile, { body: { ...query, format } })

/** The filters of the list; the server checks their values. */
const withoutSort = ({ sort: _, ...query }: Record<string, unknown>) => query as Query

/** Every order of the report. */
function OrderList({ list }: { list: ReturnType<typeof useList<typeof reportOrders>> }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const currency = list.result.data?.currency
  return (
    <DataList
      list={list}
      label={t('reports.list')}
      rowKey={(row: ReportedOrder) => row.id}
      columns={[
        {
          id: 'number',
          header: t('ordersPage.number'),
          card: 'title',
          phone: 'title',
          cell: (row) => (
            <TextLink to="/orders/$id" params={{ id: row.id }} ff="monospace">
              {row.number}
            </TextLink>
          ),
        },
        {
          id: 'created',
          header: t('ordersPage.created'),
          phone: 'detailEnd',
          cell: (row) => <Time at={row.createdAt} relative={false} />,
        },
        { id: 'user', header: t('fields.createdBy'), cell: (row) => row.createdByName ?? '–' },
        {
          id: 'status',
          phone: 'detail',
          header: t('fields.status'),
          cell: (row) => <OrderPill order={row} />,
        },
        {
          id: 'method',
          show: 'wide',
          header: t('ordersPage.method'),
          cell: (row) => (row.paymentMethod ? label(paymentMethodLabels, row.paymentMethod) : '–'),
        },
        {
          id: 'parcels',
          header: t('ordersPage.parcels'),
          align: 'end',
          cell: (row) => (row.parcelCount > 0 ? format.number(row.parcelCount) : '–'),
        },
        {
          id: 'total',
          phone: 'end',
          header: t('cart.total'),
          align: 'end',
          cell: (row) => format.money(row.totalMinor, currency),
        },
        {
          id: 'spent',
          header: t('reports.spent'),
          align: 'end',
          cell: (row) => format.money(row.paidMinor - row.refundedMinor, currency),
        },
      ]}
      empty={{ title: t('reports.empty'), text: t('reports.emptyHint') }}
    />
  )
}
