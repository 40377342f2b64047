import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { scaleNumber } from '../../lib/input/input-format.ts'
import type { FieldBinding } from '../form/contract-form.ts'
import { fieldProps } from '../form/field-props.ts'

type Props = {
  field: FieldBinding<number | null>
  help?: string
  /** Entered in percent, stored in basis points. */
  percent?: boolean
}

/**
 * A whole number without a unit, or a percentage with two decimals. Empty is null; unreadable text is NaN, which no
 * schema accepts.
 */
export function PlainNumberField({ field, help, percent = false }: Props) {
  const decimals = percent ? 2 : 0
  const [text, setText] = useState(field.value === null ? '' : String(field.value / 10 ** decimals))
  return (
    <TextInput
      {...fieldProps(field)}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        const input = event.currentTarget.value
        setText(input)
        field.onChange(input.trim() === '' ? null : scaleNumber(input, decimals))
      }}
      description={help}
      rightSection={percent ? '%' : undefined}
      rightSectionPointerEvents="none"
    />
  )
}
