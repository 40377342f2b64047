import { Button } from '@mantine/core'
import {
  type CashDrawer,
  type enteredMovementKinds,
  getDrawer,
  listCashMovements,
  moveCash,
} from '@waybill/contract/payments/cash-desk'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { MoneyField } from '../../../components/form/measure-field.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { notify } from '../../../components/notify.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useChanged } from '../../../lib/query.ts'
import classes from './cash.module.css'

type Props = { kind: (typeof enteredMovementKinds)[number]; drawer: CashDrawer; onClose: () => void }

/** Cash put in, taken out or brought to the bank, always with a word why. */
export function MoveDialog({ kind, drawer, onClose }: Props) {
  const t = useT()
  const changed = useChanged()
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: moveCash.body,
    initial: { kind, amountMinor: null as number | null, currency: drawer.currency, reason: '' },
    onSubmit: async (body) => {
      try {
        await callOnce(moveCash, { body })
      } finally {
        await changed(getDrawer, listCashMovements)
      }
      notify.success(t('cashPage.movedSaid'))
      onClose()
    },
  })
  return (
    <Dialog title={t(`cashMovement.${kind}`)} onClose={onClose}>
      <form {...form.props} className={classes.form}>
        <MoneyField field={form.field('amountMinor')} currency={drawer.currency} data-autofocus />
        <TextField field={form.field('reason', t(kind === 'bank' ? 'cashPage.bankSlip' : 'cashPage.reason'))} />
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('cashPage.record')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
