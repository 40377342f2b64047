import type { Weighing } from '@waybill/contract/parcels/weighing'
import { Photos } from '../../../components/display/photos.tsx'
import { useT } from '../../../lib/i18n.ts'

/** The photos of a re-weighing for the sender and for staff: the station's photos of the scale, then the sender's. */
export function WeighingPhotos({ photo, photos }: Pick<Weighing, 'photo' | 'photos'>) {
  const t = useT()
  return (
    <Photos
      photos={[...(photo ? [photo] : []), ...photos]}
      alt={(place) => t(place === 0 && photo ? 'weighing.stationPhoto' : 'weighing.ownPhoto')}
    />
  )
}
