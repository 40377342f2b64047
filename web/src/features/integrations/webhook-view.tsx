import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
  webhookEventLabels,
  webhookStatusLabels,
} from '@waybill/contract/integrations/webhooks'
import { useState } from 'react'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, Panel, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Notice, Quiet } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCallOnce } from '../../lib/once.ts'
import { refreshAnswers } from '../../lib/refresh-answers.ts'
import { DeliveryLog } from './delivery-log.tsx'
import classes from './integrations.module.css'
import { webhookLooks } from './looks.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

/** A webhook: its state, its actions, and the log. */
export function WebhookView({ webhook }: { webhook: Webhook }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const navigate = useNavigate()
  const client = useQueryClient()
  const callOnce = useCallOnce()
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { id, url, events, status, createdBy } = webhook
  const params = { id }
  const test = useSend(() => call(testWebhook, { params }), {
    refresh: [listWebhookDeliveries, listWebhooks],
    success: t('developers.testSent'),
  })
  const rotate = useSend(() => callOnce(rotateWebhookSecret, { params }), {
    confirm: {
      title: t('developers.rotateTitle'),
      message: t(webhook.previousSecretUntil ? 'developers.rotateAgainText' : 'developers.rotateText'),
      action: t('developers.rotate'),
    },
    refresh: [listWebhooks],
    onSuccess: (answer) => setSecret(answer.secret),
  })
  const remove = useSend(() => call(removeWebhook, { params }), {
    confirm: { title: t('developers.removeTitle'), message: t('developers.removeText'), action: t('actions.remove') },
    success: t('developers.removed'),
    // Navigates first: without its webhook this page would show that there is none.
    onSuccess: async () => {
      await navigate({ to: '/developers' })
      await refreshAnswers(client, [listWebhooks])
    },
  })
  return (
    <>
      <PageHeader
        title={t('developers.webhook')}
        description={<span className={classes.address}>{url}</span>}
        actions={
          <>
            <Button onClick={() => setEditing(true)}>{t('actions.edit')}</Button>
            <Button
              variant="filled"
              disabled={status !== 'active'}
              loading={test.pending}
              onClick={() => void test.send()}
            >
              {t('developers.sendTest')}
            </Button>
          </>
        }
      />
      <Stack gap={24}>
        {status === 'paused' && <Notice tone="neutral">{t('developers.pausedText')}</Notice>}
        {status === 'disabled' && <Notice tone="danger">{t('developers.disabledText')}</Notice>}
        <Panel>
          <Facts layout="tiles">
            <Fact label={t('fields.status')}>
              <StatusPill look={webhookLooks[status]} label={label(webhookStatusLabels, status)} />
            </Fact>
            <Fact label={t('fields.events')}>
              {events.map((event) => label(webhookEventLabels, event)).join('\u00a0· ')}
            </Fact>
            <Fact label={t('developers.waiting')}>{format.number(webhook.waiting)}</Fact>
            <Fact label={t('developers.failingSince')}>
              {webhook.failingSince && <Time at={webhook.failingSince} />}
            </Fact>
            <Fact label={t('developers.bothSecrets')}>
              {webhook.previousSecretUntil && <Time at={webhook.previousSecretUntil} />}
            </Fact>
            <Fact label={t('developers.created')}>
              {format.dateTime(webhook.createdAt)}
              {createdBy && <Quiet>{createdBy}</Quiet>}
            </Fact>
          </Facts>
          <Buttons>
            <Button onClick={() => void rotate.send()}>{t('developers.rotate')}</Button>
            <Button onClick={() => void remove.send()}>{t('actions.remove')}</Button>
          </Buttons>
        </Panel>
        <DeliveryLog webhook={webhook} />
      </Stack>
      {editing && <WebhookDialog webhook={webhook} onClose={() => setEditing(false)} />}
      {secret && (
        <SecretDialog
          title={t('developers.yourSecret')}
          secret={secret}
          help={t('developers.secretHelp')}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}
