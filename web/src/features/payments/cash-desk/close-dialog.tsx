import { closeDrawer, type DrawerShift, printOwnShift } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { CountForm, emptyCountForm, sumSentCount, toCount, useCountConflict } from '../cod/count-fields.tsx'
import { staleCash } from '../shared/stale-cash.ts'

type Props = { drawer: DrawerShift; onClose: () => void }

/** Counts the drawer, piece by piece or as one sum, and ends its shift. */
export function CloseDialog({ drawer, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const { currency, number, version } = drawer
  const expectedMinor = drawer.sums?.expectedMinor ?? null
  const { countedState, conflict, onError } = useCountConflict({ state: version, expectedMinor, currency })
  /** The sum of the count that the server has refused, until another error or success. */
  const [refusedMinor, setRefusedMinor] = useState<number | null>(null)
  const form = useContractForm({
    schema: closeDrawer.body,
    initial: emptyCountForm(currency),
    draftKey: `cash-close:${drawer.id}`,
    prepare: ({ counted: count, reason }) => ({
      version: countedState,
      currency,
      reason,
      counted: toCount(count, currency),
    }),
    onSubmit: (body) => call(closeDrawer, { params: { id: drawer.id }, body }),
    refresh: staleCash,
    refreshOnError: staleCash,
    onError: (error, { counted: count }) => {
      const isDifferent = error instanceof ApiError && error.code === 'count_differs'
      const sumMinor = sumSentCount(count)
      setRefusedMinor(isDifferent ? sumMinor : null)
      // The same sum again: now the field says that it needs a reason.
      return isDifferent ? sumMinor !== refusedMinor : onError(error)
    },
    success: t('cashPage.closedSaid'),
    onSuccess: () => saveDocument(printOwnShift, { params: { id: drawer.id } }),
  })
  const differs = refusedMinor !== null
  return (
    <SaveDialog
      title={t('cashPage.closeTitle', { number, day: format.day(drawer.day) })}
      onClose={onClose}
      shape="wide"
      form={form}
      conflict={differs ? t('cashPage.countAgain') : conflict}
      keepsDraft
      save={t('cashPage.closeAct')}
    >
      <Note>{t('cashPage.closeHint')}</Note>
      <CountForm form={form} expectedMinor={expectedMinor} differs={differs} currency={currency} />
    </SaveDialog>
  )
}
