import { TextInput } from '@mantine/core'
import { type CashPiece, cashPieces, isBelowCoin } from '@waybill/contract/payments/coins'
import { type ReactNode, useState } from 'react'
import { TextButton } from '../../../components/buttons/link.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { ContractForm, FieldBinding } from '../../../components/form/contract-form.ts'
import { Grid, Row } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { ErrorText } from '../../../components/layout/text.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** The values of a cash count: the number of each note and coin, or one sum. */
type CountValues = { pieces: Record<string, string>; sumMinor: number | null; byPiece: boolean }

/** The values of a form with a count. A difference from the expected amount needs a reason. */
type CountFormValues = { counted: CountValues; reason: string | null }

export const emptyCountForm = (currency: string): CountFormValues => ({
  counted: { pieces: {}, sumMinor: null, byPiece: cashPieces(currency).length > 0 },
  reason: null,
})

const parseCount = (text: string | undefined) => (/^\d{1,5}$/.test(text?.trim() ?? '') ? Number(text) : 0)

/** The count as the server expects it. An empty form is not a count of zero: its sum is missing. */
export function toCount(values: CountValues, currency: string): { pieces: CashPiece[] } | { sumMinor: number | null } {
  const { pieces, sumMinor, byPiece } = values
  if (!byPiece || !isBegun(values)) return { sumMinor: byPiece ? null : sumMinor }
  return { pieces: cashPieces(currency).map((valueMinor) => ({ valueMinor, count: parseCount(pieces[valueMinor]) })) }
}

/** The total of a count as it was sent. */
export const sumSentCount = (count: { pieces: CashPiece[] } | { sumMinor: number }): number =>
  'pieces' in count ? count.pieces.reduce((sum, { valueMinor, count }) => sum + valueMinor * count, 0) : count.sumMinor

/** The running total of the count. */
function sumCount(values: CountValues, currency: string): number {
  if (!values.byPiece) return values.sumMinor ?? 0
  return cashPieces(currency).reduce((sum, value) => sum + value * parseCount(values.pieces[value]), 0)
}

/** Whether anything has been entered. */
const isBegun = ({ pieces, sumMinor, byPiece }: CountValues) =>
  byPiece ? Object.values(pieces).some((text) => text !== '') : sumMinor !== null

/** Whether the reason of a difference has to be entered. */
const isDifferent = (values: CountValues, expectedMinor: number, currency: string) =>
  isBegun(values) && !isBelowCoin(sumCount(values, currency) - expectedMinor, currency)

type Props = {
  form: ContractForm<CountFormValues>
  /** Null in a blind count. */
  expectedMinor: number | null
  /** In a blind count: the server has answered that the count differs. */
  differs?: boolean
  currency: string
}

/** The fields of a dialog that counts cash: the count, how much it differs, and the reason if it does. */
export function CountForm({ form, expectedMinor, differs = false, currency }: Props) {
  const t = useT()
  const count = form.values.counted
  const needsReason = expectedMinor === null ? differs : isDifferent(count, expectedMinor, currency)
  return (
    <>
      <CountFields
        values={count}
        onChange={(values) => form.set('counted', values)}
        sumField={form.field('counted.sumMinor', t('fields.counted'))}
        currency={currency}
      />
      <CountDifference expectedMinor={expectedMinor} values={count} currency={currency} />
      {needsReason && <TextField field={{ ...form.field('reason', t('cashDoc.reason')), required: true }} />}
    </>
  )
}

type FieldsProps = {
  values: CountValues
  onChange: (values: CountValues) => void
  sumField: FieldBinding<number | null>
  currency: string
}

