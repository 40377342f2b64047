import type { ContractForm, FieldBinding } from '../../components/form/contract-form.ts'
import type { SectionValues } from './form-values.ts'

/**
 * Binds a field of a section by its path. Paths come from the table of the sections, so the kind of the setting
 * determines the type, and not the compiler.
 */
export function bindField<V>(form: ContractForm<SectionValues>, path: string, label?: string): FieldBinding<V> {
  return form.fieldAt(path, label)
}

export function setValue(form: ContractForm<SectionValues>, path: string, value: unknown): void {
  form.setAt(path, value)
}
