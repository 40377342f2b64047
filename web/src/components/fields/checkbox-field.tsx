import { Checkbox, type CheckboxProps } from '@mantine/core'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'

type Props = { field: FieldBinding<boolean>; help?: string } & Omit<CheckboxProps, Bound | 'description'>

export function CheckboxField({ field, help, ...rest }: Props) {
  return (
    <Checkbox
      {...fieldProps(field)}
      aria-invalid={field.error !== undefined}
      checked={field.value}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
      description={help}
      {...rest}
    />
  )
}