/** Cash is counted by notes and coins, or typed as one sum. */
function CountFields({ values, onChange, sumField, currency }: FieldsProps) {
  const t = useT()
  const format = useFormat()
  const denominations = cashPieces(currency)
  const { byPiece, pieces } = values
  return (
    <>
      {byPiece ? (
        <>
          <Grid min={138} gap="8px 16px">
            {denominations.map((value, n) => (
              <Row key={value} justify="end" gap={6} style={{ flexWrap: 'nowrap', fontSize: 14, whiteSpace: 'nowrap' }}>
                <label htmlFor={`piece-${value}`}>{format.money(value, currency)} ×</label>
                <TextInput
                  id={`piece-${value}`}
                  w={56}
                  inputMode="numeric"
                  autoComplete="off"
                  maxLength={5}
                  value={pieces[value] ?? ''}
                  onChange={({ currentTarget: { value: text } }) =>
                    onChange({ ...values, pieces: { ...pieces, [value]: text.replace(/\D/g, '') } })
                  }
                  // An empty count is reported at its first field, in words below all of them.
                  {...(n === 0 && {
                    name: sumField.path,
                    error: sumField.error,
                    errorProps: { display: 'none' },
                    'data-autofocus': true,
                  })}
                />
              </Row>
            ))}
          </Grid>
          {sumField.error && <ErrorText aria-hidden>{sumField.error}</ErrorText>}
        </>
      ) : (
        <MoneyField field={{ ...sumField, required: true }} currency={currency} data-autofocus />
      )}
      {denominations.length > 0 && (
        <TextButton fz={14} onClick={() => onChange({ ...values, byPiece: !byPiece })}>
          {t(byPiece ? 'cashPage.asSum' : 'cashPage.byPiece')}
        </TextButton>
      )}
    </>
  )
}

type CashState = {
  /** Changes whenever cash is moved. */
  state: number
  expectedMinor: number | null
  currency: string
}

/**
 * The state of the cash that a count belongs to: that when its dialog was opened, however often the screen reloads.
 * If cash was moved meanwhile, in another tab or by a colleague, the server refuses the count. It stays, now belongs to
 * the newest state, and the dialog says so (`conflict`). `onError` is for the form.
 */
export function useCountConflict({ state, expectedMinor, currency }: CashState) {
  const t = useT()
  const format = useFormat()
  const [countedState, setCountedState] = useState(state)
  /** The state of the last count that the server refused. */
  const [refusedState, setRefusedState] = useState<number | null>(null)
  if (countedState === refusedState && state !== countedState) setCountedState(state)
  // `countedState` is that of the press: a second press may have been sent before the newest state was loaded.
  function onError(error: unknown): boolean {
    const isConflict = error instanceof ApiError && conflicts.includes(error.code)
    if (isConflict) setRefusedState(countedState)
    return isConflict
  }
  const conflict =
    refusedState !== null &&
    refusedState !== countedState &&
    (expectedMinor === null
      ? t('cashPage.countMovedBlind')
      : t('cashPage.countMoved', { amount: format.money(expectedMinor, currency) }))
  return { countedState, conflict, onError }
}

const conflicts = ['version_conflict', 'hand_in_changed']

type DifferenceProps = { expectedMinor: number | null; values: CountValues; currency: string }

/** The counted amount and, unless the count is blind, the expected one and the difference. */
function CountDifference({ expectedMinor, values, currency }: DifferenceProps) {
  const t = useT()
  const format = useFormat()
  const money = (minor: number) => format.money(minor, currency)
  const countedMinor = sumCount(values, currency)
  if (expectedMinor === null) {
    return (
      <Facts>
        <Fact total label={t('cashDoc.counted')}>
          {isBegun(values) ? money(countedMinor) : '–'}
        </Fact>
      </Facts>
    )
  }
  const difference = countedMinor - expectedMinor
  return (
    <Facts>
      <Fact label={t('cashDoc.expected')}>{money(expectedMinor)}</Fact>
      <Fact label={t('cashDoc.counted')}>{isBegun(values) ? money(countedMinor) : '–'}</Fact>
      <Fact total label={t('cashDoc.difference')}>
        {isBegun(values) ? (
          <Difference differs={!isBelowCoin(difference, currency)}>{money(difference)}</Difference>
        ) : (
          '–'
        )}
      </Fact>
    </Facts>
  )
}

type DifferenceOfProps = { differs: boolean; children: ReactNode }

/** The counted amount minus the expected one; red unless it is zero. */
export function Difference({ differs, children }: DifferenceOfProps) {
  return differs ? <ErrorText as="strong">{children}</ErrorText> : <span>{children}</span>
}
