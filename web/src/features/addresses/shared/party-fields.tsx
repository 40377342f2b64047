import { Button } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react'
import type { ParsedField } from '@waybill/contract/addresses/addresses'
import { cityStateName, digitsOnly, hasPostcode, hasState } from '@waybill/contract/ground/address-forms'
import { lazy, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { LazyPart } from '../../../components/feedback/lazy-part.tsx'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { PhoneField } from '../../../components/fields/phone-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useT } from '../../../lib/i18n.ts'
import classes from './address.module.css'
import type { PartyFieldOf } from './party-values.ts'
import { useContradictions, usePostcode } from './use-postcode.ts'

type Props = {
  field: PartyFieldOf
  /** For the browser's autofill: the user's own address, or another person's. */
  own?: boolean
  /** The countries to choose from. Without it the address is in the deployment's country. */
  countries?: 'all' | 'abroad' | undefined
  /** The field with the initial focus: the name, or the street if the name is known. */
  autoFocus?: boolean | 'line1'
  /** Fields whose values were guessed from a pasted text. */
  doubtful?: readonly ParsedField[]
  /** Whether the rarely used fields, among them the email, are shown from the start. */
  showsMore?: boolean
}

/** Contact and address fields. The postcode fills in city and state; rarely used fields are behind one button. */
export function PartyFields({
  field,
  own = false,
  countries,
  autoFocus = false,
  doubtful = [],
  showsMore = false,
}: Props) {
  const t = useT()
  const moreId = useId()
  const company = field('company')
  const email = field('email')
  const remarks = field('remarks')
  const inUse = [company, email, remarks].some(({ value, error }) => Boolean(value) || error !== undefined)
  const [open, setOpen] = useState(inUse || showsMore)
  const isOpen = open || inUse
  const fill = (name: string) => (own ? name : 'off')
  const mark = (name: ParsedField): Mark =>
    doubtful.includes(name) ? { 'data-doubtful': true, help: <FieldWarning>{t('paste.doubtful')}</FieldWarning> } : {}
  return (
    <div className={classes.fields}>
      {countries && (
        <LazyPart fallback={<div className={classes.whole} />}>
          <CountryField field={field('country')} abroad={countries === 'abroad'} className={classes.whole} />
        </LazyPart>
      )}
      <TextField
        field={field('contactName')}
        {...mark('contactName')}
        autoComplete={fill('name')}
        className={classes.half}
        autoFocus={autoFocus === true}
        data-autofocus={autoFocus === true || undefined}
      />
      <PhoneField
        field={field('phone')}
        {...mark('phone')}
        country={field('country').value}
        autoComplete={fill('tel')}
        className={classes.half}
      />
      <TextField
        field={field('line1')}
        autoFocus={autoFocus === 'line1'}
        data-autofocus={autoFocus === 'line1' || undefined}
        {...mark('line1')}
        autoComplete={fill('address-line1')}
        className={classes.whole}
      />
      <TextField
        field={field('line2')}
        {...mark('line2')}
        autoComplete={fill('address-line2')}
        className={classes.whole}
      />
      <Place field={field} fill={fill} mark={mark} />
      <div className={classes.whole}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-controls={moreId}
          rightSection={<IconChevronDown size={16} aria-hidden className={classes.chevron} data-open={isOpen} />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('addressBook.more')}
        </Button>
      </div>
      <div id={moreId} className={classes.more} hidden={!isOpen}>
        <TextField field={company} {...mark('company')} autoComplete={fill('organization')} className={classes.half} />
        <TextField
          field={email}
          {...mark('email')}
          type="email"
          autoComplete={fill('email')}
          className={classes.half}
        />
        <TextField
          field={remarks}
          autoComplete="off"
          className={classes.whole}
          help={t('addressBook.remarksHelp')}
          {...mark('remarks')}
        />
        <CheckboxField field={field('residential')} className={classes.whole} />
      </div>
    </div>
  )
}

/** Shown only if a country can be selected: most parcels are domestic. */
const CountryField = lazy(async () => ({ default: (await import('./country-field.tsx')).CountryField }))

/** What a field shows for a doubtful value. */
type Mark = { 'data-doubtful'?: true; help?: ReactNode }

/** Warns below a field that its value may be wrong. Nothing is refused. */
function FieldWarning({ children }: { children: ReactNode }) {
  return (
    <span className={classes.warning}>
      <IconAlertTriangle size={16} aria-hidden />
      {children}
    </span>
  )
}

type PlaceProps = { field: PartyFieldOf; fill: (name: string) => string; mark: (name: ParsedField) => Mark }

/** Postcode, city and state. The postcode fills in the other two once; later edits by the user stay. */
function Place({ field, fill, mark }: PlaceProps) {
  const t = useT()
  const postcode = field('postcode')
  const city = field('city')
  const state = field('state')
  const country = field('country').value
  const { place, error, searching } = usePostcode(postcode.value, country)
  const contradictions = useContradictions({ place, country, city: city.value, state: state.value })
  // A contradiction explains more than a doubt.
  const warn = (name: 'city' | 'state'): Mark => {
    const message = contradictions.get(name)
    return message ? { 'data-doubtful': true, help: <FieldWarning>{message}</FieldWarning> } : mark(name)
  }
  // In a city state the country's name is used as city and state.
  const cityState = cityStateName(country)
  const setCity = useEffectEvent(city.onChange)
  const setState = useEffectEvent(state.onChange)
  useEffect(() => {
    if (!cityState) return
    if (city.value === '') setCity(cityState)
    if (state.value === '') setState(cityState)
  }, [cityState, city.value, state.value])
  // A complete address is not filled in again.
  const filledFor = useRef(city.value && state.value ? postcode.value.trim() : '')
  const keepKnownCity = useEffectEvent((cities: readonly string[]) => {
    if (!cities.includes(city.value)) city.onChange(cities.length === 1 ? (cities[0] ?? '') : '')
  })
  useEffect(() => {
    if (!place || filledFor.current === place.postcode) return
    filledFor.current = place.postcode
    // For a country without known postcodes nothing is filled in, and typed values stay.
    if (place.state === '') return
    setState(place.state)
    keepKnownCity(place.cities)
  }, [place])
  const cities = place?.cities ?? []
  const choices = cities.includes(city.value) || city.value === '' ? cities : [city.value, ...cities]
  return (
    <>
      <TextField
        field={{ ...postcode, required: hasPostcode(country), ...(error ? { error } : {}) }}
        className={classes.third}
        inputMode={digitsOnly(country) ? 'numeric' : 'text'}
        autoComplete={fill('postal-code')}
        aria-busy={searching}
        {...mark('postcode')}
      />
      {cities.length > 1 ? (
        <SelectField
          field={city}
          className={classes.third}
          choices={choices.map((value) => ({ value, label: value }))}
          placeholder={t('addressBook.chooseCity')}
          {...warn('city')}
        />
      ) : (
        <TextField field={city} className={classes.third} autoComplete={fill('address-level2')} {...warn('city')} />
      )}
      <TextField
        field={{ ...state, required: hasState(country) }}
        className={classes.third}
        autoComplete={fill('address-level1')}
        {...warn('state')}
      />
    </>
  )
}
