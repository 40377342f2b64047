import { Group, Radio, type RadioGroupProps } from '@mantine/core'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'
import { Grid } from '../layout/boxes.tsx'
import type { Choice } from './select-field.tsx'

type Props<V extends string | null> = {
  field: FieldBinding<V>
  choices: readonly Choice<NonNullable<V>>[]
  help?: string
  /** The least width of a choice: the choices are in columns, or below each other on a phone. */
  min?: number
} & Omit<RadioGroupProps, Bound | 'description' | 'children'>

/** A group of radio buttons. */
export function RadioField<V extends string | null>({ field, choices, help, min, ...rest }: Props<V>) {
  const { onBlur, ...props } = fieldProps(field)
  const radios = choices.map(({ value, label, disabled }) => (
    <Radio
      key={value}
      value={value}
      label={label}
      disabled={disabled}
      aria-invalid={Boolean(field.error)}
      onBlur={onBlur}
    />
  ))
  return (
    <Radio.Group
      {...props}
      value={field.value}
      onChange={(value) => field.onChange(value as V)}
      description={help}
      {...rest}
    >
      {min ? (
        <Grid min={min} gap="12px 24px" fill style={{ marginBlock: '4px 8px' }}>
          {radios}
        </Grid>
      ) : (
        <Group gap="md" mt={4}>
          {radios}
        </Group>
      )}
    </Radio.Group>
  )
}
