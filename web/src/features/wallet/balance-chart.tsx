import { walletHistory } from '@waybill/contract/wallet/wallet'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { Panel } from '../../components/layout/boxes.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { listDailyBalances, listDaysUntil } from './daily-balances.ts'

const most = 200
const shownDays = 30

/** The movements that the chart shows. */
export const useNewestMovements = () => useCall(walletHistory, { query: { sort: '-at', limit: most } })

/** The balance of the last thirty days, or of fewer if there are very many movements. Hidden before the first one. */
export function BalanceChart() {
  const t = useT()
  const format = useFormat()
  const { data } = useNewestMovements()
  const oldest = data?.items.at(-1)
  if (!data || !oldest) return null
  const toDay = (at: string) => format.today(Date.parse(at))
  // Some movements of the oldest day may be missing.
  const isCut = data.total > data.items.length
  const days = listDaysUntil(format.today(), shownDays).filter((day) => !isCut || day > toDay(oldest.at))
  return (
    <Panel style={{ marginBlockStart: 24 }}>
      <BarChart
        title={t('walletPage.balanceChart')}
        note={t('dashboardPage.lastDays', { count: days.length })}
        series={[{ key: 'balance', label: t('walletPage.balance'), tone: 'first' }]}
        bars={listDailyBalances(data.items, days, toDay).map(({ day, balanceMinor }) => ({
          key: day,
          label: format.shortDay(day),
          values: { balance: balanceMinor },
        }))}
        format={format.credits}
      />
    </Panel>
  )
}
