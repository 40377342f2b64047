import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { OrderSums, reportOrders } from '@waybill/contract/reports/orders'
import { Panel } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { SumsTable } from './sums-table.tsx'

type Report = ResponseOf<typeof reportOrders>
type Props = { report: Pick<Report, 'users' | 'currency'> }

/** Spending by user of a company, and by cost centre if there are any. */
export function ReportUsers({ report: { users, currency } }: Props) {
  const t = useT()
  const centres = byCostCentre(users)
  const hasCentres = users.some(({ costCentre }) => costCentre !== null)
  return (
    <>
      <Panel title={t('reports.byUser')}>
        <SumsTable
          label={t('reports.byUser')}
          first={t('fields.createdBy')}
          rows={users.map((user) => ({ ...user, key: user.id, name: user.name ?? '–' }))}
          currency={currency}
        />
      </Panel>
      {hasCentres && (
        <Panel title={t('reports.byCostCentre')}>
          <SumsTable
            label={t('reports.byCostCentre')}
            first={t('fields.costCentre')}
            rows={[...centres].map(([name, sums]) => ({ ...sums, key: name, name: name || t('reports.noCostCentre') }))}
            currency={currency}
          />
        </Panel>
      )}
    </>
  )
}

/** Sums by cost centre, in the order of the users' spending; `''` for users without one. */
export function byCostCentre(users: Report['users']): Map<string, OrderSums> {
  const centres = new Map<string, OrderSums>()
  for (const { costCentre, orders, parcels, totalMinor, paidMinor, refundedMinor, spentMinor } of users) {
    const sums = centres.get(costCentre ?? '')
    centres.set(costCentre ?? '', {
      orders: orders + (sums?.orders ?? 0),
      parcels: parcels + (sums?.parcels ?? 0),
      totalMinor: totalMinor + (sums?.totalMinor ?? 0),
      paidMinor: paidMinor + (sums?.paidMinor ?? 0),
      refundedMinor: refundedMinor + (sums?.refundedMinor ?? 0),
      spentMinor: spentMinor + (sums?.spentMinor ?? 0),
    })
  }
  return new Map([...centres].sort(([, a], [, b]) => b.spentMinor - a.spentMinor))
}
