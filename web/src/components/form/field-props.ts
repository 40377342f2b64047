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
