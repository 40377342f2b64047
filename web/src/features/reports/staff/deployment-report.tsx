import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { reportDeployment } from '@waybill/contract/reports/staff'
import { Grid, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ListTable } from '../../../components/list/list-table.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { ReportCharts } from '../orders/shared/report-charts.tsx'
import { LevelsTable } from '../service-levels/shared/levels-table.tsx'

type Report = ResponseOf<typeof reportDeployment>

const ageingBuckets = ['notDueMinor', 'days1to30Minor', 'days31to60Minor', 'days61to90Minor', 'over90Minor'] as const
const codBuckets = ['days0to7Minor', 'days8to30Minor', 'over30Minor'] as const

/** Revenue, volume and service levels of the period, then what is late or due now. */
export function DeploymentReport({ report }: { report: Report }) {
  const t = useT()
  const format = useFormat()
  const money = (minor: number) => format.money(minor, report.currency)
  const { totals, cod } = report
  return (
    <>
      <Panel
        aria-label={t('reports.totals')}
        title={t('reports.period', { from: format.day(report.from), to: format.day(report.to) })}
      >
        <Facts layout="tiles" min={140}>
          <Fact label={t('reports.orders')}>{format.number(totals.orders)}</Fact>
          <Fact label={t('reports.parcels')}>{format.number(totals.parcels)}</Fact>
          <Fact label={t('ordersPage.paidAmount')}>{money(totals.paidMinor)}</Fact>
          <Fact label={t('ordersPage.refunded')}>{money(totals.refundedMinor)}</Fact>
          <Fact label={t('staffReport.revenue')}>
            <strong>{money(totals.spentMinor)}</strong>
          </Fact>
        </Facts>
        <Note>{t('reports.spentHint')}</Note>
      </Panel>
      {totals.orders > 0 && <ReportCharts report={report} money="revenue" />}
      {report.service.totals.delivered + report.service.totals.attempted > 0 && (
        <Panel title={t('reports.serviceLevels')}>
          <LevelsTable report={report.service} />
          <Note>{t('reports.serviceLevelsHint')}</Note>
        </Panel>
      )}
      <LateStations stations={report.lateByStation} />
      <Grid min={320} gap={24}>
        <Panel title={t('staffReport.cod')}>
          <Facts>
            {codBuckets.map((bucket) => (
              <Fact key={bucket} label={t(`staffReport.codAge.${bucket}`)}>
                {money(cod[bucket])}
              </Fact>
            ))}
            <Fact label={t('staffReport.withRiders')}>{money(cod.withRidersMinor)}</Fact>
            <Fact label={t('staffReport.codOwed', { count: cod.parcels, number: format.number(cod.parcels) })} total>
              {money(cod.owedMinor)}
            </Fact>
          </Facts>
        </Panel>
        <Panel title={t('staffReport.ageing')}>
          <Facts>
            {ageingBuckets.map((bucket) => (
              <Fact key={bucket} label={t(`companies.${bucket}`)}>
                {money(report.ageing[bucket])}
              </Fact>
            ))}
            <Fact label={t('staffReport.owed')} total>
              {money(ageingBuckets.reduce((sum, bucket) => sum + report.ageing[bucket], 0))}
            </Fact>
          </Facts>
        </Panel>
      </Grid>
    </>
  )
}

function LateStations({ stations }: { stations: Report['lateByStation'] }) {
  const t = useT()
  const format = useFormat()
  return (
    <Panel title={t('staffReport.late')}>
      {stations.length === 0 ? (
        <Note>{t('staffReport.nothingLate')}</Note>
      ) : (
        <ListTable
          label={t('staffReport.late')}
          rows={stations}
          rowKey={({ stationId }) => stationId ?? 'none'}
          rowName={undefined}
          sort={undefined}
          sortBy={() => undefined}
          selection={undefined}
          columns={[
            {
              id: 'station',
              header: t('stations.station'),
              card: 'title',
              cell: ({ name }) => name ?? t('staffReport.noStation'),
            },
            { id: 'parcels', header: t('reports.parcels'), align: 'end', cell: (row) => format.number(row.parcels) },
            {
              id: 'oldest',
              header: t('staffReport.oldestDay'),
              align: 'end',
              cell: (row) => format.day(row.oldestDay),
            },
          ]}
        />
      )}
    </Panel>
  )
}
