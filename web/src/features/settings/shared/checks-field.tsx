import { Checkbox } from '@mantine/core'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { ErrorText, Note } from '../../../components/layout/text.tsx'

type Props = {
  field: FieldBinding<readonly string[]>
  choices: readonly { value: string; label: string }[]
  help?: string | undefined
}

/** Check boxes for selecting several of a few values. */
export function ChecksField({ field, choices, help }: Props) {
  const toggle = (value: string, on: boolean) =>
    // Kept in the order of the choices, so that the same selection is stored as the same setting.
    field.onChange(
      choices.map((choice) => choice.value).filter((one) => (one === value ? on : field.value.includes(one))),
    )
  return (
    <Fieldset data-wide legend={field.label}>
      {help && <Note>{help}</Note>}
      <Grid fill gap="8px 16px">
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
      </Grid>
      {field.error && <ErrorText>{field.error}</ErrorText>}
    </Fieldset>
  )
}
