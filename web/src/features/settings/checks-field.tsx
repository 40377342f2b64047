import { Checkbox } from '@mantine/core'
import type { FieldBinding } from '../../components/form/contract-form.ts'
import classes from './settings.module.css'

type Props = {
  field: FieldBinding<readonly string[]>
  choices: readonly { value: string; label: string }[]
  help?: string | undefined
}

/** Some of a few. */
export function ChecksField({ field, choices, help }: Props) {
  const toggle = (value: string, on: boolean) =>
    // In the order of the choices, so that the same choice is the same setting.
    field.onChange(
      choices.map((choice) => choice.value).filter((one) => (one === value ? on : field.value.includes(one))),
    )
  return (
    <fieldset className={classes.rows} data-wide>
      <legend>{field.label}</legend>
      {help && <p className={classes.hint}>{help}</p>}
      <div className={classes.checks}>
        {choices.map(({ value, label }) => (
          <Checkbox
            key={value}
            name={field.path}
            label={label}
            checked={field.value.includes(value)}
            aria-invalid={field.error !== undefined}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
        ))}
      </div>
      {field.error && <p className={classes.error}>{field.error}</p>}
    </fieldset>
  )
}
