/**
 * Every call that the specification lists (section 7), with its exact path. If the specification allows two formats of
 * a path, both are here (docs/rules/parcels.md). `spec-coverage.test.ts` checks that they have a route;
 * `scripts/api-coverage.mjs` writes docs/api-coverage.md from them.
 */

/** `CRUD on <path>` means list, create, read, update and delete. */
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

export const specifiedCalls: readonly { group: string; calls: readonly string[] }[] = [
  {
    group: 'Auth',
    calls: [
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
    ],
  },
  {
    group: 'Settings',
    calls: [
      'GET /api/customer/settings/general',
      'GET /api/customer/settings/options',
      'PUT /api/settings',
      'GET /api/customer/selectors/{name}',
    ],
  },
  {
    group: 'Corporate users',
    calls: [...crud('/api/customer/corporate'), 'PUT /api/customer/corporate/{id}/{status}'],
  },
  {
    group: 'Attachments',
    calls: [
      'POST /api/attachments/create',
      'POST /api/attachments/update/{id}',
      'DELETE /api/attachments/delete/{id}',
      'GET /api/attachments/{id}',
      'GET /{id}/file',
    ],
  },
  {
    group: 'Stations',
    calls: [
      ...under(
        '/api/customer/stations',
        'GET',
        'GET /service-centers/nearby/{x}',
        'GET /self_collection',
        'GET /dropoff',
        'GET /hub',
      ),
      ...under('/api/public/stations', 'GET', 'GET /service-centers/cover', 'GET /service-centers/nearby'),
    ],
  },
  {
    group: 'Logs and reports',
    calls: ['GET /api/logs', ...under('/api/customer/reports/orders', 'GET', 'GET /pdf', 'GET /excel')],
  },
  {
    group: 'Address',
    calls: [
      ...crud('/api/customer/address'),
      ...under('/api/customer/address', 'GET /default', 'POST /get-available-postcode', 'POST /get-postcode'),
    ],
  },
  {
    group: 'Pending checkout',
    calls: ['GET /api/core/stations', 'DELETE /api/core/stations'],
  },
  {
    group: 'Wallets',
    calls: [
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
    ],
  },
  {
    group: 'Parcels',
    calls: [
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
    ],
  },
  {
    group: 'Prices',
    calls: [...under('/api/customer/prices', 'POST /services', 'POST /summary', 'POST /insurance', 'POST /pickup')],
  },
  {
    group: 'Chat',
    calls: ['GET /api/customer/chat/messages/{id}', 'POST /api/customer/chat/message'],
  },
  {
    group: 'Orders and payments',
    calls: [
      ...under('/api/customer/orders', 'GET /{id}/invoice', 'GET /{id}/invoice/print', 'GET /xls', 'POST /{id}/cancel'),
      ...under(
        '/api/customer/payments',
        'POST /express_credit/{id}',
        'POST /express_credit/outstanding',
        'POST /store/{id}',
        'POST /corporate/{id}',
      ),
    ],
  },
  {
    group: 'Notifications',
    calls: ['POST /api/customer/notifications/read', 'GET /api/customer/notifications/browser/alert'],
  },
  {
    group: 'Other',
    calls: [
      ...crud('/api/customer/dashboard'),
      ...crud('/api/customer/zone'),
      ...crud('/api/customer/banners'),
      'GET /api/customer/pickup-request',
      'POST /api/customer/profile/{id}/resend-login-credential',
    ],
  },
]

/** `/x/:id` and `/x/{id}` are the same path, whatever the name of the parameter. */
export const callShape = (call: string): string => call.replace(/:\w+|\{\w+\}/g, '{}')
