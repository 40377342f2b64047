import { useParams } from '@tanstack/react-router'
import { listWebhooks } from '@waybill/contract/integrations/webhooks'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { WebhookView } from './webhook-view.tsx'

/** One webhook with the log of its deliveries. */
export function WebhookPage() {
  const t = useT()
  const { id } = useParams({ from: '/portal/developers/webhooks/$id' })
  const webhooks = useCall(listWebhooks, {})
  const webhook = webhooks.data?.items.find((each) => each.id === id)
  if (webhook) return <WebhookView webhook={webhook} />
  return (
    <>
      <PageHeader title={t('developers.webhook')} />
      {webhooks.error ? (
        <ErrorPanel error={webhooks.error} retry={() => void webhooks.refetch()} />
      ) : webhooks.isPending ? (
        <Loading />
      ) : (
        <MessagePanel kind="empty" title={t('developers.noSuchWebhook')} />
      )}
    </>
  )
}
