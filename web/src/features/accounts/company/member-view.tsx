import { Button } from '@mantine/core'
import {
  getMember,
  listMembers,
  type Member,
  memberActivity,
  removeMember,
  resendCredential,
  setMemberStatus,
} from '@waybill/contract/accounts/company'
import { type AccountStatus, memberPermissionLabels } from '@waybill/contract/ground/enums/enums'
import { Phone } from '../../../components/display/phone-link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, LineList, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { MemberStatus } from './member-status.tsx'

type Props = { id: string; usedMinor: number; edit: (member: Member) => void; onClose: () => void }

/** A user: permissions, spending, recent actions, and the buttons to suspend or remove them. */
export function MemberView({ id, usedMinor, edit, onClose }: Props) {
  const member = useCall(getMember, { params: { id } })
  const { data } = member
  return (
    <Dialog shape="wide" title={data?.name ?? '…'} onClose={onClose}>
      {data ? (
        <Shown member={data} usedMinor={usedMinor} edit={() => edit(data)} onClose={onClose} />
      ) : member.error ? (
        <ErrorPanel error={member.error} retry={() => void member.refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

type ShownProps = { member: Member; usedMinor: number; edit: () => void; onClose: () => void }

function Shown({ member, usedMinor, edit, onClose }: ShownProps) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const limit = member.monthlyLimitMinor
  const facts: [string, React.ReactNode][] = [
    [
      t('fields.status'),
      <MemberStatus key="status" status={member.status} invited={member.invited && !member.isOwner} />,
    ],
    [t('fields.email'), member.email],
    [t('fields.phone'), member.phone ? <Phone key="phone" phone={member.phone} /> : '–'],
    [t('fields.jobTitle'), member.jobTitle ?? '–'],
    [t('fields.costCentre'), member.costCentre ?? '–'],
    [
      t('usersPage.thisMonth'),
      limit === null
        ? `${format.money(usedMinor)} · ${t('usersPage.noLimit')}`
        : t('usersPage.usedOf', { used: format.money(usedMinor), limit: format.money(limit) }),
    ],
    [
      t('usersPage.lastLogin'),
      member.lastLoginAt ? (
        <Time key="login" at={member.lastLoginAt} />
      ) : (
        t(member.invited ? 'usersPage.invitedText' : 'usersPage.never')
      ),
    ],
  ]
  return (
    <Stack>
      <Facts layout="tiles" min={200}>
        {facts.map(([name, value]) => (
          <Fact key={name} label={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      <Stack as="section" gap={8}>
        <h3>{t('fields.permissions')}</h3>
        {member.isOwner ? (
          <p>{t('usersPage.ownerText')}</p>
        ) : member.permissions.length === 0 ? (
          <p>{t('usersPage.looksOnly')}</p>
        ) : (
          <LineList>
            {member.permissions.map((value) => (
              <li key={value}>
                <span>
                  {label(memberPermissionLabels, value)}
                  <Quiet>{t(`usersPage.may.${value}`)}</Quiet>
                </span>
              </li>
            ))}
          </LineList>
        )}
      </Stack>
      <Activity id={member.id} />
      {member.editable && <Stops member={member} onClose={onClose} />}
      <DialogFoot>
        <Button onClick={onClose}>{t('actions.close')}</Button>
        {member.editable && (
          <Button variant="filled" onClick={edit}>
            {t('actions.edit')}
          </Button>
        )}
      </DialogFoot>
    </Stack>
  )
}

const latest = 8

/** The user's latest actions. */
function Activity({ id }: { id: string }) {
  const t = useT()
  const activity = useCall(memberActivity, { params: { id }, query: { limit: latest } })
  const items = activity.data?.items ?? []
  return (
    <Stack as="section" gap={8}>
      <h3>{t('usersPage.activity')}</h3>
      {items.length === 0 ? (
        <Note>{t(activity.isPending ? 'list.loading' : 'usersPage.noActivity')}</Note>
      ) : (
        <LineList>
          {items.map((each) => (
            <li key={each.id}>
              <span>
                {t(`action.${each.action}`, { defaultValue: each.action })}
                {each.subject?.startsWith('ORD-') && ` (${each.subject})`}
              </span>
              <Quiet>
                <Time at={each.at} />
              </Quiet>
            </li>
          ))}
        </LineList>
      )}
    </Stack>
  )
}

/** The access of a member: suspend, block, remove, and send a link to set a new password. */
function Stops({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useT()
  const { id, name, status } = member
  const isSelf = useSession((state) => state.auth.user?.id) === id
  const refresh = [listMembers, getMember, memberActivity]
  const change = useSend((to: AccountStatus) => call(setMemberStatus, { params: { id, status: to } }), {
    confirm: (to) => {
      if (to === 'active') return null
      const kind = to === 'inactive' ? 'suspend' : 'block'
      return {
        title: t(`usersPage.${kind}Title`, { name }),
        message: t(`usersPage.${kind}Text`),
        action: t(`actions.${kind}`),
      }
    },
    refresh,
    success: (_, to) => t(`usersPage.is.${to}`, { name }),
  })
  const remove = useSend(() => call(removeMember, { params: { id } }), {
    confirm: {
      title: t('usersPage.removeTitle', { name }),
      message: t('usersPage.removeText'),
      action: t('actions.remove'),
    },
    refresh: [listMembers],
    success: t('usersPage.removed', { name }),
    onSuccess: onClose,
  })
  const resend = useSend(() => call(resendCredential, { params: { id } }), {
    refresh,
    success: ({ email }) => t('usersPage.invitedTo', { email }),
  })
  return (
    <Stack as="section" gap={8}>
      <h3>{t('usersPage.access')}</h3>
      <Buttons>
        {status !== 'blacklisted' && (
          <Button size="sm" loading={resend.pending} onClick={() => void resend.send()}>
            {t(member.invited ? 'usersPage.resend' : 'usersPage.sendLink')}
          </Button>
        )}
        {!isSelf && status === 'active' && (
          <Button size="sm" loading={change.pending} onClick={() => void change.send('inactive')}>
            {t('actions.suspend')}
          </Button>
        )}
        {!isSelf && status === 'inactive' && (
          <Button size="sm" loading={change.pending} onClick={() => void change.send('active')}>
            {t('actions.active')}
          </Button>
        )}
        {!isSelf && status !== 'blacklisted' && (
          <Button size="sm" loading={change.pending} onClick={() => void change.send('blacklisted')}>
            {t('actions.block')}
          </Button>
        )}
        {!isSelf && status === 'blacklisted' && (
          <Button size="sm" loading={change.pending} onClick={() => void change.send('active')}>
            {t('actions.unblock')}
          </Button>
        )}
        {!isSelf && (
          <Button size="sm" loading={remove.pending} onClick={() => void remove.send()}>
            {t('actions.remove')}
          </Button>
        )}
      </Buttons>
    </Stack>
  )
}
