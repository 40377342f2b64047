import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'

/**
 * Every call that the specification lists (section 7), with its exact path. A `CRUD on <path>` is list, create, read,
 * update and delete; where the specification leaves the form of a path open, both forms are here
 * (docs/rules/parcels.md).
 */
const crud = (path: string) => [
  `GET ${path}`,
  `POST ${path}`,
  `GET ${path}/{id}`,
  `PUT ${path}/{id}`,
  `DELETE ${path}/{id}`,
]
const under = (base: string, ...calls: string[]) =>
  calls.map((call) => {
    const [method, path = ''] = call.split(' ')
    return `${method} ${base}${path}`
  })

const specified: readonly string[] = [
  // Auth
  ...under(
    '/api/customer/auth',
    'POST /login',
    'POST /register',
    'POST /register/verify',
    'GET /profile',
    'PUT /profile',
    'GET /photo',
    'DELETE /{id}/account',
    'PUT /corp/consent',
    'POST /forget-password',
    'POST /reset-password',
    'POST /password',
  ),
  // Settings
  'GET /api/customer/settings/general',
  'GET /api/customer/settings/options',
  'PUT /api/settings',
  'GET /api/customer/selectors/{name}',
  // Corporate users
  ...crud('/api/customer/corporate'),
  'PUT /api/customer/corporate/{id}/{status}',
  // Attachments
  'POST /api/attachments/create',
  'POST /api/attachments/update/{id}',
  'DELETE /api/attachments/delete/{id}',
  'GET /api/attachments/{id}',
  'GET /{id}/file',
  // Stations
  ...under(
    '/api/customer/stations',
    'GET',
    'GET /service-centers/nearby/{x}',
    'GET /self_collection',
    'GET /dropoff',
    'GET /hub',
  ),
  ...under('/api/public/stations', 'GET', 'GET /service-centers/cover', 'GET /service-centers/nearby'),
  // Logs and reports
  'GET /api/logs',
  ...under('/api/customer/reports/orders', 'GET', 'GET /pdf', 'GET /excel'),
  // Address
  ...crud('/api/customer/address'),
  ...under('/api/customer/address', 'GET /default', 'POST /get-available-postcode', 'POST /get-postcode'),
  // Pending checkout
  'GET /api/core/stations',
  'DELETE /api/core/stations',
  // Wallets
  ...under(
    '/api/customer/wallets',
    'GET /history',
    'POST /pin/verify',
    'POST /pin/change',
    'POST /pin/set',
    'POST /otp/verify',
    'POST /topup',
    'PUT /pin/change/verify',
    'PUT /pin/forget/verify',
  ),
  'GET /api/customer/payments/{id}',
  // Parcels
  ...under(
    '/api/customer/parcels',
    'GET /bulk/{id}',
    'GET /cart',
    'GET /outstanding',
    'GET /{id}',
    'GET /multiple/{ids}',
    'GET /trackno/{no}',
    'GET /cartCount',
    'GET /generate-cn',
    'GET /pickup-list',
    'GET /gunny',
    'POST /calculate-vweight',
    'POST /calculate-multiple-vweight',
    'POST /tracks',
    'POST /bulk',
    'POST /bulk/cart',
    'POST /gunny',
    'POST /remove',
    'POST /bulk/clear',
    'POST /cancel',
    'PUT /bulk-multiple',
    'PUT',
    'PUT /{id}/insurance',
    'PUT /service',
    'PUT /{id}/service',
    'PUT /self-collect',
    'PUT /{id}/self-collect',
  ),
  'POST /api/public/parcels/tracking',
  'GET /api/public/parcels/tracking',
  // Prices
  ...under('/api/customer/prices', 'POST /services', 'POST /summary', 'POST /insurance', 'POST /pickup'),
  // Chat
  'GET /api/customer/chat/messages/{id}',
  'POST /api/customer/chat/message',
  // Orders and payments
  ...under('/api/customer/orders', 'GET /{id}/invoice', 'GET /{id}/invoice/print', 'GET /xls', 'POST /{id}/cancel'),
  ...under(
    '/api/customer/payments',
    'POST /express_credit/{id}',
    'POST /express_credit/outstanding',
    'POST /store/{id}',
    'POST /corporate/{id}',
  ),
  // Notifications
  'POST /api/customer/notifications/read',
  'GET /api/customer/notifications/browser/alert',
  // Other
  ...crud('/api/customer/dashboard'),
  ...crud('/api/customer/zone'),
  ...crud('/api/customer/banners'),
  'GET /api/customer/pickup-request',
  'POST /api/customer/profile/{id}/resend-login-credential',
]

/** Calls that are not served yet. This list only shrinks: one that is served must leave it. */
const unserved: readonly string[] = [
  'GET /api/logs',
  'GET /api/customer/reports/orders',
  'GET /api/customer/reports/orders/pdf',
  'GET /api/customer/reports/orders/excel',
  'POST /api/customer/notifications/read',
  'GET /api/customer/notifications/browser/alert',
  'POST /api/customer/dashboard',
  'GET /api/customer/dashboard/{id}',
  'PUT /api/customer/dashboard/{id}',
  'DELETE /api/customer/dashboard/{id}',
]

/** `/x/:id` and `/x/{id}` are the same path, whatever the parameter is called. */
const shape = (call: string) => call.replace(/:\w+|\{\w+\}/g, '{}')

describe('the calls of the specification', () => {
  let test: TestApp
  let served: Set<string>
  let documented: Set<string>
  beforeAll(async () => {
    test = await buildTestApp()
    served = new Set(test.app.routes.map(({ method, url }) => shape(`${method} ${url}`)))
    const { paths } = (await test.app.inject('/api/openapi.json')).json() as { paths: Record<string, object> }
    documented = new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => shape(`${method.toUpperCase()} ${path}`)),
      ),
    )
  })

  const isThere = (call: string) => served.has(shape(call)) && documented.has(shape(call))

  it('are written down once each', () => {
    expect(new Set(specified).size).toBe(specified.length)
    expect(unserved.filter((call) => !specified.includes(call))).toEqual([])
  })

  it('are served and documented, but for those that are owed', () => {
    expect(specified.filter((call) => !isThere(call) && !unserved.includes(call))).toEqual([])
  })

  it('leave the list of those owed when they are served', () => {
    expect(unserved.filter(isThere)).toEqual([])
  })

  it('are the same in the document and in the router', () => {
    const api = [...served].filter((call) => / \/(api|\{\}\/file)/.test(call) && !/ \/api\/(docs|openapi)/.test(call))
    expect([...documented].sort()).toEqual(api.sort())
  })
})
