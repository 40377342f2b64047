// Widgets with a bar chart. The chart has its figures as a table, too.
import { type WidgetData, widgetKindLabels, widgetPeriods } from '@waybill/contract/dashboard/widgets'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { Panel } from '../../components/layout/boxes.tsx'
import { Figure, Note } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'

export function PerDayWidget({ data }: { data: WidgetData['parcels_per_day'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return (
    <Panel>
      <BarChart
        title={label(widgetKindLabels, 'parcels_per_day')}
        note={t('dashboardPage.lastDays', { count: widgetPeriods.days })}
        series={[
          { key: 'created', label: t('dashboardPage.created'), tone: 'first' },
          { key: 'delivered', label: t('dashboardPage.delivered'), tone: 'second' },
        ]}
        bars={data.days.map(({ day, created, delivered }) => ({
          key: day,
          label: format.shortDay(day),
          values: { created, delivered },
        }))}
        format={format.number}
      />
    </Panel>
  )
}

export function OnTimeWidget({ data: { onTime, late, weeks } }: { data: WidgetData['on_time'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const title = label(widgetKindLabels, 'on_time')
  const promised = onTime + late
  if (promised === 0) {
    return (
      <Panel title={title}>
        <Note>{t('dashboardPage.noneOnTime', { count: widgetPeriods.weeks })}</Note>
      </Panel>
    )
  }
  return (
    <Panel gap={8}>
      <BarChart
        title={title}
        note={t('dashboardPage.lastWeeks', { count: widgetPeriods.weeks })}
        headline={<Figure>{t('dashboardPage.share', { percent: Math.floor((100 * onTime) / promised) })}</Figure>}
        series={[
          { key: 'onTime', label: t('dashboardPage.onTime'), tone: 'second' },
          { key: 'late', label: t('dashboardPage.late'), tone: 'third' },
        ]}
        bars={weeks.map((week) => ({
          key: week.from,
          label: t('dashboardPage.weekFrom', { day: format.shortDay(week.from) }),
          values: { onTime: week.onTime, late: week.late },
        }))}
        format={format.number}
      />
    </Panel>
  )
}

export function SpendByMonthWidget({ data: { months, currency } }: { data: WidgetData['spend_by_month'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const thisMonth = months.at(-1)
  return (
    <Panel>
      <BarChart
        title={label(widgetKindLabels, 'spend_by_month')}
        note={t('dashboardPage.lastMonths', { count: widgetPeriods.months })}
        headline={
          thisMonth && (
            <Note>{t('dashboardPage.thisMonth', { amount: format.money(thisMonth.amountMinor, currency) })}</Note>
          )
        }
        series={[{ key: 'spend', label: t('dashboardPage.spend'), tone: 'first' }]}
        bars={months.map(({ month, amountMinor }) => ({
          key: month,
          label: format.month(month),
          values: { spend: amountMinor },
        }))}
        format={(amountMinor) => format.money(amountMinor, currency)}
      />
    </Panel>
  )
}
