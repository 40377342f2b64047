import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { countLimit } from '@waybill/contract/ground/paging'
import { notificationTopicNames, notificationTopics } from '@waybill/contract/notifications/kinds'
import { exportNotifications } from '@waybill/contract/notifications/notification-sheet'
import {
  listNotifications,
  type Notification,
  notificationAlert,
  readNotifications,
} from '@waybill/contract/notifications/notifications'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { Time } from '../../components/display/time.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { SelectField } from '../../components/fields/select-field.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import classes from './notifications.module.css'

const filters = ['unread', 'topic'] as const
const changed = { refresh: [listNotifications, notificationAlert] }

/** The user's notifications, newest first. Opening an entry marks it as read. */
export function NotificationsPage() {
  const t = useT()
  const router = useRouter()
  const isStaff = useSession((state) => state.auth.user?.kind === 'staff')
  const list = useList(listNotifications, { filters })
  const read = useSend((body: Parameters<typeof markRead>[0]) => markRead(body), changed)
  const unread = list.result.data?.unread ?? 0
  const open = async ({ id, path, readAt }: Notification) => {
    if (readAt === null) await read.send({ ids: [id] })
    if (path !== null) router.history.push(path)
  }
  const topics = notificationTopicNames.filter((topic) => {
    const { readers } = notificationTopics[topic]
    return readers === 'everybody' || (readers === 'staff') === isStaff
  })
  return (
    <>
      <PageHeader
        title={t('notifications.title')}
        description={t(isStaff ? 'notifications.leadStaff' : 'notifications.lead')}
        actions={
          <>
            <DownloadExcel endpoint={exportNotifications} narrowing={list.narrowing} />
            <ButtonLink to={isStaff ? '/staff/preferences' : '/preferences'}>
              {t('notifications.toPreferences')}
            </ButtonLink>
            {unread > 0 && (
              <Button loading={read.pending} onClick={() => void read.send({ all: true })}>
                {t('notifications.readAll')}
              </Button>
            )}
          </>
        }
      />
      <DataList
        list={list}
        label={t('notifications.title')}
        rowKey={(row: Notification) => row.id}
        countedTo={countLimit}
        tall
        filters={
          <>
            <SelectField
              field={list.filter('topic', t('notifications.topic'))}
              choices={topics.map((value) => ({ value, label: t(`notificationTopic.${value}`) }))}
            />
            <SelectField
              field={list.filter('unread', t('notifications.show'))}
              placeholder={t('notifications.all')}
              choices={[{ value: 'true', label: t('notifications.onlyUnread') }]}
            />
          </>
        }
        columns={[
          {
            id: 'title',
            header: t('notifications.topic'),
            card: 'title',
            cell: (row) => (
              <button type="button" className={classes.entry} onClick={() => void open(row)}>
                <span className={classes.title} data-unread={row.readAt === null}>
                  {row.readAt === null && (
                    <span className="wb-hidden">{t('phrase.label', { label: t('notifications.new') })}</span>
                  )}
                  {row.title}
                </span>
                <Quiet>{row.text}</Quiet>
                <Quiet className={classes.at}>
                  <Time at={row.createdAt} />
                </Quiet>
              </button>
            ),
          },
          { id: 'at', header: t('notifications.when'), card: 'hidden', cell: (row) => <Time at={row.createdAt} /> },
        ]}
        empty={{
          title: t('notifications.none'),
          text: t(isStaff ? 'notifications.noneHintStaff' : 'notifications.noneHint'),
        }}
      />
    </>
  )
}

const markRead = (body: { ids: string[] } | { all: true }) => call(readNotifications, { body })
