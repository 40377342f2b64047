import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { reportOrders } from '@waybill/contract/reports/orders'
import { Grid, Panel } from '../../../components/layout/boxes.tsx'
import { Fold } from '../../../components/layout/fold.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { SumsTable } from './sums-table.tsx'

type Props = { report: Pick<ResponseOf<typeof reportOrders>, 'figures' | 'step' | 'currency'> }

const height = 220

/**
 * What was spent and ordered by day or month, as charts and as one table. The charts are hidden from screen readers,
 * which get the table: bars without a keyboard would tell them nothing.
 */
export function ReportCharts({ report }: Props) {
  const t = useT()
  const format = useFormat()
  const { figures, step, currency } = report
  const byMonth = step === 'month'
  const nameOf = (start: string) => (byMonth ? format.month(start.slice(0, 7)) : format.day(start))
  const spentMinor = t('reports.spent')
  const orders = t('reports.orders')
  const data = figures.map((row) => ({ name: nameOf(row.start), [spentMinor]: row.spentMinor, [orders]: row.orders }))
  const shared = {
    data,
    dataKey: 'name',
    h: height,
    tickLine: 'none',
    maxBarWidth: 28,
    xAxisProps: { interval: 'preserveStartEnd', minTickGap: 24, tickMargin: 8 },
  } as const
  return (
    <Panel>
      <Grid min={320} gap={24} aria-hidden>
        <div>
          <h2>{t(byMonth ? 'reports.byMonth' : 'reports.byDay')}</h2>
          <BarChart
            {...shared}
            series={[{ name: spentMinor, color: 'var(--wb-moving)' }]}
            valueFormatter={(value) => format.money(value, currency)}
            yAxisProps={{ width: 96 }}
          />
        </div>
        <div>
          <h2>{t(byMonth ? 'reports.ordersByMonth' : 'reports.ordersByDay')}</h2>
          <BarChart
            {...shared}
            series={[{ name: orders, color: 'var(--wb-success)' }]}
            valueFormatter={format.number}
            yAxisProps={{ width: 48, allowDecimals: false }}
          />
        </div>
      </Grid>
      <Fold summary={t('list.asTable')}>
        <SumsTable
          label={t(byMonth ? 'reports.byMonth' : 'reports.byDay')}
          first={t(byMonth ? 'reports.month' : 'reports.day')}
          rows={figures.map((row) => ({ ...row, key: row.start, name: nameOf(row.start) }))}
          currency={currency}
        />
      </Fold>
    </Panel>
  )
}
