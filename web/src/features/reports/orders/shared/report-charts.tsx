import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { reportOrders } from '@waybill/contract/reports/orders'
import { BarChart } from '../../../../components/chart/bar-chart.tsx'
import { Grid, Panel } from '../../../../components/layout/boxes.tsx'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'

type Props = {
  report: Pick<ResponseOf<typeof reportOrders>, 'figures' | 'step' | 'currency'>
  /** The meaning of the money: spending of a customer, revenue of the courier. */
  money?: 'spent' | 'revenue'
}

/** Spending and orders by day or month. Each chart also has its figures as a table. */
export function ReportCharts({ report: { figures, step, currency }, money = 'spent' }: Props) {
  const t = useT()
  const format = useFormat()
  const byMonth = step === 'month'
  const [title, label] =
    money === 'spent'
      ? [t(byMonth ? 'reports.byMonth' : 'reports.byDay'), t('reports.spent')]
      : [t(byMonth ? 'staffReport.revenueByMonth' : 'staffReport.revenueByDay'), t('staffReport.revenue')]
  const bars = figures.map(({ start, spentMinor, orders }) => ({
    key: start,
    label: byMonth ? format.month(start.slice(0, 7)) : format.day(start),
    values: { spentMinor, orders },
  }))
  return (
    <Grid min={320} gap={24}>
      <Panel>
        <BarChart
          title={title}
          series={[{ key: 'spentMinor', label, tone: 'first' }]}
          bars={bars}
          format={(minor) => format.money(minor, currency)}
        />
      </Panel>
      <Panel>
        <BarChart
          title={t(byMonth ? 'reports.ordersByMonth' : 'reports.ordersByDay')}
          series={[{ key: 'orders', label: t('reports.orders'), tone: 'second' }]}
          bars={bars}
          format={format.number}
        />
      </Panel>
    </Grid>
  )
}
