import type { TextInputProps } from '@mantine/core'
import type { FieldBinding } from '../form/contract-form.ts'
import type { Bound } from '../form/field-props.ts'
import { TextField } from './text-field.tsx'

type Props<V> = { field: FieldBinding<V>; help?: string; min?: string; max?: string } & Omit<
  TextInputProps,
  Bound | 'description' | 'type'
>

/** A calendar day, `YYYY-MM-DD`, with the browser's date picker, which screen readers support best. */
export function DateField<V extends string | null | undefined>(props: Props<V>) {
  return <TextField type="date" {...props} />
}

/** A time of day, `HH:mm`, with the browser's own input, like `DateField`. */
export function TimeField<V extends string | null | undefined>(props: Props<V>) {
  return <TextField type="time" {...props} />
}
