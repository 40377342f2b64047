import { TextInput, type TextInputProps } from '@mantine/core'
import type { CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useDeployment } from '../../lib/settings/deployment.ts'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'

type Props<V> = {
  field: FieldBinding<V>
  help?: ReactNode
  /** The country of numbers without a country code; the deployment's by default. */
  country?: string | undefined
} & Omit<TextInputProps, Bound | 'description' | 'type'>
type Parse = typeof parsePhoneNumberFromString

/**
 * A phone number as people write it, `012-345 6789`. The value is E.164 once the number is valid.
 */
export function PhoneField<V extends string | null>({ field, help, country: countryCode, ...rest }: Props<V>) {
  const own = useDeployment()?.countryCode ?? 'my'
  const country = (countryCode || own).toUpperCase() as CountryCode
  const [parse, setParse] = useState<Parse | null>(null)
  const [text, setText] = useState<string>(field.value ?? '')
  /** While the user is in the field, the text is not reformatted: that would move the cursor and lose the selection. */
  const typing = useRef(false)

  // The numbering plans are loaded only when a phone field is rendered.
  useEffect(() => {
    void import('libphonenumber-js/min').then((library) => setParse(() => library.parsePhoneNumberFromString))
  }, [])

  const parseNumber = (input: string): V => {
    const number = parse?.(input, country)
    return (number?.isPossible() ? number.number : input.replace(/[^\d+]/g, '')) as V
  }
  const displayNumber = (value: V | undefined) => (value && parse?.(value)?.formatInternational()) || (value ?? '')

  // Formats a value from elsewhere (a draft, a selected address). Parses again what was typed before the plans loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for a new value, country or plan only
  useEffect(() => {
    const input = typing.current ? text : (field.value ?? '')
    if (parse && input !== '' && parseNumber(input) !== field.value) field.onChange(parseNumber(input))
    else if (!typing.current) setText(displayNumber(field.value))
  }, [field.value, parse, country])

  return (
    <TextInput
      {...fieldProps(field)}
      type="tel"
      autoComplete="tel"
      value={text}
      onFocus={() => {
        typing.current = true
      }}
      onChange={(event) => {
        typing.current = true
        setText(event.currentTarget.value)
        field.onChange(parseNumber(event.currentTarget.value))
      }}
      onBlur={() => {
        typing.current = false
        setText(displayNumber(field.value))
        field.onBlur()
      }}
      description={help}
      {...rest}
    />
  )
}
