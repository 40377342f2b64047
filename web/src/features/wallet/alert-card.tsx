import { Button } from '@mantine/core'
import {
  getWalletPreferences,
  setWalletPreferences,
  type WalletPreferences,
} from '@waybill/contract/wallet/preferences'
import { CheckboxField } from '../../components/form/checkbox-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { MoneyField } from '../../components/form/measure-field.tsx'
import { Buttons, Panel, Stack } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'

/**
 * When the owner is told that credits run low; the rule of automatic top-ups stands here once the gateway allows it.
 */
export function AlertCard() {
  const preferences = useCall(getWalletPreferences, {})
  if (!preferences.data) return null
  return <AlertForm key={preferences.data.version} saved={preferences.data} />
}

function AlertForm({ saved }: { saved: WalletPreferences }) {
  const t = useT()
  const { lowBalanceMinor, autoTopUp, version, autoTopUpOpen } = saved
  const form = useContractForm({
    schema: setWalletPreferences.body,
    initial: { lowBalanceMinor, autoTopUp, version },
    onSubmit: (body) => call(setWalletPreferences, { body }),
    refresh: [getWalletPreferences],
    success: t('walletPrefs.saved'),
  })
  return (
    <Panel style={{ maxWidth: 560 }} title={t('walletPrefs.heading')}>
      <Stack {...form.props} as="form" gap={20}>
        <MoneyField field={form.field('lowBalanceMinor', t('walletPrefs.low'))} help={t('walletPrefs.lowHelp')} />
        {autoTopUpOpen ? (
          <>
            <CheckboxField field={form.field('autoTopUp.enabled', t('walletPrefs.auto'))} />
            <MoneyField field={form.field('autoTopUp.thresholdMinor', t('walletPrefs.autoThreshold'))} />
            <MoneyField field={form.field('autoTopUp.amountMinor', t('walletPrefs.autoAmount'))} />
          </>
        ) : (
          <Note>
            {t('walletPrefs.autoTitle')}: {t('walletPrefs.autoClosed')}
          </Note>
        )}
        <Buttons>
          <Button type="submit" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </Buttons>
      </Stack>
    </Panel>
  )
}
