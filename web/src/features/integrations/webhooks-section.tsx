import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import {
  listWebhooks,
  type Webhook,
  webhookEventLabels,
  webhookStatusLabels,
} from '@waybill/contract/integrations/webhooks'
import { useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { CardList, Row, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import classes from './integrations.module.css'
import { webhookLooks } from './looks.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

/** The webhooks of the account. The secret of a new one is shown once. */
export function WebhooksSection() {
  const t = useT()
  const webhooks = useCall(listWebhooks, {})
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const items = webhooks.data?.items ?? []
  return (
    <Stack as="section" gap={12}>
      <Row justify="between">
        <h2>{t('developers.webhooks')}</h2>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setCreating(true)}>
          {t('developers.newWebhook')}
        </Button>
      </Row>
      {webhooks.error ? (
        <ErrorPanel error={webhooks.error} retry={() => void webhooks.refetch()} />
      ) : webhooks.isPending ? (
        <Loading />
      ) : items.length === 0 ? (
        <MessagePanel kind="empty" title={t('developers.noWebhooks')} text={t('developers.noWebhooksHint')} />
      ) : (
        <CardList>
          {items.map((webhook) => (
            <li key={webhook.id}>
              <WebhookCard webhook={webhook} />
            </li>
          ))}
        </CardList>
      )}
      {creating && <WebhookDialog webhook={null} onClose={() => setCreating(false)} onCreated={setSecret} />}
      {secret && (
        <SecretDialog
          title={t('developers.yourSecret')}
          secret={secret}
          help={t('developers.secretHelp')}
          onClose={() => setSecret(null)}
        />
      )}
    </Stack>
  )
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const { id, url, events, status, failingSince, waiting } = webhook
  return (
    <Stack gap={12}>
      <Row justify="between">
        <div>
          <Row gap={8}>
            <strong className={classes.address}>{url}</strong>
            <StatusPill look={webhookLooks[status]} label={label(webhookStatusLabels, status)} />
          </Row>
        </div>
        <ButtonLink
          size="sm"
          to="/developers/webhooks/$id"
          params={{ id }}
          aria-label={t('phrase.labelled', { label: t('developers.openLog'), value: url })}
        >
          {t('developers.openLog')}
        </ButtonLink>
      </Row>
      <Facts layout="tiles">
        <Fact label={t('fields.events')}>
          {events.map((event) => label(webhookEventLabels, event)).join('\u00a0· ')}
        </Fact>
        <Fact label={t('developers.waiting')}>{waiting > 0 && format.number(waiting)}</Fact>
        <Fact label={t('developers.failingSince')}>{failingSince && <Time at={failingSince} />}</Fact>
      </Facts>
    </Stack>
  )
}
