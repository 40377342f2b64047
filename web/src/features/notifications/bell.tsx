import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { notificationAlert } from '@waybill/contract/notifications/notifications'
import { useEffect } from 'react'
import { badgeText } from '../../components/buttons/badge-text.ts'
import { notify } from '../../components/feedback/notify.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { renewPush } from './shared/push.ts'

/** Live events announce news; this covers a connection that was lost unnoticed. */
const refetchMs = 5 * 60_000

type Props = { className: string | undefined; badgeClass: string | undefined }

function showAlerts({ alerts }: ResponseOf<typeof notificationAlert>): void {
  // Never a warning dialog: it would take the focus from a user who is typing.
  for (const { level, title } of alerts) notify.live(level === 'success' ? 'success' : 'info', title)
}

/** The bell of the top bar: the unread count, and new notifications as pop-ups that do not take the focus. */
export function Bell({ className, badgeClass }: Props) {
  const t = useT()
  const user = useSession((state) => state.auth.user)
  // The server returns each pop-up once.
  const { data } = useCall(notificationAlert, {}, { refetchInterval: refetchMs, onEachResponse: showAlerts })
  const unread = data?.unread ?? 0
  useEffect(() => {
    if (user) void renewPush(user.id).catch(() => undefined)
  }, [user])
  return (
    <Link
      to={user?.kind === 'staff' ? '/staff/notifications' : '/notifications'}
      className={className}
      aria-label={
        unread > 0 ? t('notifications.bell', { count: unread, badge: badgeText(unread) }) : t('notifications.title')
      }
    >
      <IconBell size={20} stroke={1.75} aria-hidden />
      {unread > 0 && <span className={badgeClass}>{badgeText(unread)}</span>}
    </Link>
  )
}
