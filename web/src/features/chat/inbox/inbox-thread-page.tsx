import { Button, NativeSelect } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { assignThread, listAssignees, listInbox, listInboxMessages } from '@waybill/contract/chat/inbox'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Columns, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { useSubjectName } from '../subject-link.tsx'
import { StaffMessages } from './staff-messages.tsx'

/** One thread for staff: its account, its assignee, and the messages. Before the first one nothing is assigned. */
export function InboxThreadPage() {
  const t = useT()
  const subjectName = useSubjectName()
  const { id } = useParams({ from: '/staff/staff/inbox/$id' })
  const { data } = useCall(listInboxMessages, { params: { id }, query: { limit: 1 } })
  const isStarted = data !== undefined && data.items.length > 0
  return (
    <>
      <PageHeader
        title={data ? subjectName(data.thread) : t('chat.one')}
        actions={<ButtonLink to="/staff/inbox">{t('inbox.back')}</ButtonLink>}
      />
      <Columns>
        <StaffMessages id={id} />
        {data && (
          <Panel title={t('inbox.facts')}>
            <Facts>
              <Fact label={t('inbox.account')}>
                <TextLink to="/staff/accounts/$id" params={{ id: data.accountId }}>
                  {data.accountName}
                </TextLink>
              </Fact>
              {isStarted && (
                <Fact label={t(data.waitingSince ? 'inbox.waiting' : 'fields.status')}>
                  {data.waitingSince ? <Time at={data.waitingSince} /> : t('inbox.answered')}
                </Fact>
              )}
            </Facts>
            {data.thread.subject === 'parcel' && (
              <TextLink to="/staff/parcels/$no" params={{ no: data.thread.number }}>
                {t('chat.open.parcel')}
              </TextLink>
            )}
            {data.thread.subject === 'ticket' && (
              <TextLink to="/staff/tickets/$id" params={{ id }}>
                {t('chat.open.ticket')}
              </TextLink>
            )}
            {isStarted && <Assignee id={id} present={data.assignee?.id ?? null} />}
          </Panel>
        )}
      </Columns>
    </>
  )
}

/** The assignee of the thread. */
function Assignee({ id, present }: { id: string; present: string | null }) {
  const t = useT()
  const own = useSession((state) => state.auth.user?.id)
  const people = useCall(listAssignees, {})
  const assign = useSend(
    (assigneeId: string | null) => call(assignThread, { params: { id }, body: { assigneeId, expectedId: present } }),
    {
      refresh: [listInboxMessages, listInbox],
      refreshOnError: [listInboxMessages, listInbox],
      success: t('inbox.assigned'),
    },
  )
  return (
    <>
      <NativeSelect
        label={t('inbox.assignee')}
        value={present ?? ''}
        disabled={assign.pending}
        onChange={(event) => void assign.send(event.currentTarget.value || null)}
      >
        <option value="">{t('inbox.nobody')}</option>
        {(people.data?.items ?? []).map((person) => (
          <option key={person.id} value={person.id}>
            {person.name}
          </option>
        ))}
      </NativeSelect>
      {own && present !== own && (
        <Button loading={assign.pending} onClick={() => void assign.send(own)}>
          {t('inbox.take')}
        </Button>
      )}
    </>
  )
}
