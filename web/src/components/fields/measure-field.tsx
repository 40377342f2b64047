import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { fieldMessage } from '@waybill/contract/ground/validation'
import { useEffect, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'

type Props = { field: FieldBinding<number | null>; help?: string } & Omit<TextInputProps, Bound | 'description'>
type Reading = {
  unit: string
  parse: (text: string) => number | null
  /** The text in the field. */
  format: (value: number) => string
  /** The value with its unit, for use in a sentence. */
  say: (value: number) => string
}

/** An amount of money in minor units. Takes `12`, `12.5`, `RM 1,250.50`. `currency`: the settings' unless given. */
export function MoneyField({ currency, ...props }: Props & { currency?: string }) {
  const format = useFormat()
  return (
    <MeasureField
      {...props}
      reading={{
        unit: format.currencySymbol(currency),
        parse: (text) => format.readMoney(text, currency),
        format: (minor) => format.moneyInput(minor, currency),
        say: (minor) => format.money(minor, currency),
      }}
    />
  )
}

/** A weight in grams. Takes `1.2`, `1.2kg`, `500 g`, `2 lb`. */
export function WeightField(props: Props) {
  const format = useFormat()
  return (
    <MeasureField
      {...props}
      reading={{ unit: format.weightUnit, parse: format.readWeight, format: format.weightInput, say: format.weight }}
    />
  )
}

/** A length in millimetres. Takes `30`, `30cm`, `300 mm`, `12"`. Three of them share a row. */
export function LengthField(props: Props) {
  const format = useFormat()
  return (
    <MeasureField
      {...props}
      reading={{ unit: format.dimensionUnit, parse: format.readLength, format: format.lengthInput, say: format.length }}
    />
  )
}

/**
 * Keeps the text while the user types and formats the number on blur. Unreadable text becomes NaN, which no schema
 * accepts.
 */
function MeasureField({ field, help, reading, ...rest }: Props & { reading: Reading }) {
  const [text, setText] = useState(() => valueText(field.value, reading))
  const t = useT()
  const { parse, format } = reading
  // Shows a value from elsewhere (a preset, a reset, a draft), but leaves the user's own text as typed.
  useEffect(() => {
    setText((present) => (Object.is(parse(present), field.value) ? present : valueText(field.value, { format })))
  }, [field.value, parse, format])

  return (
    <TextInput
      {...fieldProps(field)}
      error={
        field.limit
          ? fieldMessage(field.limit.rule, field.path, t, { [field.limit.rule]: reading.say(field.limit.value) })
          : field.error
      }
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        field.onChange(parse(event.currentTarget.value))
      }}
      onBlur={() => {
        if (field.value !== null && Number.isInteger(field.value)) setText(format(field.value))
        field.onBlur()
      }}
      description={help}
      rightSection={
        <Text size="sm" c="dimmed" aria-hidden>
          {reading.unit}
        </Text>
      }
      rightSectionWidth={48}
      rightSectionPointerEvents="none"
      {...rest}
    />
  )
}

function valueText(value: number | null | undefined, { format }: Pick<Reading, 'format'>): string {
  return value === null || value === undefined || Number.isNaN(value) ? '' : format(value)
}
