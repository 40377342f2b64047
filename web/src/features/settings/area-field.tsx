import { Textarea } from '@mantine/core'
import type { FieldBinding } from '../../components/form/contract-form.ts'
import { fieldProps } from '../../components/form/field-props.ts'

/** Several lines of text. */
export function AreaField({
  field,
  help,
  rows = 4,
}: {
  field: FieldBinding<string>
  help?: string | undefined
  rows?: number
}) {
  return (
    <Textarea
      {...fieldProps(field)}
      value={field.value}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      description={help}
      rows={rows}
    />
  )
}
