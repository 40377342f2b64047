// Reads from a complete demo what no enumeration shows, values that are not stored through its API.
import { notificationTypeLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { trackingStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { loadStates } from '@waybill/contract/parcels/transport/trips'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { demoMembers, demoPassword } from '../../src/demo/story/logins.ts'
import { readTrip } from '../../src/domains/parcels/trips/service.ts'
import { queryRows } from './query.ts'

/** The tracking page accepts thirty numbers at a time. */
const maxNumbers = 30

/** Tests of a complete demo on the server that `getApp` returns. */
export function describeAnswers(getApp: () => FastifyInstance): void {
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await getApp().inject({ method: 'GET', url, headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }

  test('public tracking shows every tracking status', async () => {
    const parcels = await queryRows<{ no: string }>(
      'select tracking_number as no from parcels where tracking_number is not null order by 1',
      getApp().deps,
    )
    const statuses = new Set<string>()
    for (let at = 0; at < parcels.length; at += maxNumbers) {
      const numbers = parcels.slice(at, at + maxNumbers).map(({ no }) => no)
      const { found: parcelsFound } = await get(`/api/public/parcels/tracking?no=${numbers.join(',')}`)
      for (const { trackingStatus } of parcelsFound as { trackingStatus: string }[]) statuses.add(trackingStatus)
    }
    expect(statuses).toEqual(new Set(labelValues(trackingStatusLabels)))
  })

  test('trips show every state of a load', async () => {
    const states = new Set<string>()
    const deps = getApp().deps
    for (const { id } of await queryRows<{ id: string }>('select id from trips order by id', deps)) {
      for (const { state } of (await readTrip(deps.db, id)).loads) states.add(state)
    }
    expect([...states].sort()).toEqual([...loadStates].sort())
  })

  test('the notifications of customers and staff have every type', async () => {
    const types = new Set<string>()
    const logins = [
      ...demoMembers.map(({ email }) => ({ email, url: '/api/customer/auth/login' })),
      { email: 'accounts@waybill.example', url: '/api/staff/auth/login' },
    ]
    for (const { email, url } of logins) {
      const login = await getApp().inject({ method: 'POST', url, payload: { email, password: demoPassword } })
      const headers = { authorization: `Bearer ${login.json().token}` }
      const { items } = await get('/api/customer/notifications?limit=200', headers)
      for (const { level } of items as { level: string }[]) types.add(level)
    }
    expect(types).toEqual(new Set(labelValues(notificationTypeLabels)))
  })

  test('writes Chinese with customers who read Chinese, and only with them', async () => {
    const texts = await queryRows<{ source: string; text: string; language: string }>(
      `select source, text, owner.language from (
         select account_id, 'message' as source, text from chat_messages
         union all select account_id, 'title', title from tickets where title <> ''
         union all select account_id, 'description', description from tickets where description <> ''
         union all select account_id, 'decision', decision_note from claims where decision_note is not null
         union all select account_id, 'objection', reason from parcel_weighings where reason is not null
         union all select account_id, 'ruling', decision_note from parcel_weighings where decision_note is not null
         union all select account_id, 'remarks', remarks from addresses where remarks is not null
         union all select account_id, 'contents', content_description from parcels where content_description <> ''
       ) written join users owner using (account_id) where owner.is_owner`,
      getApp().deps,
    )
    const isMixed = ({ text, language }: (typeof texts)[number]) =>
      /\p{Script=Han}/u.test(text) !== (language === 'cn_zh')
    expect(texts.filter(isMixed)).toEqual([])
    const chineseSources = texts.filter(({ language }) => language === 'cn_zh').map(({ source }) => source)
    expect(new Set(chineseSources)).toEqual(
      new Set(['message', 'title', 'description', 'objection', 'ruling', 'remarks', 'contents']),
    )
  })

  test('has nobody who was invited and has signed in, or who has a password and never signed in', async () => {
    const query = `select name from users where removed_at is null
      and (invited_email is not null or password_hash is null) is distinct from (last_login_at is null)`
    expect(await queryRows(query, getApp().deps)).toEqual([])
  })

  test('has what no status shows: invited users, photos, artwork, alerts, and orders paid at a counter', async () => {
    const countRows = async (query: string) => {
      const [row] = await queryRows<{ count: number }>(`select count(*)::int as count from ${query}`, getApp().deps)
      return row?.count ?? 0
    }
    const sources = {
      'invited customers': `users where kind = 'customer' and password_hash is null and removed_at is null`,
      'invited staff': `users where kind = 'staff' and password_hash is null and removed_at is null`,
      'photos of parcels': `parcels where photo_ids <> '{}'`,
      'photos of users': `users where photo_id is not null`,
      signatures: 'parcel_proofs where signature_path is not null',
      'photos of weighings': `parcel_weighings where photo_id is not null`,
      artwork: 'account_artworks where attachment_id is not null',
      'wallet alerts': `notifications where kind = 'wallet_low'`,
      'orders paid at a counter': `cash_movements where kind = 'sale'`,
    }
    const missing: string[] = []
    for (const [name, query] of Object.entries(sources)) if ((await countRows(query)) === 0) missing.push(name)
    expect(missing).toEqual([])
  })
}
