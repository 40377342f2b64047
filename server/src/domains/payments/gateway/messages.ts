/** Stores messages of the gateway. */
import { recordActivity } from '../../../activity.ts'
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../lib/ids.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { type GatewayMessage, insertGatewayMessage } from './queries.ts'

/** Stores a message of the gateway, and notifies staff of a new problem. */
export async function storeMessage(deps: Deps, trx: Tx, message: Omit<GatewayMessage, 'id' | 'at'>): Promise<void> {
  const { paymentId, source, trouble } = message
  const at = deps.clock.now()
  if (!(await insertGatewayMessage(trx, { ...message, id: newId(), at }))) return
  await recordActivity(trx, {
    action: 'payments.gateway_trouble',
    level: 'WARNING',
    subject: paymentId,
    detail: { trouble, source },
    at,
  })
  const facts = { trouble: fact.phrase(`gatewayTrouble.${trouble}`) }
  await notify(deps, trx, { kind: 'gateway_trouble', to: { staff: 'staff.finance' }, facts })
}
