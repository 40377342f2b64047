import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FieldBinding } from '../form/contract-form.ts'
import { fieldProps } from '../form/field-props.ts'

type Props = {
  field: FieldBinding<number | null>
  help?: string
  /** Entered in percent, stored in basis points. */
  percent?: boolean
}

/** A number without a unit, or a percentage. Empty is null; unreadable text is NaN, which no schema accepts. */
export function PlainNumberField({ field, help, percent = false }: Props) {
  const factor = percent ? 100 : 1
  const [text, setText] = useState(field.value === null ? '' : String(field.value / factor))
  return (
    <TextInput
      {...fieldProps(field)}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        const input = event.currentTarget.value
        setText(input)
        field.onChange(input.trim() === '' ? null : Math.round(Number(input.replace(',', '.')) * factor))
      }}
      description={help}
      rightSection={percent ? '%' : undefined}
      rightSectionPointerEvents="none"
    />
  )
}
