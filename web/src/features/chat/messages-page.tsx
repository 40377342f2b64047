import { type ChatThread, exportThreads, listThreads, threadTabs } from '@waybill/contract/chat/chat'
import { countLimit } from '@waybill/contract/ground/paging'
import { TextLink } from '../../components/buttons/link.tsx'
import { Time } from '../../components/display/time.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Tag } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { useT } from '../../lib/i18n.ts'
import { LastMessage } from './last-message.tsx'
import { useSubjectName } from './subject-link.tsx'

/** The threads of the account, the latest message first. */
export function MessagesPage() {
  const t = useT()
  const subjectName = useSubjectName()
  const list = useList(listThreads)
  const unread = list.result.data?.unreadThreads
  return (
    <>
      <PageHeader
        title={t('chat.title')}
        description={t('chat.lead')}
        actions={<DownloadExcel endpoint={exportThreads} narrowing={list.narrowing} />}
      />
      <DataList
        list={list}
        label={t('chat.title')}
        countedTo={countLimit}
        rowKey={(row: ChatThread) => row.id}
        tabs={threadTabs.map((value) => ({
          value,
          label: t(`chat.tab.${value}`),
          count: value === 'unread' ? unread : undefined,
        }))}
        columns={[
          {
            id: 'subject',
            header: t('chat.about'),
            card: 'title',
            phone: 'title',
            cell: (row) => (
              <TextLink to="/messages/$id" params={{ id: row.id }}>
                {subjectName(row)}
              </TextLink>
            ),
          },
          {
            id: 'last',
            header: t('chat.last'),
            phone: 'detail',
            cell: (row) => <LastMessage thread={row} side="customer" />,
          },
          {
            id: 'at',
            header: t('chat.at'),
            phone: 'detailEnd',
            cell: (row) => row.lastMessage && <Time at={row.lastMessage.at} />,
          },
          {
            id: 'unread',
            header: t('chat.unreadHeader'),
            phone: 'end',
            cell: (row) => row.unread > 0 && <Tag tone="waiting">{t('chat.unread', { count: row.unread })}</Tag>,
          },
        ]}
        empty={{ title: t('chat.none'), text: t('chat.noneText') }}
      />
    </>
  )
}
