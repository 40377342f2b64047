import { Button, TextInput } from '@mantine/core'
import { type CashPiece, cashPieces } from '@waybill/contract/payments/cash-desk'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { MoneyField } from '../../../components/form/measure-field.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from '../cash-desk/cash.module.css'

/** What is typed while cash is counted: pieces by their value, or one sum. */
export type CountValues = { pieces: Record<string, string>; sumMinor: number | null; byPiece: boolean }

export const emptyCount = (currency: string): CountValues => ({
  pieces: {},
  sumMinor: null,
  byPiece: cashPieces(currency).length > 0,
})

const numberOf = (text: string | undefined) => (/^\d{1,5}$/.test(text?.trim() ?? '') ? Number(text) : 0)

/** What was counted, as the server takes it. */
export function toCount(
  { pieces, sumMinor, byPiece }: CountValues,
  currency: string,
): { pieces: CashPiece[] } | { sumMinor: number | null } {
  if (!byPiece) return { sumMinor }
  return { pieces: cashPieces(currency).map((valueMinor) => ({ valueMinor, count: numberOf(pieces[valueMinor]) })) }
}

/** What the count comes to so far. */
export function sumCount(values: CountValues, currency: string): number {
  if (!values.byPiece) return values.sumMinor ?? 0
  return cashPieces(currency).reduce((sum, value) => sum + value * numberOf(values.pieces[value]), 0)
}

type Props = {
  values: CountValues
  onChange: (values: CountValues) => void
  sumField: FieldBinding<number | null>
  currency: string
}

/** Cash is counted by notes and coins, or typed as one sum. */
export function CountFields({ values, onChange, sumField, currency }: Props) {
  const t = useT()
  const format = useFormat()
  const known = cashPieces(currency)
  const { byPiece, pieces } = values
  return (
    <>
      {byPiece ? (
        <div className={classes.pieces}>
          {known.map((value, n) => (
            <div key={value} className={classes.piece}>
              <label htmlFor={`piece-${value}`}>{format.money(value, currency)} ×</label>
              <TextInput
                id={`piece-${value}`}
                inputMode="numeric"
                autoComplete="off"
                value={pieces[value] ?? ''}
                onChange={({ currentTarget: { value: text } }) =>
                  onChange({ ...values, pieces: { ...pieces, [value]: text.replace(/\D/g, '') } })
                }
                {...(n === 0 ? { 'data-autofocus': true } : {})}
              />
            </div>
          ))}
        </div>
      ) : (
        <MoneyField field={sumField} currency={currency} data-autofocus />
      )}
      {known.length > 0 && (
        <div className={classes.buttons}>
          <Button size="sm" variant="subtle" onClick={() => onChange({ ...values, byPiece: !byPiece })}>
            {t(byPiece ? 'cashPage.asSum' : 'cashPage.byPiece')}
          </Button>
        </div>
      )}
    </>
  )
}

type DifferenceProps = { expectedMinor: number; countedMinor: number; currency: string }

/** What should be there, what is, and what the two differ by. */
export function CountDifference({ expectedMinor, countedMinor, currency }: DifferenceProps) {
  const t = useT()
  const format = useFormat()
  const money = (minor: number) => format.money(minor, currency)
  const difference = countedMinor - expectedMinor
  return (
    <dl className={classes.lines}>
      <div>
        <dt>{t('cashDoc.expected')}</dt>
        <dd>{money(expectedMinor)}</dd>
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
  )
}
