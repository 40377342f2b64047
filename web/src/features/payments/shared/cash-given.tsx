import { Button } from '@mantine/core'
import { inCoins } from '@waybill/contract/payments/coins'
import * as z from 'zod/mini'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { Figure, Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** The rule of the amount given: at least this amount, in coins. */
export const cashGivenSchema = (cashMinor: number, currency: string) =>
  z.object({ givenMinor: z.number().check(z.int(), z.minimum(cashMinor), inCoins(currency)) })

type Props = {
  field: FieldBinding<number | null>
  /** The amount to pay, rounded to the nearest coin. */
  cashMinor: number
  currency: string
  autoFocus?: boolean
}

/** The cash that a customer gives: typed, or one of the usual amounts, with the change. */
export function CashGiven({ field, cashMinor, currency, autoFocus = false }: Props) {
  const t = useT()
  const format = useFormat()
  const money = (minor: number) => format.money(minor, currency)
  const cashGiven = field.value
  const change = cashGiven === null || Number.isNaN(cashGiven) ? null : cashGiven - cashMinor
  return (
    <>
      <MoneyField field={field} currency={currency} size="lg" autoFocus={autoFocus} />
      <Buttons>
        <Button size="sm" onClick={() => field.onChange(cashMinor)}>
          {t('cashPage.exact')}
        </Button>
        {notesAbove(cashMinor).map((note) => (
          <Button key={note} size="sm" onClick={() => field.onChange(note)}>
            {money(note)}
          </Button>
        ))}
      </Buttons>
      <Notice as="div" aria-live="polite">
        <strong>{t('cashPage.change')}</strong>
        <Figure as="span">{change === null || change < 0 ? '–' : money(change)}</Figure>
      </Notice>
    </>
  )
}

/** Amounts that people usually pay with: rounded up to the next note of 5, 10, 50 and 100. */
function notesAbove(minor: number): number[] {
  const notes = [500, 1000, 5000, 10_000].map((note) => Math.ceil(minor / note) * note)
  return [...new Set(notes)].filter((note) => note !== minor).slice(0, 4)
}
