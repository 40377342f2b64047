import { Button } from '@mantine/core'
import { useId } from 'react'
import { WeightField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { FieldRow } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { type Estimate, estimateFields } from './estimate.ts'

type Values = { from: string; to: string; weightGrams: number | null }

type Props = {
  initial: Values
  /** The names of the suggested countries. */
  countries: readonly string[]
  /** Shows the prices. */
  onSubmit: (estimate: Estimate) => Promise<void> | void
}

/** A price estimate from three fields. */
export function EstimateForm({ initial, countries, onSubmit }: Props) {
  const t = useT()
  const listId = useId()
  const form = useContractForm({ schema: estimateFields, initial, onSubmit })
  const to = form.field('to', t('prices.to'))
  return (
    <FieldRow {...form.props} as="form">
      <TextField
        field={form.field('from', t('home.from'))}
        inputMode="numeric"
        autoComplete="off"
        withAsterisk={false}
      />
      <TextField field={to} list={listId} autoComplete="off" withAsterisk={false} />
      <WeightField field={form.field('weightGrams')} withAsterisk={false} />
      <datalist id={listId}>
        {countries.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button type="submit" variant="filled" loading={form.submitting}>
        {t('home.priceAction')}
      </Button>
    </FieldRow>
  )
}
