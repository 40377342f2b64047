import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { getWallet, topUp } from '@waybill/contract/wallet/wallet'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useContractForm } from '../../components/form/contract-form.ts'
import { MoneyField } from '../../components/form/measure-field.tsx'
import { Buttons, Panel, Stack } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { ButtonLink } from '../../components/link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { notifyPaymentProblem } from '../../components/payment-problem.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCallOnce } from '../../lib/once.ts'
import { postForm } from '../../lib/post-form.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { rememberWayBack } from '../../lib/way-back.ts'
import classes from './wallet.module.css'

/** Used until the settings have come; the server's own limits decide. */
const anyLimits = {
  topUpMinMinor: 1,
  topUpMaxMinor: 1_000_000_000,
  topUpPresetsMinor: [] as number[],
  bonusPackages: [] as { fromMinor: number; bonusMinor: number }[],
}

/** How much, then to the payment gateway. */
export function TopUpPage() {
  const t = useT()
  const format = useFormat()
  const wallet = useCall(getWallet, {})
  const limits = useSession((state) => state.setting.settings?.limits) ?? anyLimits
  /** What the largest package that an amount reaches adds to it; the server decides the same (wallet/rules.ts). */
  const bonusOf = (amount: number) =>
    limits.bonusPackages.filter(({ fromMinor }) => amount >= fromMinor).sort((a, b) => b.fromMinor - a.fromMinor)[0]
      ?.bonusMinor ?? 0
  const schema = useMemo(
    () => z.object({ amountMinor: z.int().check(z.minimum(limits.topUpMinMinor), z.maximum(limits.topUpMaxMinor)) }),
    [limits.topUpMinMinor, limits.topUpMaxMinor],
  )
  const callOnce = useCallOnce()
  const { amount: missing = null, next = null } = useSearch({ from: '/portal/wallet/top-up' })
  const form = useContractForm({
    schema,
    initial: { amountMinor: missing === null ? null : Math.max(missing, limits.topUpMinMinor) },
    prepare: (values) => ({ amountMinor: values.amountMinor ?? undefined }),
    onSubmit: ({ amountMinor }) => callOnce(topUp, { body: { amountMinor } }),
    onSuccess: ({ action, fields }) => {
      rememberWayBack(next)
      postForm(action, fields)
    },
    onError: (error) => notifyPaymentProblem(error, 'gateway'),
  })
  return (
    <>
      <PageHeader
        title={t('walletPage.topUp')}
        description={wallet.data && t('walletPage.balanceNow', { amount: format.credits(wallet.data.balanceMinor) })}
      />
      <Panel style={{ maxWidth: 560 }}>
        <Stack {...form.props} as="form" gap={20}>
          {missing !== null && <Note>{t('walletPage.missing', { amount: format.credits(missing) })}</Note>}
          <fieldset className={classes.presets}>
            <legend>{t('walletPage.presets')}</legend>
            {limits.topUpPresetsMinor.map((amount) => (
              <button
                key={amount}
                type="button"
                className={classes.preset}
                aria-pressed={form.values.amountMinor === amount}
                onClick={() => form.set('amountMinor', amount)}
              >
                {format.money(amount)}
                {bonusOf(amount) > 0 && (
                  <span className={classes.bonus}>
                    {t('walletPage.bonus', { amount: format.money(bonusOf(amount)) })}
                  </span>
                )}
              </button>
            ))}
          </fieldset>
          <MoneyField
            field={form.field('amountMinor', t('walletPage.topUpAmount'))}
            help={t('walletPage.topUpLimits', {
              min: format.money(limits.topUpMinMinor),
              max: format.money(limits.topUpMaxMinor),
            })}
          />
          {form.values.amountMinor !== null && bonusOf(form.values.amountMinor) > 0 && (
            <p className={classes.earned}>
              {t('walletPage.bonusEarned', { amount: format.money(bonusOf(form.values.amountMinor)) })}
            </p>
          )}
          <Note>{t('walletPage.gatewayHint')}</Note>
          <Buttons>
            <Button type="submit" variant="filled" loading={form.submitting}>
              {form.values.amountMinor
                ? t('walletPage.payNow', { amount: format.money(form.values.amountMinor) })
                : t('walletPage.pay')}
            </Button>
            <ButtonLink to="/wallet">{t('actions.cancel')}</ButtonLink>
          </Buttons>
        </Stack>
      </Panel>
    </>
  )
}
