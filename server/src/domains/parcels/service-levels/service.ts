/**
 * Service levels: deliveries on time, late, and at the first attempt. Counted in the database, so memory use is
 * constant.
 */
import type { ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import type { ServiceLevels } from '@waybill/contract/reports/service-levels'
import type { DbOrTx } from '../../../db/pool.ts'
import {
  countAttempts,
  countDelivered,
  countLateByStation,
  type DeliveryPeriod,
  type DeliveryScope,
  type LateRow,
} from './queries.ts'

export type ServiceReport = {
  totals: ServiceLevels
  services: ({ serviceType: ServiceType } & ServiceLevels)[]
}

const none: ServiceLevels = { delivered: 0, onTime: 0, late: 0, attempted: 0, firstAttempt: 0 }

/** The levels of a period, in total and by service, the service with most deliveries first. */
export async function readServiceLevels(
  db: DbOrTx,
  scope: DeliveryScope,
  period: DeliveryPeriod,
): Promise<ServiceReport> {
  const [delivered, attempts] = await Promise.all([countDelivered(db, scope, period), countAttempts(db, scope, period)])
  const byService = new Map<ServiceType | null, ServiceLevels>()
  const add = (service: ServiceType | null, counts: Partial<ServiceLevels>) =>
    byService.set(service, { ...none, ...byService.get(service), ...counts })
  for (const row of delivered) add(row.service_type, { delivered: row.delivered, onTime: row.on_time, late: row.late })
  for (const row of attempts) add(row.service_type, { attempted: row.attempted, firstAttempt: row.first_attempt })
  const totals = { ...none }
  for (const levels of byService.values())
    for (const key of Object.keys(none) as (keyof ServiceLevels)[]) totals[key] += levels[key]
  return {
    totals,
    services: [...byService]
      .flatMap(([serviceType, levels]) => (serviceType === null ? [] : [{ serviceType, ...levels }]))
      .sort((a, b) => b.delivered - a.delivered || a.serviceType.localeCompare(b.serviceType)),
  }
}

/** Parcels in transit that are past their originally promised day, by station. */
export async function readLateByStation(db: DbOrTx, today: string): Promise<LateRow[]> {
  return countLateByStation(db, today)
}
