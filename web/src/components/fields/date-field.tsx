import type { TextInputProps } from '@mantine/core'
import type { FieldBinding } from '../form/contract-form.ts'
import type { Bound } from '../form/field-props.ts'
import { TextField } from './text-field.tsx'

type Props<V> = { field: FieldBinding<V>; help?: string; min?: string; max?: string } & Omit<
  TextInputProps,
  Bound | 'description' | 'type'
>

/** A calendar day, `YYYY-MM-DD`, by the browser's own picker: known to every hand and screen reader. */
export function DateField<V extends string | null | undefined>(props: Props<V>) {
  return <TextField type="date" {...props} />
}
