import { getAttachment } from '@waybill/contract/attachments/attachments'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { PhotoField } from '../attachments/shared/photo-field.tsx'
import type { ParcelValues } from './new-parcel/parcel-values.ts'

/** Photos of the contents. Links expire, so they are requested again; deleted photos are omitted. */
export default function ParcelPhotos({ form }: { form: ContractForm<ParcelValues> }) {
  const t = useT()
  const { photos } = form.values
  const requestedIds = useRef(new Set<string>())
  const changePhotos = useEffectEvent((change: (present: ParcelValues['photos']) => ParcelValues['photos']) =>
    form.change('photos', change),
  )
  useEffect(() => {
    for (const { id, link } of photos) {
      if (link !== '' || requestedIds.current.has(id)) continue
      requestedIds.current.add(id)
      call(getAttachment, { params: { id } }).then(
        (attachment) =>
          changePhotos((present) => present.map((photo) => (photo.id === id ? { ...photo, ...attachment } : photo))),
        () => changePhotos((present) => present.filter((photo) => photo.id !== id)),
      )
    }
  }, [photos])
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
