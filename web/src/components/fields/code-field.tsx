// Imported here, because the sign-in page loads this field later, with the second factor.
import '@mantine/core/styles/PinInput.css'
import { Input, PinInput } from '@mantine/core'
import { useT } from '../../lib/i18n.ts'
import type { FieldBinding } from '../form/contract-form.ts'

type Props = {
  field: FieldBinding<string>
  help?: string
  /** Dots instead of digits: for a PIN. */
  mask?: boolean
  autoFocus?: boolean
  /** Called when all six boxes are filled. */
  onComplete?: (code: string) => void
}

/** Six boxes for a code or PIN. Accepts a pasted code and one that the phone offers. */
export function CodeField({ field, help, mask, autoFocus, onComplete }: Props) {
  const t = useT()
  return (
    <Input.Wrapper
      id={field.id}
      label={field.label}
      labelElement="div"
      required={field.required}
      error={field.error}
      description={help}
    >
      <PinInput
        length={6}
        // It also opens the numeric keyboard. With `inputMode` alone Mantine would swallow Enter and Escape.
        type="number"
        oneTimeCode={!mask}
        mask={mask ?? false}
        placeholder=""
        size="lg"
        name={field.path}
        value={field.value}
        error={field.error !== undefined}
        autoFocus={autoFocus ?? false}
        onChange={field.onChange}
        onComplete={onComplete}
        getInputProps={(index) => ({
          // A further digit would replace the last one. Not in the other boxes: a phone fills in its code in the first.
          maxLength: index === 5 && field.value.length === 6 ? 1 : undefined,
          'aria-label': t('format.digitOf', { label: field.label, position: index + 1, count: 6 }),
          // A dialog focuses this box first, not its close button.
          'data-autofocus': (autoFocus && index === 0) || undefined,
          onBlur: () => field.value.length > 0 && field.onBlur(),
        })}
      />
    </Input.Wrapper>
  )
}
