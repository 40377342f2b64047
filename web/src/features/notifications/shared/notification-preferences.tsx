import { Button, Checkbox } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { type NotificationChannel, notificationChannels } from '@waybill/contract/notifications/kinds'
import { getNotificationPreferences, putNotificationPreferences } from '@waybill/contract/notifications/notifications'
import { ConflictNotice } from '../../../components/feedback/conflict-notice.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { TimeField } from '../../../components/fields/date-field.tsx'
import { useRecordForm } from '../../../components/form/use-record-form.ts'
import { Grid, Heading, Panel } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ListTable } from '../../../components/list/list-table.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import classes from './notification-preferences.module.css'

type Preferences = ResponseOf<typeof getNotificationPreferences>
type Choice = Preferences['topics'][number]

const unsorted = { sort: undefined, sortBy: () => undefined, selection: undefined, rowName: undefined }
const usualNight = { from: '22:00', until: '07:00' }

/** The user's choice of e-mails, push messages and pop-ups by topic, and their quiet hours. */
export function NotificationPreferences() {
  const preferences = useCall(getNotificationPreferences, {})
  if (preferences.error) return <ErrorPanel error={preferences.error} retry={() => void preferences.refetch()} />
  if (!preferences.data) return <Loading />
  return <ChannelForm preferences={preferences.data} />
}

function ChannelForm({ preferences }: { preferences: Preferences }) {
  const t = useT()
  const isStaff = useSession((state) => state.auth.user?.kind === 'staff')
  const { topics, quietHours, version } = preferences
  const form = useRecordForm({
    record: preferences,
    load: () => call(getNotificationPreferences),
    schema: putNotificationPreferences.body,
    initial: {
      channels: topics.flatMap(({ topic, channels }) =>
        channels.filter(({ fixed }) => !fixed).map(({ channel, on }) => ({ topic, channel, on })),
      ),
      quietHours,
      version,
    },
    onSubmit: (body) => call(putNotificationPreferences, { body }),
    refresh: [getNotificationPreferences],
    success: t('preferences.saved'),
  })
  const { channels } = form.values
  const toggle = (topic: Choice['topic'], channel: NotificationChannel, on: boolean) =>
    form.set(
      'channels',
      channels.map((each) => (each.topic === topic && each.channel === channel ? { ...each, on } : each)),
    )
  const isOn = (topic: Choice['topic'], channel: NotificationChannel) =>
    channels.find((each) => each.topic === topic && each.channel === channel)?.on ?? true
  return (
    <form {...form.props} style={{ maxWidth: 800 }}>
      <Panel title={t('notifications.preferences')}>
        <Note>{t('notifications.preferencesHint')}</Note>
        <div className={classes.channels}>
          <ListTable
            {...unsorted}
            label={t('notifications.preferences')}
            rows={topics}
            rowKey={({ topic }) => topic}
            columns={[
              {
                id: 'topic',
                header: t('notifications.topic'),
                cell: ({ topic }) => t(`notificationTopic.${topic}`),
                card: 'title',
              },
              ...notificationChannels.map((channel) => ({
                id: channel,
                header: t(`notificationChannel.${channel}`),
                cell: ({ topic, channels: cells }: Choice) => {
                  const fixed = cells.find((each) => each.channel === channel)?.fixed ?? false
                  return (
                    <Checkbox
                      aria-label={t('phrase.labelled', {
                        label: t(`notificationTopic.${topic}`),
                        value: t(`notificationChannel.${channel}`),
                      })}
                      checked={fixed || isOn(topic, channel)}
                      disabled={fixed}
                      onChange={(event) => toggle(topic, channel, event.currentTarget.checked)}
                    />
                  )
                },
              })),
            ]}
          />
        </div>
        <Note>{t(isStaff ? 'preferences.alwaysStaff' : 'preferences.always')}</Note>
        <Heading>{t('notifications.quietHours')}</Heading>
        <Checkbox
          label={t('notifications.quietHoursOn')}
          description={t('notifications.quietHoursHint')}
          checked={form.values.quietHours !== null}
          onChange={(event) => form.set('quietHours', event.currentTarget.checked ? (quietHours ?? usualNight) : null)}
        />
        {form.values.quietHours && (
          <Grid min={160} style={{ maxWidth: 420 }}>
            <TimeField field={form.fieldAt<string>('quietHours.from', t('notifications.quietFrom'))} />
            <TimeField field={form.fieldAt<string>('quietHours.until', t('notifications.quietUntil'))} />
          </Grid>
        )}
        {form.conflict && <ConflictNotice />}
        <div>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('notifications.savePreferences')}
          </Button>
        </div>
      </Panel>
    </form>
  )
}
