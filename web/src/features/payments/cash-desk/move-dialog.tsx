import { type DrawerShift, type enteredMovementKinds, moveCash } from '@waybill/contract/payments/cash-desk'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { staleCash } from '../shared/stale-cash.ts'

type Props = { kind: (typeof enteredMovementKinds)[number]; drawer: DrawerShift; onClose: () => void }

/** The actions' texts: keys of `cashPage`. */
const actions = { cash_in: 'putIn', cash_out: 'takeOut', bank: 'toBank' } as const

/** Records cash that is put in, taken out or brought to the bank, with a reason. */
export function MoveDialog({ kind, drawer, onClose }: Props) {
  const t = useT()
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: moveCash.body,
    initial: {
      drawerNumber: drawer.number,
      kind,
      amountMinor: null as number | null,
      currency: drawer.currency,
      reason: '',
    },
    onSubmit: (body) => callOnce(moveCash, { body }),
    refresh: staleCash,
    refreshOnError: staleCash,
    success: t('cashPage.movedSaid'),
    onSuccess: onClose,
  })
  return (
    <SaveDialog title={t(`cashPage.${actions[kind]}`)} onClose={onClose} form={form} save={t('cashPage.record')}>
      <MoneyField field={form.field('amountMinor')} currency={drawer.currency} data-autofocus />
      <TextField field={form.field('reason', t(kind === 'bank' ? 'cashPage.bankSlip' : 'cashPage.reason'))} />
    </SaveDialog>
  )
}
