import {
  type CashDrawer,
  closeDrawer,
  getDrawer,
  listOwnCloses,
  printOwnClose,
} from '@waybill/contract/payments/cash-desk'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { TextField } from '../../../components/form/text-field.tsx'
import { call } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import {
  CountDifference,
  CountFields,
  type CountValues,
  countOf,
  emptyCount,
  sumOfCount,
} from '../cod/count-fields.tsx'
import classes from './cash.module.css'

type Props = { drawer: CashDrawer; onClose: () => void }
type Values = { count: CountValues; reason: string | null }

const stale = [getDrawer, listOwnCloses]

/** Counts the drawer, piece by piece or as one sum, and closes it. */
export function CloseDialog({ drawer, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const { currency, expectedMinor } = drawer
  const form = useContractForm({
    schema: closeDrawer.body,
    initial: { count: emptyCount(currency), reason: null } as Values,
    prepare: ({ count, reason }) => ({ version: drawer.version, currency, reason, counted: countOf(count, currency) }),
    onSubmit: (body) => call(closeDrawer, { params: { id: drawer.id }, body }),
    refresh: stale,
    refreshOnError: stale,
    success: t('cashPage.closedSaid'),
    onSuccess: () => saveDocument(printOwnClose, { params: { id: drawer.id } }),
  })
  const countedMinor = sumOfCount(form.values.count, currency)
  return (
    <SaveDialog
      title={t('cashPage.closeTitle', { day: format.day(drawer.day) })}
      onClose={onClose}
      shape="wide"
      form={form}
      save={t('cashPage.closeAct')}
    >
      <p className={classes.quiet}>{t('cashPage.closeHint')}</p>
      <CountFields
        values={form.values.count}
        onChange={(count) => form.set('count', count)}
        sumField={form.field('count.sumMinor', t('fields.counted'))}
        currency={currency}
      />
      <CountDifference expectedMinor={expectedMinor} countedMinor={countedMinor} currency={currency} />
      {countedMinor !== expectedMinor && (
        <TextField field={{ ...form.field('reason', t('cashDoc.reason')), required: true }} />
      )}
    </SaveDialog>
  )
}
