import { useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import type { UploadFieldProps } from '../../settings/shared/upload-field-context.ts'
import { type Photo, PhotoField } from './photo-field.tsx'

/** The logo: an uploaded picture, whose id is the value of the setting. */
export function LogoField({ field, label, help }: UploadFieldProps) {
  const t = useT()
  const address = useDeployment()?.companyLogo
  const [upload, setUpload] = useState<Photo | null>(null)
  const id = field.value || null
  const photo: Photo | null =
    id === null ? null : upload?.id === id ? upload : { id, link: address ?? '', name: t('fields.logo') }
  const photos = photo ? [photo] : []
  return (
    <PhotoField
      label={label}
      purpose="logo"
      most={1}
      value={photos}
      error={field.error}
      onChange={(change) => {
        const [next = null] = change(photos)
        setUpload(next)
        field.onChange(next?.id ?? null)
      }}
      {...(help ? { help } : {})}
    />
  )
}
