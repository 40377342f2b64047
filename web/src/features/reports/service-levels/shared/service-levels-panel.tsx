import { reportServiceLevels } from '@waybill/contract/reports/service-levels'
import { Panel } from '../../../../components/layout/boxes.tsx'
import { Note } from '../../../../components/layout/text.tsx'
import { useT } from '../../../../lib/i18n.ts'
import { useCall } from '../../../../lib/query.ts'
import { LevelsTable } from './levels-table.tsx'

/** Deliveries of a period compared with their promised days. Days are `YYYY-MM-DD`. */
export function ServiceLevelsPanel({ from, to }: { from: string; to: string }) {
  const t = useT()
  const { data } = useCall(reportServiceLevels, { query: { from, to } }, { keepPrevious: true })
  if (!data || data.totals.delivered + data.totals.attempted === 0) return null
  return (
    <Panel title={t('reports.serviceLevels')}>
      <LevelsTable report={data} />
      <Note>{t('reports.serviceLevelsHint')}</Note>
    </Panel>
  )
}
