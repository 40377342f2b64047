import { type AccountDetail, listAccountNotes } from '@waybill/contract/accounts/directory'
import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { listBilledAccounts } from '@waybill/contract/orders/monthly-billing'
import { type AccountMoney, getAccountMoney } from '@waybill/contract/payments/account-overview'
import { searchEntries } from '@waybill/contract/wallet/ledger'
import { recordWithdrawal, type WithdrawalSource, withdrawalSources } from '@waybill/contract/wallet/withdrawals'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'

/** What can be withdrawn from an account, by source. */
export const listWithdrawable = ({ walletMinor, billing }: AccountMoney) => {
  const balances = { wallet: walletMinor, advance: -(billing?.usedMinor ?? 0) }
  return withdrawalSources
    .map((source) => ({ source, balanceMinor: balances[source] }))
    .filter(({ balanceMinor }) => balanceMinor > 0)
}

const stale = [getAccountMoney, listAccountNotes, staffAccountActivity, listBilledAccounts, searchEntries]

type Values = { source: WithdrawalSource; amountMinor: number | null; reference: string; note: string }

/** Records a transfer to the customer's bank. */
export function WithdrawalDialog({
  account,
  money,
  onClose,
}: {
  account: AccountDetail
  money: AccountMoney
  onClose: () => void
}) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const { currency } = money
  const sources = listWithdrawable(money)
  const [first] = sources
  const form = useContractForm<typeof recordWithdrawal.body, Values>({
    schema: recordWithdrawal.body,
    initial: {
      source: first?.source ?? 'wallet',
      amountMinor: first?.balanceMinor ?? null,
      reference: '',
      note: '',
    },
    onSubmit: (body) => callOnce(recordWithdrawal, { params: { id: account.id }, body }),
    refresh: stale,
    refreshOnError: [getAccountMoney],
    success: (_, { amountMinor }) => t('withdrawal.saved', { amount: format.money(amountMinor, currency) }),
    onSuccess: onClose,
  })
  return (
    <SaveDialog
      title={t('withdrawal.of', { name: account.name })}
      onClose={onClose}
      form={form}
      save={t('withdrawal.record')}
    >
      <p>{t('withdrawal.lead')}</p>
      {sources.length > 1 && (
        <RadioField
          field={{
            ...form.field('source'),
            onChange: (source) => {
              const amountMinor = sources.find((each) => each.source === source)?.balanceMinor ?? null
              form.patch({ source, amountMinor })
            },
          }}
          choices={sources.map((each) => ({
            value: each.source,
            label: t('phrase.detail', {
              text: t(`withdrawal.source.${each.source}`),
              detail: format.money(each.balanceMinor, currency),
            }),
          }))}
        />
      )}
      <MoneyField field={form.field('amountMinor')} currency={currency} data-autofocus />
      {form.values.source === 'wallet' && <Note>{t('withdrawal.bonus')}</Note>}
      <TextField field={form.field('reference', t('financePage.bankReference'))} />
      <TextField field={form.field('note')} help={t('withdrawal.noteHelp')} />
    </SaveDialog>
  )
}
