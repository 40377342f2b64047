import type { CashHolder } from '@waybill/contract/payments/cash-desk'
import { handInCash, listOwnHandIns, printOwnHandIn } from '@waybill/contract/payments/cash-hand-ins'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Note } from '../../../components/layout/text.tsx'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { staleCash } from '../shared/stale-cash.ts'
import { CountForm, emptyCountForm, toCount, useCountConflict } from './count-fields.tsx'

type Props = { holder: CashHolder; currency: string; drawerNumber: number; onClose: () => void }

const stale = [...staleCash, listOwnHandIns]

/** Takes a rider's COD cash into the drawer after a count. A difference needs a reason. */
export function HandInDialog({ holder, currency, drawerNumber, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const { userId: riderId, name, count: parcels, amountMinor: expectedMinor } = holder
  const { countedState, conflict, onError } = useCountConflict({ state: expectedMinor, expectedMinor, currency })
  const form = useContractForm({
    schema: handInCash.body,
    initial: emptyCountForm(currency),
    draftKey: `cash-hand-in:${riderId}:${expectedMinor}`,
    prepare: ({ counted: count, reason }) => ({
      drawerNumber,
      riderId,
      expectedMinor: countedState,
      currency,
      reason,
      counted: toCount(count, currency),
    }),
    onSubmit: (body) => callOnce(handInCash, { body }),
    refresh: stale,
    refreshOnError: stale,
    onError,
    success: ({ countedMinor }) => t('cashPage.handedInSaid', { name, amount: format.money(countedMinor, currency) }),
    onSuccess: ({ id }) => {
      onClose()
      return saveDocument(printOwnHandIn, { params: { id } })
    },
  })
  return (
    <SaveDialog
      title={t('cashPage.handInTitle', { name })}
      onClose={onClose}
      shape="wide"
      form={form}
      conflict={conflict}
      keepsDraft
      save={t('cashPage.takeIn')}
    >
      <Note>{t('cashPage.handInHint', { count: parcels })}</Note>
      <CountForm form={form} expectedMinor={expectedMinor} currency={currency} />
    </SaveDialog>
  )
}
