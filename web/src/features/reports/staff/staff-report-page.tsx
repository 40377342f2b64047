import { Button } from '@mantine/core'
import {
  createStaffReportFile,
  downloadStaffReportFile,
  getStaffReportFile,
  listStaffReportFiles,
  type ReportFileFormat,
  removeStaffReportFile,
  retryStaffReportFile,
} from '@waybill/contract/reports/files'
import { maxReportDays } from '@waybill/contract/reports/orders'
import { reportDeployment } from '@waybill/contract/reports/staff'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { FieldRow, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { ReportFileButton } from '../files/shared/report-file-button.tsx'
import { ReportFileList } from '../files/shared/report-file-list.tsx'
import { DeploymentReport } from './deployment-report.tsx'

type Period = { from?: string | undefined; to?: string | undefined }

const fileCalls = {
  list: listStaffReportFiles,
  get: getStaffReportFile,
  retry: retryStaffReportFile,
  download: downloadStaffReportFile,
  remove: removeStaffReportFile,
}
const createFile = (period: Period) => (format: ReportFileFormat) =>
  call(createStaffReportFile, { body: { ...period, format } })

/** The report of the whole deployment: a period, and what is late or due now. */
export function StaffReportPage() {
  const t = useT()
  const [period, setPeriod] = useState<Period>({})
  const [draft, setDraft] = useState<Period>({})
  const report = useCall(reportDeployment, { query: period }, { keepPrevious: true })
  const refusals = report.error instanceof ApiError ? report.error.errors : []
  // Until the user selects a period, the fields show the server's default; after a refusal they keep what was refused.
  const getDay = (name: keyof Period) => draft[name] ?? period[name] ?? report.data?.[name]
  const field = (name: keyof Period) => ({
    id: `report-${name}`,
    path: name,
    value: getDay(name) ?? null,
    onChange: (value: string | null) => setDraft((present) => ({ ...present, [name]: value ?? undefined })),
    onBlur: () => undefined,
    error: refusals.find((refusal) => refusal.field === name)?.message,
    required: true,
    label: t(`fields.${name}`),
  })
  return (
    <>
      <PageHeader
        title={t('staffReport.title')}
        description={t('staffReport.intro', { days: maxReportDays })}
        actions={<ReportFileButton key={JSON.stringify(period)} calls={{ ...fileCalls, create: createFile(period) }} />}
      />
      <Stack gap={24}>
        <ReportFileList calls={fileCalls} />
        <search>
          <Panel
            as="form"
            padding={16}
            aria-label={t('reports.filters')}
            onSubmit={(event) => {
              event.preventDefault()
              setPeriod({ from: getDay('from'), to: getDay('to') })
            }}
          >
            <FieldRow min={160} style={{ maxWidth: 560 }}>
              <DateField field={field('from')} />
              <DateField field={field('to')} />
              <Button type="submit">{t('reports.show')}</Button>
            </FieldRow>
          </Panel>
        </search>
        {report.error && refusals.length === 0 && (
          <ErrorPanel error={report.error} retry={() => void report.refetch()} />
        )}
        {report.data && !report.error ? <DeploymentReport report={report.data} /> : !report.error && <Loading />}
      </Stack>
    </>
  )
}
