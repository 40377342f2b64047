import { labelValues } from '@waybill/contract/ground/enums/labels'
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
import { useRecordVersion } from '../../components/feedback/use-record-version.ts'
import { CheckboxField } from '../../components/fields/checkbox-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCallOnce } from '../../lib/once.ts'
import { Choices } from './choices.tsx'

type Values = { url: string; events: WebhookEvent[]; active: boolean }
type Props = {
  /** Null: a new one. */
  webhook: Webhook | null
  onClose: () => void
  onCreated?: (secret: string) => void
}

/** The webhook as it is now; the same one if it was removed, so that saving reports that. */
async function loadWebhook(webhook: Webhook): Promise<Webhook> {
  const { items } = await call(listWebhooks, {})
  return items.find(({ id }) => id === webhook.id) ?? webhook
}

/** Adds a webhook, or changes its URL and events, and whether it is active. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props) {
  const t = useT()
  const label = useLabel()
  const callOnce = useCallOnce()
  const { version, conflict, onError } = useRecordVersion(webhook, loadWebhook)
  const form = useContractForm<typeof newWebhook | typeof changedWebhook, Values, string | null>({
    schema: webhook ? changedWebhook : newWebhook,
    initial: {
      url: webhook?.url ?? 'https://',
      events: webhook ? [...webhook.events] : labelValues(webhookEventLabels),
      active: webhook ? webhook.status === 'active' : true,
    },
    prepare: (values) => ({ ...values, version }),
    onSubmit: async (body) => {
      if (!webhook) return (await callOnce(createWebhook, { body: newWebhook.parse(body) })).secret
      await call(updateWebhook, { params: { id: webhook.id }, body: changedWebhook.parse(body) })
      return null
    },
    refresh: [listWebhooks],
    refreshOnError: [listWebhooks],
    onError,
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
      conflict={conflict}
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
