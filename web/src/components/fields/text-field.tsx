import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'

type Props<V> = { field: FieldBinding<V>; help?: ReactNode } & Omit<TextInputProps, Bound | 'description'>

/** One line of text. An empty field is null. */
export function TextField<V extends string | null | undefined>({ field, help, ...rest }: Props<V>) {
  return (
    <TextInput
      {...fieldProps(field)}
      value={field.value ?? ''}
      onChange={(event) => field.onChange(event.currentTarget.value as V)}
      description={help}
      {...rest}
    />
  )
}
