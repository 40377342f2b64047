// Every kind of notification: the list and the emails have the same entries with the same texts.
import { readFileSync } from 'node:fs'
import { type Locale, locales } from '@waybill/contract/ground/constants'
import { findKind, notificationKindNames, notificationTopics } from '@waybill/contract/notifications/kinds'
import {
  getNotificationPreferences,
  listNotifications,
  putNotificationPreferences,
} from '@waybill/contract/notifications/notifications'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { deliverNotifications } from '../../src/domains/notifications/deliver.ts'
import { notify } from '../../src/domains/notifications/notify.ts'
import { minutes } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'

type User = { userId: string; token: string; email: string }

const { mail: texts } = JSON.parse(
  readFileSync(new URL('../../../web/public/locales/en/global.json', import.meta.url), 'utf8'),
) as { mail: Record<string, Record<string, string>> }

/** Variables that every text has. */
const givenNames = ['name', 'count', 'appName', 'companyName']

/** A value for each other variable in the texts of a kind. */
function makeFacts(kind: string): Record<string, string> {
  const names = Object.values(texts[kind] ?? {}).flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)])
  return Object.fromEntries(
    names.map(([, name = '']) => [name, `a ${name}`]).filter(([name = '']) => !givenNames.includes(name)),
  )
}

/** Mails break their lines. */
const squeeze = (text: string) => text.replace(/\s+/g, '')

const isForStaff = (kind: string) => {
  const topic = findKind(kind)?.topic
  return topic !== undefined && notificationTopics[topic].readers === 'staff'
}

describe('the notifications of every kind', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  /** Sets the language of a user, and switches on the topics that are not mailed by default. */
  async function prepare({ userId, token }: User, locale: Locale): Promise<void> {
    await test.deps.db.updateTable('users').set({ language: locale }).where('id', '=', userId).execute()
    const { version, topics } = (await test.call(getNotificationPreferences, { token })).body
    const channels = topics.map(({ topic }) => ({ topic, channel: 'mail' as const, on: true }))
    const answer = await test.call(putNotificationPreferences, { token, body: { channels, quietHours: null, version } })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
  }

  it.each(locales)(
    'are in the list and in the emails with the same text; secrets are only mailed (%s)',
    async (language) => {
      const customer = await createCustomer(test)
      const staff = await createStaff(test, { role: 'admin' })
      for (const user of [customer, staff]) await prepare(user, language)
      expect(notificationKindNames.length).toBeGreaterThanOrEqual(35)
      for (const kind of notificationKindNames) {
        const { userId } = isForStaff(kind) ? staff : customer
        const notice = { kind, to: { users: [userId] }, subjectId: newId(), facts: makeFacts(kind) }
        await tx(test.deps.db, (trx) => notify(test.deps, trx, notice))
      }
      test.clock.advance(minutes(4))
      await deliverNotifications(test.deps)
      await test.settle()
      for (const { token, email } of [customer, staff]) {
        const { items } = (await test.call(listNotifications, { token, language, query: { limit: '200' } })).body
        const kinds = notificationKindNames.filter((kind) => isForStaff(kind) === (email === staff.email))
        const listed = kinds.filter((kind) => !findKind(kind)?.mailOnly)
        expect(items.map(({ kind }) => kind).sort()).toEqual([...listed].sort())
        const mails = test.mailbox.mails().filter((mail) => mail.to.includes(email))
        expect(mails).toHaveLength(kinds.length)
        for (const { kind, title, text } of items) {
          expect(title + text, kind).not.toMatch(/\{\{|mail\./)
          const same = mails.filter((mail) => mail.subject === title && squeeze(mail.text).includes(squeeze(text)))
          expect(same, kind).toHaveLength(1)
        }
      }
    },
  )
})
