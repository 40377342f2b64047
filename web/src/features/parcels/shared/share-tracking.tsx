import { Button, type ButtonProps } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { notify } from '../../../components/feedback/notify.tsx'
import { useT } from '../../../lib/i18n.ts'

/** The URL of a parcel's public tracking page. */
export const trackingUrl = (number: string) =>
  `${location.origin}/public/track-parcels?no=${encodeURIComponent(number)}`

type Props = { number: string; receiver?: string | undefined } & Pick<ButtonProps, 'variant' | 'size'>

/** Shares the tracking link with the receiver: through the device's share sheet, or else by copying it. */
export function ShareTracking({ number, receiver, ...look }: Props) {
  const t = useT()
  async function share() {
    const url = trackingUrl(number)
    if (typeof navigator.share === 'function') {
      // Closing the share sheet rejects: this is not an error.
      await navigator.share({ text: t('shareTracking.text', { number }), url }).catch(() => undefined)
      return
    }
    try {
      await navigator.clipboard.writeText(url)
      notify.success(t('shareTracking.copied'))
    } catch {
      // If the browser denies access to the clipboard, the link itself is shown.
      notify.info(url)
    }
  }
  return (
    <Button
      {...look}
      leftSection={<IconShare size={18} aria-hidden />}
      aria-label={receiver && t('phrase.labelled', { label: t('shareTracking.label'), value: receiver })}
      onClick={() => void share()}
    >
      {t('shareTracking.label')}
    </Button>
  )
}
