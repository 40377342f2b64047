import { Button } from '@mantine/core'
import { chatSubjects } from '@waybill/contract/chat/chat'
import { exportInbox, type InboxThread, inboxTabs, listInbox } from '@waybill/contract/chat/inbox'
import { countLimit } from '@waybill/contract/ground/paging'
import { useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tag } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useT } from '../../../lib/i18n.ts'
import { LastMessage } from '../last-message.tsx'
import { useSubjectName } from '../subject-link.tsx'
import { SavedAnswersDialog } from './saved-answers-dialog.tsx'

const filters = ['subject'] as const

/** The staff inbox: threads that wait for an answer, the longest wait first. */
export function InboxPage() {
  const t = useT()
  const subjectName = useSubjectName()
  const list = useList(listInbox, { filters })
  const [editing, setEditing] = useState(false)
  const counts: Partial<Record<string, number>> = list.result.data?.counts ?? {}
  return (
    <>
      <PageHeader
        title={t('inbox.title')}
        description={t('inbox.lead')}
        actions={
          <>
            <DownloadExcel endpoint={exportInbox} narrowing={list.narrowing} />
            <Button onClick={() => setEditing(true)}>{t('inbox.answers')}</Button>
          </>
        }
      />
      <DataList
        list={list}
        label={t('inbox.title')}
        rowKey={(row: InboxThread) => row.id}
        rowName={subjectName}
        searchLabel={t('inbox.search')}
        countedTo={countLimit}
        tabs={inboxTabs.map((value) => ({
          value,
          label: t(`inbox.tab.${value}`),
          count: counts[value],
          countedTo: countLimit,
        }))}
        filters={
          <SelectField
            field={list.filter('subject', t('chat.about'))}
            choices={chatSubjects.map((value) => ({ value, label: t(`inbox.subject.${value}`) }))}
          />
        }
        columns={[
          {
            id: 'subject',
            header: t('chat.about'),
            card: 'title',
            phone: 'title',
            whole: true,
            cell: (row) => (
              <TextLink to="/staff/inbox/$id" params={{ id: row.id }}>
                {subjectName(row)}
              </TextLink>
            ),
          },
          { id: 'account', header: t('inbox.account'), phone: 'detail', cell: (row) => row.accountName },
          { id: 'last', header: t('chat.last'), cell: (row) => <LastMessage thread={row} side="staff" /> },
          {
            id: 'waiting',
            header: t('inbox.waiting'),
            phone: 'detailEnd',
            cell: (row) => (row.waitingSince ? <Time at={row.waitingSince} inList="relative" /> : t('inbox.answered')),
          },
          { id: 'assignee', header: t('inbox.assignee'), cell: (row) => row.assignee?.name ?? t('inbox.nobody') },
          {
            id: 'unread',
            header: t('chat.unreadHeader'),
            phone: 'end',
            cell: (row) => row.unread > 0 && <Tag tone="waiting">{t('chat.unread', { count: row.unread })}</Tag>,
          },
        ]}
        empty={{ title: t('inbox.none'), text: t('inbox.noneText') }}
      />
      {editing && <SavedAnswersDialog onClose={() => setEditing(false)} />}
    </>
  )
}
