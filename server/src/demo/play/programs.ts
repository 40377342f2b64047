/** A company's own programs: API keys of its warehouse and accounting systems, and a webhook that is being set up. */
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { webhookEventLabels } from '@waybill/contract/integrations/webhooks'
import { createKey } from '../../domains/integrations/api-keys/service.ts'
import { addWebhook, changeWebhook, sendTest } from '../../domains/integrations/webhooks/service.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { demoPin } from '../story/logins.ts'
import { demoAccounts } from '../story/people.ts'
import { createCaller, type Stage } from './stage.ts'

/** The receiver does not exist, so the webhook is paused, and the log shows a test event whose delivery failed. */
export async function connectPrograms({ deps }: Stage): Promise<void> {
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  if (!company) return
  const caller = createCaller(company, company.owner)
  await createKey(
    deps,
    caller,
    {
      name: 'Warehouse system',
      scopes: ['quotes', 'parcels', 'orders', 'labels', 'tracking'],
      expiresAt: null,
      dailyLimitMinor: null,
    },
    withoutKey,
  )
  await createKey(
    deps,
    caller,
    {
      name: 'Accounting',
      scopes: ['addresses', 'pickups', 'payments'],
      expiresAt: null,
      dailyLimitMinor: 50_000,
      pin: demoPin,
    },
    withoutKey,
  )
  const url = 'https://hooks.kinabalu.example/waybill'
  const events = labelValues(webhookEventLabels)
  // A host name that never resolves.
  const { webhooks } = deps.config
  const offline = { ...deps, config: { ...deps.config, webhooks: { ...webhooks, anyAddress: true } } }
  const { webhook } = await addWebhook(offline, caller, { url, events }, withoutKey)
  await sendTest(deps, caller, webhook.id)
  await changeWebhook(offline, caller, webhook.id, { url, events, active: false, version: webhook.version })
}
