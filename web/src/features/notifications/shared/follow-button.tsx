import { Button } from '@mantine/core'
import { IconBellPlus } from '@tabler/icons-react'
import { getPush } from '@waybill/contract/notifications/push'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { switchPushOn } from './push.ts'
import { canPush } from './subscribe-browser.ts'

/**
 * Follows a parcel by push messages. The browser asks for permission only when it is pressed. Hidden if this browser
 * already gets them, cannot, or was denied permission.
 */
export function FollowButton() {
  const t = useT()
  const userId = useSession((state) => state.auth.user?.id)
  const possible = canPush() && Notification.permission !== 'denied'
  const push = useCall(getPush, {}, { enabled: possible })
  const publicKey = push.data?.publicKey ?? null
  const on = useSend(
    async () => {
      if (publicKey === null || userId === undefined) return
      const outcome = await switchPushOn(publicKey, userId)
      if (outcome === 'on') notify.success(t('notifications.following'))
      else if (outcome === 'denied') notify.info(t('notifications.pushDenied'))
      else notify.warning(t('notifications.pushFailed'))
    },
    { refresh: [getPush] },
  )
  if (!possible || publicKey === null || push.data?.devices.some(({ current }) => current)) return null
  return (
    <Button leftSection={<IconBellPlus size={18} aria-hidden />} loading={on.pending} onClick={() => void on.send()}>
      {t('notifications.followParcel')}
    </Button>
  )
}
