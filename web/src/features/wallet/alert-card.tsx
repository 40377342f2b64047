import { Button } from '@mantine/core'
import {
  getWalletPreferences,
  setWalletPreferences,
  type WalletPreferences,
} from '@waybill/contract/wallet/preferences'
import { ConflictNotice } from '../../components/feedback/conflict-notice.tsx'
import { MoneyField } from '../../components/fields/measure-field.tsx'
import { useRecordForm } from '../../components/form/use-record-form.ts'
import { Buttons, Panel, Stack } from '../../components/layout/boxes.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'

/** The balance below which the owner receives a mail. */
export function AlertCard() {
  const preferences = useCall(getWalletPreferences, {})
  if (!preferences.data) return null
  return <AlertForm preferences={preferences.data} />
}

function AlertForm({ preferences }: { preferences: WalletPreferences }) {
  const t = useT()
  const { lowBalanceMinor, version } = preferences
  const form = useRecordForm({
    record: preferences,
    load: () => call(getWalletPreferences),
    schema: setWalletPreferences.body,
    initial: { lowBalanceMinor, version },
    onSubmit: (body) => call(setWalletPreferences, { body }),
    refresh: [getWalletPreferences],
    success: t('walletPrefs.saved'),
  })
  return (
    <Panel title={t('walletPrefs.heading')}>
      <Stack {...form.props} as="form" gap={20}>
        {form.conflict && <ConflictNotice />}
        <MoneyField field={form.field('lowBalanceMinor', t('walletPrefs.low'))} help={t('walletPrefs.lowHelp')} />
        <Buttons>
          <Button type="submit" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </Buttons>
      </Stack>
    </Panel>
  )
}
