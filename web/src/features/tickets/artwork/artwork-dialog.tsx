import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { createArtwork, submitArtwork } from '@waybill/contract/parcels/labels'
import { useState } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { type Photo, PhotoField } from '../../attachments/shared/photo-field.tsx'
import { changedByTickets } from '../changed-by-tickets.ts'

/** A new picture for the top of a company's consignment notes, saved as a draft or submitted at once. */
export function ArtworkDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const begin = useSend(
    async (attachmentId: string, submitted: boolean) => {
      const artwork = await call(createArtwork, { body: { attachmentId } })
      const { id, version } = artwork
      return submitted ? call(submitArtwork, { params: { id }, body: { version } }) : artwork
    },
    {
      refresh: changedByTickets,
      success: (_result, _attachmentId, submitted) => t(submitted ? 'artwork.submitted' : 'tickets.draftKept'),
      onSuccess: ({ id }) => navigate({ to: '/tickets/$id', params: { id } }),
    },
  )
  function send(submitted: boolean) {
    const [photo] = photos
    if (photo) void begin.send(photo.id, submitted)
    else notify.warning(t('artwork.choose'))
  }
  return (
    <Dialog title={t('tickets.newArtwork')} shape="wide" onClose={onClose}>
      <Note>{t('artwork.text')}</Note>
      <PhotoField
        label={t('artwork.choose')}
        purpose="artwork"
        value={photos}
        onChange={(change) => setPhotos(change)}
        most={1}
      />
      <DialogFoot>
        <Button loading={begin.pending} onClick={() => send(false)}>
          {t('tickets.keepDraft')}
        </Button>
        <Button variant="filled" loading={begin.pending} onClick={() => send(true)}>
          {t('artwork.submit')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
