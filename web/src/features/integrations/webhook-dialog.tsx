import { labelValues } from '@waybill/contract/ground/enums'
import {
  changedWebhook,
  createWebhook,
  listWebhooks,
  newWebhook,
  updateWebhook,
  type Webhook,
  type WebhookEvent,
  webhookEventLabels,
} from '@waybill/contract/integrations/webhooks'
import { SaveDialog } from '../../components/feedback/save-dialog.tsx'
import { CheckboxField } from '../../components/fields/checkbox-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { Choices } from './choices.tsx'

type Values = { url: string; events: WebhookEvent[]; active: boolean; version: number }
type Props = {
  /** Null: a new one. */
  webhook: Webhook | null
  onClose: () => void
  onCreated?: (secret: string) => void
}

/** Adds a webhook, or changes its URL and events, and whether it is active. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props) {
  const t = useT()
  const label = useLabel()
  const form = useContractForm<typeof newWebhook | typeof changedWebhook, Values, string | null>({
    schema: webhook ? changedWebhook : newWebhook,
    initial: {
      url: webhook?.url ?? 'https://',
      events: webhook ? [...webhook.events] : labelValues(webhookEventLabels),
      active: webhook ? webhook.status === 'active' : true,
      version: webhook?.version ?? 0,
    },
    onSubmit: async (body) => {
      if (!webhook) return (await call(createWebhook, { body: newWebhook.parse(body) })).secret
      await call(updateWebhook, { params: { id: webhook.id }, body: changedWebhook.parse(body) })
      return null
    },
    refresh: [listWebhooks],
    refreshOnError: [listWebhooks],
    success: () => (webhook ? t('developers.webhookSaved') : null),
    onSuccess: (secret) => {
      onClose()
      if (secret) onCreated?.(secret)
    },
  })
  return (
    <SaveDialog
      shape="wide"
      title={t(webhook ? 'developers.editWebhook' : 'developers.newWebhook')}
      onClose={onClose}
      form={form}
      sticky={form.dirty}
    >
      <TextField
        field={form.field('url')}
        type="url"
        inputMode="url"
        autoComplete="off"
        help={t('developers.urlHelp')}
        data-autofocus
      />
      <Choices
        legend={t('fields.events')}
        choices={labelValues(webhookEventLabels).map((value) => ({ value, label: label(webhookEventLabels, value) }))}
        chosen={form.values.events}
        choose={(events) => form.set('events', events)}
        error={form.field('events').error}
      />
      {webhook && (
        <CheckboxField field={form.field('active', t('developers.active'))} help={t('developers.activeHelp')} />
      )}
    </SaveDialog>
  )
}
