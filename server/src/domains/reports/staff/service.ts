/** The report of the whole deployment. Every part is summed in the database, so that memory use is constant. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { OrderSums } from '@waybill/contract/reports/orders'
import type { reportDeployment } from '@waybill/contract/reports/staff'
import type { Deps } from '../../../deps.ts'
import { dayIn } from '../../../lib/clock.ts'
import { sumAllOrders } from '../../orders/export/report.ts'
import { totalAgeing } from '../../orders/monthly-billing/receipts.ts'
import { readLateByStation, readServiceLevels } from '../../parcels/service-levels/service.ts'
import { readCodOutstanding } from '../../payments/cod/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { chooseStep, listSteps } from '../orders/rules.ts'
import { addSums, requirePeriod } from '../orders/service.ts'

/** Orders, parcels and money of all accounts in a period. Throws validation for one that cannot be reported. */
export async function readRevenue(
  deps: Deps,
  query: QueryOf<typeof reportDeployment>,
): Promise<Pick<ResponseOf<typeof reportDeployment>, 'from' | 'to' | 'step' | 'totals' | 'figures'>> {
  const period = requirePeriod(deps, query)
  const step = chooseStep(period)
  const rows = await sumAllOrders(deps.db, { ...period, timeZone: deps.settings.get('timezone') }, step)
  const byStart = new Map<string, OrderSums>(
    rows.map((row) => [
      row.start,
      {
        orders: row.orders,
        parcels: row.parcels,
        totalMinor: row.total_minor,
        paidMinor: row.paid_minor,
        refundedMinor: row.refunded_minor,
        spentMinor: row.paid_minor - row.refunded_minor,
      },
    ]),
  )
  return {
    ...period,
    step,
    totals: addSums(byStart.values()),
    figures: listSteps(period, step).map((start) => ({ start, ...(byStart.get(start) ?? addSums([])) })),
  }
}

/** All accounts in a period, and what is late or due now. Throws validation for a period that cannot be reported. */
export async function readDeploymentReport(
  deps: Deps,
  query: QueryOf<typeof reportDeployment>,
): Promise<ResponseOf<typeof reportDeployment>> {
  const { db, settings, clock } = deps
  const period = requirePeriod(deps, query)
  const timeZone = settings.get('timezone')
  const [revenue, service, late, cod, ageing] = await Promise.all([
    readRevenue(deps, query),
    readServiceLevels(db, 'all', { ...period, timeZone }),
    readLateByStation(db, dayIn(clock.now(), timeZone)),
    readCodOutstanding(deps),
    totalAgeing(deps),
  ])
  const stations = await findStationsById(
    db,
    late.flatMap(({ station_id }) => station_id ?? []),
  )
  return {
    ...revenue,
    currency: settings.get('currency'),
    service,
    lateByStation: late.map(({ station_id: stationId, parcels, oldest_day: oldestDay }) => ({
      stationId,
      name: stationId === null ? null : (stations.get(stationId)?.name ?? null),
      parcels,
      oldestDay,
    })),
    cod,
    ageing,
  }
}
