import { Button } from '@mantine/core'
import { ticketStatusLabels } from '@waybill/contract/ground/enums'
import { createArtwork, listArtworks, submitArtwork } from '@waybill/contract/parcels/labels'
import { useState } from 'react'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { CardList, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFileAddress } from '../../../lib/file-link.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { type Photo, PhotoField } from '../../attachments/shared/photo-field.tsx'
import artworkClasses from './artwork.module.css'
import { artworkLooks } from './artwork-look.ts'

/** The picture at the top of a company's consignment notes: upload, submission and decision. */
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
    <Panel style={{ maxWidth: 800 }} title={t('artwork.title')}>
      <Note>{t('artwork.text')}</Note>
      {artworks.error ? <ErrorPanel error={artworks.error} retry={() => void artworks.refetch()} /> : null}
      <CardList>
        {items.map((each) => (
          <Row as="li" key={each.id} gap={16}>
            {each.imageUrl && <img src={address(each.imageUrl)} alt="" className={artworkClasses.picture} />}
            <Stack gap={4} align="start" style={{ flex: 1, minWidth: 160 }}>
              <StatusPill look={artworkLooks[each.status]} label={label(ticketStatusLabels, each.status)} />
              {each.printed && <strong>{t('artwork.printed')}</strong>}
              {each.remark && <span>{t('artwork.reason', { remark: each.remark })}</span>}
            </Stack>
            {each.status === 'draft.in_progress' && (
              <Button loading={submit.pending} onClick={() => void submit.send(each.id, each.version)}>
                {t('artwork.submit')}
              </Button>
            )}
          </Row>
        ))}
      </CardList>
      <PhotoField
        label={t('artwork.choose')}
        purpose="artwork"
        value={photos}
        onChange={(change) => setPhotos(change)}
        most={1}
      />
      <Button variant="filled" loading={begin.pending} onClick={() => beginWithPhoto()}>
        {t('artwork.submit')}
      </Button>
    </Panel>
  )
}
