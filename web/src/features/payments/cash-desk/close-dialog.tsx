import { closeDrawer, type DrawerShift, printOwnShift } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { CountForm, emptyCountForm, toCount, useCountConflict } from '../cod/count-fields.tsx'
import { staleCash } from '../shared/stale-cash.ts'

type Props = { drawer: DrawerShift; onClose: () => void }

/** Counts the drawer, piece by piece or as one sum, and ends its shift. */
export function CloseDialog({ drawer, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const { currency, number, version } = drawer
  const expectedMinor = drawer.sums?.expectedMinor ?? null
  const { countedState, conflict, onError } = useCountConflict({ state: version, expectedMinor, currency })
  const [differs, setDiffers] = useState(false)
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
    onError: (error) => {
      const isDifferent = error instanceof ApiError && error.code === 'count_differs'
      setDiffers(isDifferent)
      return isDifferent || onError(error)
    },
    success: t('cashPage.closedSaid'),
    onSuccess: () => saveDocument(printOwnShift, { params: { id: drawer.id } }),
  })
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
