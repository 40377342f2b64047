import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { getWallet, topUp } from '@waybill/contract/wallet/wallet'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { OnlyFor } from '../../components/access/only-for.tsx'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { notifyPaymentProblem } from '../../components/feedback/payment-problem.ts'
import { MoneyField } from '../../components/fields/measure-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { Buttons, Panel, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Note, Notice } from '../../components/layout/text.tsx'
import { postForm } from '../../lib/browser/post-form.ts'
import { rememberWayBack } from '../../lib/browser/way-back.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCallOnce } from '../../lib/once.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { TopUpPresets } from './top-up-presets.tsx'

/** Used until the settings are loaded. The server's limits decide. */
const anyLimits = {
  topUpMinMinor: 1,
  topUpMaxMinor: 1_000_000_000,
  topUpPresetsMinor: [] as number[],
  bonusPackages: [] as { fromMinor: number; bonusMinor: number }[],
}

/** The amount of the top-up, then the payment gateway. */
export function TopUpPage() {
  const t = useT()
  return (
    <OnlyFor rule="wallet" title={t('walletPage.topUp')}>
      <TopUpForm />
    </OnlyFor>
  )
}

function TopUpForm() {
  const t = useT()
  const format = useFormat()
  const wallet = useCall(getWallet, {})
  const limits = useSession((state) => state.setting.settings?.limits) ?? anyLimits
  /** The bonus of the largest package that an amount reaches. The server decides by the same rule (wallet/rules.ts). */
  const getBonus = (amount: number) =>
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
  const { data: amount } = schema.safeParse(form.values)
  const amountMinor = amount?.amountMinor ?? null
  const bonusMinor = amountMinor === null ? 0 : getBonus(amountMinor)
  return (
    <>
      <PageHeader
        title={t('walletPage.topUp')}
        description={wallet.data && t('walletPage.balanceNow', { amount: format.credits(wallet.data.balanceMinor) })}
      />
      <Panel style={{ maxWidth: 720 }}>
        <Stack {...form.props} as="form" gap={20}>
          {missing !== null && <Note>{t('walletPage.missing', { amount: format.credits(missing) })}</Note>}
          <TopUpPresets
            amounts={limits.topUpPresetsMinor}
            getBonus={getBonus}
            value={form.values.amountMinor}
            onChange={(amount) => form.set('amountMinor', amount)}
          />
          <MoneyField
            field={form.field('amountMinor', t('walletPage.topUpAmount'))}
            help={t('walletPage.topUpLimits', {
              min: format.money(limits.topUpMinMinor),
              max: format.money(limits.topUpMaxMinor),
            })}
          />
          {bonusMinor > 0 && (
            <Notice tone="success">{t('walletPage.bonusEarned', { amount: format.money(bonusMinor) })}</Notice>
          )}
          <Note>{t('walletPage.gatewayHint')}</Note>
          <Buttons>
            <ButtonLink to="/wallet">{t('actions.cancel')}</ButtonLink>
            <Button type="submit" variant="filled" loading={form.submitting}>
              {amountMinor === null
                ? t('walletPage.pay')
                : t('walletPage.payNow', { amount: format.money(amountMinor) })}
            </Button>
          </Buttons>
        </Stack>
      </Panel>
    </>
  )
}
