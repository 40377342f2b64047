import type { Look } from '@waybill/contract/ground/status/status-look'
import type { ApiKey } from '@waybill/contract/integrations/api-keys'
import type { WebhookDelivery, WebhookStatus } from '@waybill/contract/integrations/webhooks'

export const keyLooks: Record<ApiKey['status'], Look> = {
  active: { tone: 'success', icon: 'check' },
  expired: { tone: 'neutral', icon: 'clock' },
  revoked: { tone: 'neutral', icon: 'cross' },
}

export const webhookLooks: Record<WebhookStatus, Look> = {
  active: { tone: 'success', icon: 'check' },
  paused: { tone: 'waiting', icon: 'clock' },
  disabled: { tone: 'danger', icon: 'alert' },
}

export const deliveryLooks: Record<WebhookDelivery['status'], Look> = {
  pending: { tone: 'waiting', icon: 'clock' },
  delivered: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'alert' },
}
