import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useT } from '../../lib/i18n.ts'
import type { FieldBinding } from '../form/contract-form.ts'
import { type Bound, fieldProps } from '../form/field-props.ts'

type Props = { field: FieldBinding<string>; help?: string } & Omit<PasswordInputProps, Bound | 'description'>

export function PasswordField({ field, help, ...rest }: Props) {
  const t = useT()
  return (
    <PasswordInput
      {...fieldProps(field)}
      aria-invalid={field.error !== undefined}
      value={field.value}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      description={help}
      visibilityToggleButtonProps={{ 'aria-label': t('actions.showPassword'), tabIndex: 0 }}
      {...rest}
    />
  )
}
