// Reads values that are not stored from the API of a complete demo, as its screens do.
import { labelValues, notificationTypeLabels, trackingStatusLabels } from '@waybill/contract/ground/enums'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { demoMembers, demoPassword } from '../../src/demo/story/logins.ts'
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
}
