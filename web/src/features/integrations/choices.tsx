import { CheckboxField } from '../../components/fields/checkbox-field.tsx'
import { ErrorText } from '../../components/layout/text.tsx'
import classes from './integrations.module.css'

type Props<V extends string> = {
  legend: string
  choices: readonly { value: V; label: string; help?: string }[]
  chosen: readonly V[]
  choose: (values: V[]) => void
  error: string | undefined
}

/** Check boxes for any number of values. */
export function Choices<V extends string>({ legend, choices, chosen: values, choose, error }: Props<V>) {
  return (
    <fieldset className={classes.scopes}>
      <legend>{legend}</legend>
      {choices.map(({ value, label, help }) => (
        <CheckboxField
          key={value}
          field={{
            id: `choice-${value}`,
            path: value,
            value: values.includes(value),
            onChange: (on) => choose(on ? [...values, value] : values.filter((each) => each !== value)),
            onBlur: () => undefined,
            error: undefined,
            required: false,
            label,
          }}
          {...(help === undefined ? {} : { help })}
        />
      ))}
      {error && <ErrorText>{error}</ErrorText>}
    </fieldset>
  )
}
