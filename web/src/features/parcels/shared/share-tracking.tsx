import { Button, type ButtonProps } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { notify } from '../../../components/feedback/notify.tsx'
import { useT } from '../../../lib/i18n.ts'

/** The public page that shows where a parcel is. */
export const trackingUrl = (number: string) =>
  `${location.origin}/public/track-parcels?no=${encodeURIComponent(number)}`

type Props = { number: string; receiver?: string | undefined } & Pick<ButtonProps, 'variant' | 'size'>

/**
 * Gives the tracking link to the receiver: through the share sheet of the device, or where there is none by copying it.
 */
export function ShareTracking({ number, receiver, ...look }: Props) {
  const t = useT()
  async function share() {
    const url = trackingUrl(number)
    if (typeof navigator.share === 'function') {
      // Closing the share sheet rejects: nothing is to be said about it.
      await navigator.share({ text: t('shareTracking.text', { number }), url }).catch(() => undefined)
      return
    }
    try {
      await navigator.clipboard.writeText(url)
      notify.success(t('shareTracking.copied'))
    } catch {
      // The browser forbids the clipboard: the link itself is the way out.
      notify.info(url)
    }
  }
  return (
    <Button
      {...look}
      leftSection={<IconShare size={18} aria-hidden />}
      aria-label={receiver && `${t('shareTracking.label')}: ${receiver}`}
      onClick={() => void share()}
    >
      {t('shareTracking.label')}
    </Button>
  )
}
