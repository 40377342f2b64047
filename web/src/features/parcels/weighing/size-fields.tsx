import { LengthField } from '../../../components/fields/measure-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { hasSize, type SizeValues } from './weighing-figures.ts'

/** The three lengths of a parcel: all or none. */
export function SizeFields({ form }: { form: Pick<ContractForm<{ dimensions: SizeValues }>, 'values' | 'fieldAt'> }) {
  const required = hasSize(form.values.dimensions)
  return (
    <Grid min={80} gap={12}>
      {(['lengthMm', 'widthMm', 'heightMm'] as const).map((side) => (
        <LengthField key={side} field={{ ...form.fieldAt<number | null>(`dimensions.${side}`), required }} />
      ))}
    </Grid>
  )
}
