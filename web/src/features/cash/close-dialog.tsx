import { Button, TextInput } from '@mantine/core'
import { type CashDrawer, closeDrawer, getDrawer, listOwnCloses, piecesOf, printOwnClose } from '@waybill/contract/cash'
import { useState } from 'react'
import { Dialog, DialogFoot } from '../../components/dialog.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { MoneyField } from '../../components/form/measure-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { notify } from '../../components/notify.tsx'
import { call } from '../../lib/api.ts'
import { saveDocument } from '../../lib/download.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useChanged } from '../../lib/query.ts'
import classes from './cash.module.css'

type Props = { drawer: CashDrawer; onClose: () => void }
type Values = { pieces: Record<string, string>; sumMinor: number | null; reason: string | null }

const countOf = (text: string | undefined) => (/^\d{1,5}$/.test(text?.trim() ?? '') ? Number(text) : 0)

/** The drawer is counted, piece by piece or as one sum, and signed off. */
export function CloseDialog({ drawer, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const { currency } = drawer
  const values = piecesOf(currency)
  const [byPiece, setByPiece] = useState(values.length > 0)
  const counted = ({ pieces, sumMinor }: Values) =>
    byPiece ? values.reduce((sum, value) => sum + value * countOf(pieces[value]), 0) : (sumMinor ?? 0)
  const form = useContractForm({
    schema: closeDrawer.body,
    initial: { pieces: {}, sumMinor: null, reason: null } as Values,
    prepare: (typed) => ({
      version: drawer.version,
      currency,
      reason: typed.reason,
      counted: byPiece
        ? { pieces: values.map((valueMinor) => ({ valueMinor, count: countOf(typed.pieces[valueMinor]) })) }
        : { sumMinor: typed.sumMinor },
    }),
    onSubmit: async (body) => {
      try {
        await call(closeDrawer, { params: { id: drawer.id }, body })
      } finally {
        await changed(getDrawer, listOwnCloses)
      }
      notify.success(t('cashPage.closedSaid'))
      await saveDocument(printOwnClose, { params: { id: drawer.id } })
    },
  })
  const countedMinor = counted(form.values)
  const difference = countedMinor - drawer.expectedMinor
  const money = (minor: number) => format.money(minor, currency)
  return (
    <Dialog title={t('cashPage.closeTitle', { day: format.day(drawer.day) })} onClose={onClose} shape="wide">
      <form {...form.props} className={classes.form}>
        <p className={classes.quiet}>{t('cashPage.closeHint')}</p>
        {byPiece ? (
          <div className={classes.pieces}>
            {values.map((value, n) => (
              <div key={value} className={classes.piece}>
                <label htmlFor={`piece-${value}`}>{money(value)} ×</label>
                <TextInput
                  id={`piece-${value}`}
                  inputMode="numeric"
                  autoComplete="off"
                  value={form.values.pieces[value] ?? ''}
                  onChange={({ currentTarget: { value: text } }) =>
                    form.change('pieces', (pieces) => ({ ...pieces, [value]: text.replace(/\D/g, '') }))
                  }
                  {...(n === 0 ? { 'data-autofocus': true } : {})}
                />
              </div>
            ))}
          </div>
        ) : (
          <MoneyField field={form.field('sumMinor', t('fields.counted'))} currency={currency} data-autofocus />
        )}
        {values.length > 0 && (
          <div className={classes.buttons}>
            <Button size="sm" variant="subtle" onClick={() => setByPiece(!byPiece)}>
              {t(byPiece ? 'cashPage.asSum' : 'cashPage.byPiece')}
            </Button>
          </div>
        )}
        <dl className={classes.lines}>
          <div>
            <dt>{t('cashDoc.expected')}</dt>
            <dd>{money(drawer.expectedMinor)}</dd>
          </div>
          <div>
            <dt>{t('cashDoc.counted')}</dt>
            <dd>{money(countedMinor)}</dd>
          </div>
          <div className={classes.total}>
            <dt>{t('cashDoc.difference')}</dt>
            <dd className={classes.difference} data-differs={difference !== 0}>
              {money(difference)}
            </dd>
          </div>
        </dl>
        {difference !== 0 && <TextField field={{ ...form.field('reason', t('cashDoc.reason')), required: true }} />}
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('cashPage.closeAct')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
