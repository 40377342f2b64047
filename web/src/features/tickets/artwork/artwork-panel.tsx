import { Button } from '@mantine/core'
import { type Artwork, submitArtwork } from '@waybill/contract/parcels/labels'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Panel } from '../../../components/layout/boxes.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFileAddress } from '../../../lib/file-link.ts'
import { useT } from '../../../lib/i18n.ts'
import { currentView } from '../../../lib/view.ts'
import { changedByTickets } from '../changed-by-tickets.ts'
import classes from './artwork.module.css'

/** The picture of a branding ticket, the staff's remarks, and the button that submits a draft. */
export function ArtworkPanel({ artwork, readOnly = false }: { artwork: Artwork; readOnly?: boolean }) {
  const t = useT()
  const address = useFileAddress()
  const submit = useSend(
    () => call(submitArtwork, { params: { id: artwork.id }, body: { version: artwork.version } }),
    { refresh: changedByTickets, refreshOnError: changedByTickets, success: t('artwork.submitted') },
  )
  return (
    <Panel title={t('artwork.title')}>
      {artwork.imageUrl && (
        <img src={address(artwork.imageUrl)} alt={t('artwork.picture')} className={classes.picture} data-large />
      )}
      {artwork.printed && <strong>{t('artwork.printed')}</strong>}
      {artwork.remark && <Notice tone="warning">{t('artwork.reason', { remark: artwork.remark })}</Notice>}
      {artwork.status === 'draft.in_progress' && !readOnly && !currentView && (
        <Buttons>
          <Button variant="filled" loading={submit.pending} onClick={() => void submit.send()}>
            {t('artwork.submit')}
          </Button>
        </Buttons>
      )}
    </Panel>
  )
}
