import type { useT } from '../../lib/i18n.ts'
import type { FieldBinding } from './contract-form.ts'

/** The props of a Mantine input, derived from a binding. */
export function fieldProps<V>(field: FieldBinding<V>) {
  return {
    id: field.id,
    name: field.path,
    label: field.label,
    error: field.error,
    required: field.required,
    onBlur: field.onBlur,
  }
}

/** Props that the binding sets, so that a caller cannot. */
export type Bound =
  | 'id'
  | 'name'
  | 'value'
  | 'defaultValue'
  | 'checked'
  | 'onChange'
  | 'onBlur'
  | 'error'
  | 'required'
  | 'form'
  | 'ref'

/** For fields in a narrow row: the error of an empty one does not repeat the label, so that it does not wrap. */
export const shortenError = <T>(field: FieldBinding<T>, t: ReturnType<typeof useT>): FieldBinding<T> =>
  field.error && (field.value ?? '') === '' ? { ...field, error: t('validation.requiredShort') } : field
