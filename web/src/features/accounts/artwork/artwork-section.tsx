import { Button } from '@mantine/core'
import { ticketStatusLabels } from '@waybill/contract/ground/enums'
import { createArtwork, listArtworks, submitArtwork } from '@waybill/contract/parcels/labels'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { type Photo, PhotoField } from '../../../components/form/photo-field.tsx'
import { ErrorPanel } from '../../../components/message-panel.tsx'
import { notify } from '../../../components/notify.tsx'
import { StatusPill } from '../../../components/status-pill.tsx'
import { call } from '../../../lib/api.ts'
import { useFileAddress } from '../../../lib/file-link.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import classes from '../profile/account.module.css'
import artworkClasses from './artwork.module.css'
import { artworkLooks } from './artwork-look.ts'

/** A company's picture for the top of its consignment notes: upload, submission and decision. */
export function ArtworkSection() {
  const t = useT()
  const label = useLabel()
  const address = useFileAddress()
  const artworks = useCall(listArtworks, {})
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const sending = { refresh: [listArtworks], success: t('artwork.submitted') }
  const begin = useSend(
    async (photo: Photo) => {
      const { id, version } = await call(createArtwork, { body: { attachmentId: photo.id } })
      return call(submitArtwork, { params: { id }, body: { version } })
    },
    { ...sending, onSuccess: () => setPhotos([]) },
  )
  const submit = useSend(
    (id: string, version: number) => call(submitArtwork, { params: { id }, body: { version } }),
    sending,
  )
  function beginWithPhoto() {
    const [photo] = photos
    if (photo) void begin.send(photo)
    else notify.warning(t('artwork.choose'))
  }
  const items = artworks.data?.items ?? []
  return (
    <section className={classes.section}>
      <h2>{t('artwork.title')}</h2>
      <p className={classes.quiet}>{t('artwork.text')}</p>
      {artworks.error ? <ErrorPanel error={artworks.error} retry={() => void artworks.refetch()} /> : null}
      <ul className={artworkClasses.list}>
        {items.map((each) => (
          <li key={each.id}>
            {each.imageUrl && <img src={address(each.imageUrl)} alt="" className={artworkClasses.picture} />}
            <div className={artworkClasses.words}>
              <StatusPill look={artworkLooks[each.status]} label={label(ticketStatusLabels, each.status)} />
              {each.printed && <strong>{t('artwork.printed')}</strong>}
              {each.remark && <span>{t('artwork.reason', { remark: each.remark })}</span>}
            </div>
            {each.status === 'draft.in_progress' && (
              <Button loading={submit.pending} onClick={() => void submit.send(each.id, each.version)}>
                {t('artwork.submit')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <PhotoField
        label={t('artwork.choose')}
        purpose="artwork"
        value={photos}
        onChange={(change) => setPhotos(change)}
        most={1}
      />
      <div className={artworkClasses.handIn}>
        <Button variant="filled" loading={begin.pending} onClick={() => beginWithPhoto()}>
          {t('artwork.submit')}
        </Button>
      </div>
    </section>
  )
}
