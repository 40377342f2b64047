import { Button } from '@mantine/core'
import {
  getWalletPreferences,
  setWalletPreferences,
  type WalletPreferences,
} from '@waybill/contract/wallet/preferences'
import { CheckboxField } from '../../components/form/checkbox-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { MoneyField } from '../../components/form/measure-field.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import classes from './wallet.module.css'

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
    <section className={classes.section}>
      <h2 className={classes.cardTitle}>{t('walletPrefs.heading')}</h2>
      <form {...form.props} className={classes.form}>
        <MoneyField field={form.field('lowBalanceMinor', t('walletPrefs.low'))} help={t('walletPrefs.lowHelp')} />
        {autoTopUpOpen ? (
          <>
            <CheckboxField field={form.field('autoTopUp.enabled', t('walletPrefs.auto'))} />
            <MoneyField field={form.field('autoTopUp.thresholdMinor', t('walletPrefs.autoThreshold'))} />
            <MoneyField field={form.field('autoTopUp.amountMinor', t('walletPrefs.autoAmount'))} />
          </>
        ) : (
          <p className={classes.quiet}>
            {t('walletPrefs.autoTitle')}: {t('walletPrefs.autoClosed')}
          </p>
        )}
        <div className={classes.buttons}>
          <Button type="submit" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </div>
      </form>
    </section>
  )
}
