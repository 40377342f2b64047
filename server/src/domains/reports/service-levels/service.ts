/** The report of service levels. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { reportServiceLevels } from '@waybill/contract/reports/service-levels'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { readServiceLevels } from '../../parcels/service-levels/service.ts'
import { requirePeriod } from '../orders/service.ts'

/** Deliveries of a period that the caller may see. Throws validation for a period that cannot be reported. */
export async function readServiceReport(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof reportServiceLevels>,
): Promise<ResponseOf<typeof reportServiceLevels>> {
  const period = requirePeriod(deps, query)
  const scope = { accountId: caller.accountId, createdBy: onlyCreatedBy(caller) }
  const timeZone = deps.settings.get('timezone')
  return { ...period, ...(await readServiceLevels(deps.db, scope, { ...period, timeZone })) }
}
