/** Housekeeping of the gateway's messages. */
import type { Deps } from '../../../deps.ts'
import { days, later } from '../../../lib/clock.ts'
import { deleteOldGatewayMessages } from './queries.ts'

/** Part of `housekeeping:sweep`: deletes messages after the time of the settings. */
export async function sweepGatewayMessages(deps: Deps): Promise<void> {
  const until = later(deps.clock.now(), -days(deps.settings.get('retention.gatewayDays')))
  await deleteOldGatewayMessages(deps.db, until)
}
