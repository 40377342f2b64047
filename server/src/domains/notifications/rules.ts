/** Decides which notifications become a list entry, a mail, a push message or a pop-up. */
import {
  findKind,
  type NotificationChannel,
  type NotificationKind,
  notificationKindNames,
  notificationTopics,
} from '@waybill/contract/notifications/kinds'

/** A user's changes, by `topic.channel`. */
export type ChannelChoices = Readonly<Record<string, boolean>>

/** How long a collecting kind waits for further notifications. */
export const collectMinutes = 3

/** Whether a kind reaches a user through a channel. Unknown kinds of another release reach only the list. */
export function isOn(kind: string, channel: NotificationChannel, choices: ChannelChoices): boolean {
  const row = findKind(kind)
  if (!row) return false
  if (row.mailOnly) return channel === 'mail'
  if (row.confirms && channel !== 'mail') return false
  const byDefault = notificationTopics[row.topic][channel]
  return byDefault === 'always' || (choices[`${row.topic}.${channel}`] ?? byDefault === 'on')
}

/** Whether a kind always uses a channel, whatever the user chose. */
export function isFixed(kind: string, channel: NotificationChannel): boolean {
  const row = findKind(kind)
  return row !== undefined && notificationTopics[row.topic][channel] === 'always'
}

/** Whether a kind is about the user, and not about the business of the account. */
export function isPersonal(kind: NotificationKind): boolean {
  const row = findKind(kind)
  return row !== undefined && 'personal' in notificationTopics[row.topic]
}

/** The kinds that reach a user through a channel. */
export function kindsOn(channel: NotificationChannel, choices: ChannelChoices): NotificationKind[] {
  return notificationKindNames.filter((kind) => isOn(kind, channel, choices))
}

/** `HH:mm`, in the time zone of the deployment. Both null: no quiet hours. */
export type QuietHours = { quiet_from: string | null; quiet_until: string | null }

const getMinute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Minutes from a time of day until the quiet hours end; 0 outside them. They may span midnight. */
export function quietMinutesLeft(time: string, { quiet_from: from, quiet_until: until }: QuietHours): number {
  if (from === null || until === null) return 0
  const day = 24 * 60
  const sinceStart = (getMinute(time) - getMinute(from) + day) % day
  const length = (getMinute(until) - getMinute(from) + day) % day
  return sinceStart < length ? length - sinceStart : 0
}

/** The path that a notification opens; null: none. `items`: the number of items that it is about. */
export function buildPath(
  { kind, subjectId, items }: { kind: string; subjectId: string | null; items: number },
  readerKind: 'customer' | 'staff',
): string | null {
  const row = findKind(kind)
  if (!row) return null
  const path =
    (readerKind === 'staff' ? row.opensForStaff : undefined) ??
    (items > 1 ? row.opensSeveral : undefined) ??
    row.opens ??
    null
  if (!path?.includes(':id')) return path
  return subjectId === null ? null : path.replace(':id', subjectId)
}
