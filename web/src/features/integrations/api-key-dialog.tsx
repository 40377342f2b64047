import { type ApiScope, apiScopeLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { createApiKey, listApiKeys, newApiKey } from '@waybill/contract/integrations/api-keys'
import { SaveDialog } from '../../components/feedback/save-dialog.tsx'
import { CodeField } from '../../components/fields/code-field.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { MoneyField } from '../../components/fields/measure-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { defaultFormatSettings } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCallOnce } from '../../lib/once.ts'
import { useDeployment } from '../../lib/settings/deployment.ts'
import { toInstant } from '../../lib/time/to-instant.ts'
import { Choices } from './choices.tsx'

type Values = {
  name: string
  scopes: ApiScope[]
  expiresAt: string | null
  dailyLimitMinor: number | null
  pin: string
}
type Props = { currency: string; onClose: () => void; onCreated: (secret: string) => void }

/** Creates an API key. A key that may pay needs a daily limit, and the wallet PIN once. */
export function ApiKeyDialog({ currency, onClose, onCreated }: Props) {
  const t = useT()
  const label = useLabel()
  const callOnce = useCallOnce()
  const { timezone } = useDeployment() ?? defaultFormatSettings
  const form = useContractForm<typeof newApiKey, Values, string>({
    schema: newApiKey,
    initial: { name: '', scopes: ['quotes', 'parcels', 'tracking'], expiresAt: null, dailyLimitMinor: null, pin: '' },
    prepare: ({ pin, expiresAt, dailyLimitMinor, ...values }) => {
      const pays = values.scopes.includes('payments')
      return {
        ...values,
        expiresAt: expiresAt ? toInstant(expiresAt, '23:59:59', timezone).toISOString() : null,
        dailyLimitMinor: pays ? dailyLimitMinor : null,
        ...(pays && pin !== '' ? { pin } : {}),
      }
    },
    onSubmit: async (body) => (await callOnce(createApiKey, { body })).secret,
    refresh: [listApiKeys],
    onSuccess: onCreated,
  })
  const { scopes } = form.values
  return (
    <SaveDialog
      shape="wide"
      title={t('developers.newKey')}
      onClose={onClose}
      form={form}
      save={t('developers.createKey')}
    >
      <TextField field={form.field('name')} help={t('developers.keyNameHelp')} autoComplete="off" data-autofocus />
      <Choices
        legend={t('fields.scopes')}
        choices={labelValues(apiScopeLabels).map((value) => ({
          value,
          label: label(apiScopeLabels, value),
          help: t(`developers.scope.${value}`),
        }))}
        chosen={scopes}
        choose={(values) => form.set('scopes', values)}
        error={form.field('scopes').error}
      />
      {scopes.includes('payments') && (
        <>
          <MoneyField
            field={{ ...form.field('dailyLimitMinor'), required: true }}
            currency={currency}
            help={t('developers.limitHelp')}
          />
          <CodeField field={{ ...form.field('pin'), required: true }} mask help={t('developers.pinHelp')} />
        </>
      )}
      <DateField field={{ ...form.field('expiresAt'), required: false }} help={t('developers.expiryHelp')} />
    </SaveDialog>
  )
}
