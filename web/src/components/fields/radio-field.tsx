import { Group, Radio, type RadioGroupProps } from '@mantine/core'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'
import type { Choice } from './select-field.tsx'

type Props<V extends string | null> = {
  field: FieldBinding<V>
  choices: readonly Choice<NonNullable<V>>[]
  help?: string
} & Omit<RadioGroupProps, Bound | 'description' | 'children'>

/** A group of radio buttons. */
export function RadioField<V extends string | null>({ field, choices, help, ...rest }: Props<V>) {
  const { onBlur, ...props } = fieldProps(field)
  return (
    <Radio.Group
      {...props}
      value={field.value}
      onChange={(value) => field.onChange(value as V)}
      description={help}
      {...rest}
    >
      <Group gap="md" mt={4}>
        {choices.map(({ value, label, disabled }) => (
          <Radio
            key={value}
            value={value}
            label={label}
            disabled={disabled}
            aria-invalid={Boolean(field.error)}
            onBlur={onBlur}
          />
        ))}
      </Group>
    </Radio.Group>
  )
}
