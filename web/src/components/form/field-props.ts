import type { FieldBinding } from './contract-form.ts'

/** What every input of the kit takes from a binding. */
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

/** Props that the binding gives and a caller doesn't. */
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
