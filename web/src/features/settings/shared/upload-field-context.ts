import { type ComponentType, createContext } from 'react'
import type { FieldBinding } from '../../../components/form/contract-form.ts'

export type UploadFieldProps = {
  /** The id of the upload. */
  field: FieldBinding<string | null>
  label: string
  help: string | undefined
}

/**
 * The field for a setting that is an uploaded picture. The page provides it, because uploads are a higher domain than
 * settings.
 */
export const UploadFieldContext = createContext<ComponentType<UploadFieldProps>>(() => null)
