import { TextInput, type TextInputProps } from '@mantine/core'
import type { CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { useEffect, useRef, useState } from 'react'
import { useDeployment } from '../../lib/deployment.ts'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'

type Props<V> = {
  field: FieldBinding<V>
  help?: string
  /** Whose numbers stand without a country code; by default the deployment's. */
  country?: string | undefined
} & Omit<TextInputProps, Bound | 'description' | 'type'>
type Parse = typeof parsePhoneNumberFromString

/**
 * A phone number as people write it, `012-345 6789`; the value is E.164 as soon as it is one. Numbers without a country
 * code are the deployment's.
 */
export function PhoneField<V extends string | null>({ field, help, country: given, ...rest }: Props<V>) {
  const own = useDeployment()?.countryCode ?? 'my'
  const country = (given || own).toUpperCase() as CountryCode
  const [parse, setParse] = useState<Parse | null>(null)
  const [text, setText] = useState<string>(field.value ?? '')
  /** Between the first letter and leaving the field: what stands there is left as it was typed. */
  const typing = useRef(false)

  // The numbering plans are only fetched where somebody writes a number.
  useEffect(() => {
    void import('libphonenumber-js/min').then((library) => setParse(() => library.parsePhoneNumberFromString))
  }, [])

  const read = (typed: string): V => {
    const number = parse?.(typed, country)
    return (number?.isPossible() ? number.number : typed.replace(/[^\d+]/g, '')) as V
  }
  const shown = (value: V | undefined) => (value && parse?.(value)?.formatInternational()) || (value ?? '')

  // A value from elsewhere (a draft, an address that was chosen) is written out; one typed before the plans had come is
  // read again, also where the field was left meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new value, another country or the arrival of the plans is a reason
  useEffect(() => {
    const typed = typing.current ? text : (field.value ?? '')
    if (parse && typed !== '' && read(typed) !== field.value) field.onChange(read(typed))
    else if (!typing.current) setText(shown(field.value))
  }, [field.value, parse, country])

  return (
    <TextInput
      {...fieldProps(field)}
      type="tel"
      autoComplete="tel"
      value={text}
      onChange={(event) => {
        typing.current = true
        setText(event.currentTarget.value)
        field.onChange(read(event.currentTarget.value))
      }}
      onBlur={() => {
        typing.current = false
        setText(shown(field.value))
        field.onBlur()
      }}
      description={help}
      {...rest}
    />
  )
}
