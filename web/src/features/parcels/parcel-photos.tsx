import { getAttachment } from '@waybill/contract/attachments/attachments'
import { useEffect, useRef } from 'react'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { PhotoField } from '../attachments/shared/photo-field.tsx'
import type { ParcelValues } from './new-parcel/parcel-values.ts'

/**
 * What was packed, as the sender shows it. Photos of a draft come with links that work now; one that is gone is left
 * out.
 */
export default function ParcelPhotos({ form }: { form: ContractForm<ParcelValues> }) {
  const t = useT()
  const { photos } = form.values
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, link } of photos) {
      if (link !== '' || asked.current.has(id)) continue
      asked.current.add(id)
      call(getAttachment, { params: { id } }).then(
        (found) =>
          form.change('photos', (present) =>
            present.map((photo) => (photo.id === id ? { ...photo, ...found } : photo)),
          ),
        () => form.change('photos', (present) => present.filter((photo) => photo.id !== id)),
      )
    }
  })
  return (
    <PhotoField
      label={t('fields.photoIds')}
      help={t('newParcel.photosHelp')}
      purpose="parcel_photo"
      value={photos}
      onChange={(change) => form.change('photos', change)}
      most={8}
    />
  )
}
