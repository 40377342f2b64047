/** The caller's notifications: the list, pop-ups, and preferences. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, instant, versionOrNone } from '../ground/fields.ts'
import { keysetPage, keysetQuery } from '../ground/paging.ts'
import { notificationChannels, notificationLevels, notificationTopicNames } from './kinds.ts'

const topic = z.enum(notificationTopicNames)

/** A notification in the caller's language; the texts are those of its mail. */
const notification = z.object({
  id,
  kind: z.string(),
  topic,
  /** The tone of the pop-up. */
  level: z.enum(notificationLevels),
  title: z.string(),
  text: z.string(),
  /** The page that it opens; null: none. */
  path: z.nullable(z.string()),
  /** The number of items that it is about. */
  items: z.number(),
  createdAt: instant,
  readAt: z.nullable(instant),
})
export type Notification = z.output<typeof notification>

/** Counted up to a hundred, so that a long list does not slow the count down. */
const unread = z.number()

export const notificationFilters = {
  /** Only those that were not read. */
  unread: z.optional(z.enum(['true', 'false'])),
  topic: z.optional(topic),
}

export const listNotifications = endpoint({
  id: 'notifications.list',
  method: 'GET',
  path: '/api/customer/notifications',
  access: 'signedIn',
  summary: "The caller's notifications, newest first; `unread` counts up to a hundred",
  query: z.extend(keysetQuery(), notificationFilters),
  response: z.extend(keysetPage(notification), { unread }),
})

export const readNotifications = endpoint({
  id: 'notifications.read',
  method: 'POST',
  path: '/api/customer/notifications/read',
  access: 'signedIn',
  summary: "Marks the caller's notifications as read: these ids, or all. Other ids are ignored",
  body: z.union([
    z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(200)) }),
    z.object({ all: z.literal(true) }),
  ]),
  response: z.object({ unread }),
})

/**
 * Each notification is returned once per device (session), however many tabs ask. Only those of the last hour pop up;
 * older ones are in the list only.
 */
export const notificationAlert = endpoint({
  id: 'notifications.alert',
  method: 'GET',
  path: '/api/customer/notifications/browser/alert',
  access: 'signedIn',
  summary: 'The pop-ups for this browser, each shown once per device, and the number of unread notifications',
  response: z.object({ alerts: z.array(notification), unread }),
})

/** `HH:mm`. */
const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

const preferences = z.object({
  topics: z.array(
    z.object({
      topic,
      channels: z.array(
        z.object({
          channel: z.enum(notificationChannels),
          on: z.boolean(),
          /** Cannot be switched off. */
          fixed: z.boolean(),
        }),
      ),
    }),
  ),
  /** The hours in which nothing that can wait is mailed, pushed or popped up; null: no quiet hours. */
  quietHours: z.nullable(z.object({ from: timeOfDay, until: timeOfDay })),
  version: z.number(),
})

export const getNotificationPreferences = endpoint({
  id: 'notifications.preferences',
  method: 'GET',
  path: '/api/customer/notifications/preferences',
  access: 'signedIn',
  summary: 'The topics that the caller receives by mail, push and pop-up, and the quiet hours',
  response: preferences,
})

export const putNotificationPreferences = endpoint({
  id: 'notifications.putPreferences',
  method: 'PUT',
  path: '/api/customer/notifications/preferences',
  access: 'signedIn',
  summary: 'Switches channels of topics on or off, and sets the quiet hours. A stale version answers 409',
  body: z.object({
    channels: z
      .array(z.object({ topic, channel: z.enum(notificationChannels), on: z.boolean() }))
      .check(z.maxLength(100)),
    quietHours: z.nullable(z.object({ from: timeOfDay, until: timeOfDay })),
    /** 0 until the caller has saved preferences. */
    version: versionOrNone,
  }),
  response: preferences,
})
