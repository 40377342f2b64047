import { Button, type ButtonProps, TextInput } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { copyText } from '../../../components/buttons/copy-text.ts'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { useT } from '../../../lib/i18n.ts'

/** The URL of a parcel's public tracking page. */
export const trackingUrl = (number: string) =>
  `${location.origin}/public/track-parcels?no=${encodeURIComponent(number)}`

type Props = { number: string; receiver?: string | undefined } & Pick<ButtonProps, 'variant' | 'size'>

/** Shares the tracking link with the receiver: through the device's share sheet, or else by copying it. */
export function ShareTracking({ number, receiver, ...look }: Props) {
  const t = useT()
  const [showsLink, setShowsLink] = useState(false)
  const url = trackingUrl(number)
  async function share() {
    if (typeof navigator.share === 'function') {
      // Closing the share sheet rejects: this is not an error.
      await navigator.share({ text: t('shareTracking.text', { number }), url }).catch(() => undefined)
      return
    }
    if (await copyText(url)) notify.success(t('shareTracking.copied'))
    else setShowsLink(true)
  }
  return (
    <>
      <Button
        {...look}
        leftSection={<IconShare size={18} aria-hidden />}
        aria-label={receiver && t('phrase.labelled', { label: t('shareTracking.label'), value: receiver })}
        onClick={() => void share()}
      >
        {t('shareTracking.label')}
      </Button>
      {showsLink && <LinkDialog url={url} onClose={() => setShowsLink(false)} />}
    </>
  )
}

/** The selected link, for browsers that deny access to the clipboard. */
function LinkDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog title={t('shareTracking.label')} onClose={onClose}>
      <TextInput
        label={t('shareTracking.link')}
        description={t('shareTracking.byHand')}
        value={url}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <DialogFoot>
        <Button onClick={onClose}>{t('actions.close')}</Button>
      </DialogFoot>
    </Dialog>
  )
}
