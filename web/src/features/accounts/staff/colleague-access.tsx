import { Button } from '@mantine/core'
import { resetFactor } from '@waybill/contract/accounts/second-factor'
import { endUserSessions } from '@waybill/contract/accounts/staff'
import {
  type Colleague,
  colleagueActivity,
  getColleague,
  listTeam,
  sendColleagueLink,
  setColleagueStatus,
  withdrawInvitation,
} from '@waybill/contract/accounts/team'
import type { AccountStatus } from '@waybill/contract/ground/enums/enums'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

const refresh = [listTeam, getColleague, colleagueActivity]

/** The access of a member of staff: links, status, devices and second factor. */
export function ColleagueAccess({ colleague, onClose }: { colleague: Colleague; onClose: () => void }) {
  const t = useT()
  const { status, invited, sessions, hasSecondFactor } = colleague
  const { change, link, withdraw, endSessions, reset } = useColleagueActions(colleague, onClose)
  return (
    <Stack as="section" gap={8} aria-labelledby="colleague-access">
      <h3 id="colleague-access">{t('usersPage.access')}</h3>
      <Buttons>
        {status === 'active' && (
          <Button size="sm" loading={link.pending} onClick={() => void link.send()}>
            {t(invited ? 'teamPage.resend' : 'teamPage.resetPassword')}
          </Button>
        )}
        {invited && (
          <Button size="sm" loading={withdraw.pending} onClick={() => void withdraw.send()}>
            {t('teamPage.withdraw')}
          </Button>
        )}
        {sessions > 0 && (
          <Button size="sm" loading={endSessions.pending} onClick={() => void endSessions.send()}>
            {t('usersAdmin.endSessions')}
          </Button>
        )}
        {hasSecondFactor && (
          <Button size="sm" loading={reset.pending} onClick={() => void reset.send()}>
            {t('usersAdmin.resetFactor')}
          </Button>
        )}
        {status === 'active' && (
          <Button size="sm" loading={change.pending} onClick={() => void change.send('inactive')}>
            {t('actions.suspend')}
          </Button>
        )}
        {status !== 'blacklisted' && (
          <Button size="sm" loading={change.pending} onClick={() => void change.send('blacklisted')}>
            {t('actions.block')}
          </Button>
        )}
        {status !== 'active' && (
          <Button size="sm" loading={change.pending} onClick={() => void change.send('active')}>
            {t('teamPage.reactivate')}
          </Button>
        )}
      </Buttons>
    </Stack>
  )
}

function useColleagueActions({ id, name, invited, version }: Colleague, onClose: () => void) {
  const t = useT()
  const change = useSend(
    (status: AccountStatus) => call(setColleagueStatus, { params: { id }, body: { status, version } }),
    {
      confirm: (status) => {
        if (status === 'active') return null
        const kind = status === 'inactive' ? 'suspend' : 'block'
        return {
          title: t(`usersPage.${kind}Title`, { name }),
          message: t('teamPage.suspendText'),
          action: t(`actions.${kind}`),
        }
      },
      refresh,
      success: (_, status) => t(`usersPage.is.${status}`, { name }),
    },
  )
  const link = useSend(() => call(sendColleagueLink, { params: { id } }), {
    confirm: () =>
      invited
        ? null
        : {
            title: t('teamPage.resetTitle', { name }),
            message: t('teamPage.resetText'),
            action: t('teamPage.resetPassword'),
          },
    refresh,
    success: ({ email }) => t('usersPage.invitedTo', { email }),
  })
  const withdraw = useSend(() => call(withdrawInvitation, { params: { id } }), {
    confirm: {
      title: t('teamPage.withdrawTitle', { name }),
      message: t('teamPage.withdrawText'),
      action: t('teamPage.withdraw'),
    },
    refresh: [listTeam],
    success: t('teamPage.withdrawn', { name }),
    onSuccess: onClose,
  })
  const endSessions = useSend(() => call(endUserSessions, { params: { id } }), {
    confirm: {
      title: t('usersAdmin.endTitle', { name }),
      message: t('usersAdmin.endText'),
      action: t('usersAdmin.endSessions'),
    },
    refresh,
    success: t('usersAdmin.ended', { name }),
  })
  const reset = useSend(() => call(resetFactor, { params: { id } }), {
    confirm: {
      title: t('usersAdmin.resetTitle', { name }),
      message: t('usersAdmin.resetText'),
      action: t('usersAdmin.resetFactor'),
    },
    refresh,
    success: t('usersAdmin.resetDone', { name }),
  })
  return { change, link, withdraw, endSessions, reset }
}
