/** Every screen of the portal with a user who can see it, for the journey that checks them and for their pictures. */

/** The viewer: a visitor who is not signed in, or a demo login. */
export const logins = {
  visitor: null,
  individual: { email: 'aisyah@example.com' },
  company: { email: 'owner@kinabalu.example' },
  onlooker: { email: 'viewer@kinabalu.example' },
  staff: { email: 'kl@waybill.example' },
  finance: { email: 'accounts@waybill.example' },
  pricer: { email: 'product@waybill.example' },
  keeper: { email: 'it@waybill.example' },
  admin: { email: 'admin@waybill.example' },
} as const
export type Who = keyof typeof logins

export type Screen = {
  /** The path as in `web/src/app/routes`, or the path of a page with its own entry. */
  route: string
  who: Who
  /** The values of the route's parameters and its query; `$id` is looked up. */
  at?: string
  /** The source of `$id`: the first item that the call lists. */
  id?: { list: string; of: (item: Record<string, unknown>) => unknown }
  /** The user has no permission for the screen, which shows a message. */
  forbidden?: true
  /** The key of the text of its heading. */
  heading?: string
  /** The status of a refused first call, if the screen shows that. */
  refused?: 422
}

const first = (list: string, of: (item: Record<string, unknown>) => unknown = ({ id }) => id) => ({ list, of })
const parcels = (tab: string) => first(`parcels?limit=1&tab=${tab}`)

/** The id of a payment from the reference that the gateway knows it by: `P` and the id in base 36. */
function paymentId(reference: string): string {
  const value = [...reference.slice(1)].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Every screen with data of the demo. A screen that looks different with other data is listed several times. */
export const screens: readonly Screen[] = [
  { route: '/', who: 'visitor' },
  { route: '/login', who: 'visitor' },
  { route: '/staff/login', who: 'visitor' },
  { route: '/register', who: 'visitor' },
  { route: '/register/verify', who: 'visitor' },
  { route: '/auth/callback', who: 'visitor' },
  { route: '/forgot-password', who: 'visitor' },
  { route: '/reset-password', who: 'visitor' },
  { route: '/public/stations', who: 'visitor' },
  { route: '/public/prices', who: 'visitor', at: '/public/prices?from=50480&to=93100&grams=1200' },
  { route: '/public/terms', who: 'visitor' },
  { route: '/public/privacy', who: 'visitor' },
  { route: '/public/contact', who: 'visitor' },
  { route: '/public/track-parcels', who: 'visitor' },
  { route: '/nowhere', who: 'visitor' },
  // Without the link of a mail, it shows that the link is no longer valid.
  {
    route: '/public/delivery/$token',
    who: 'visitor',
    at: '/public/delivery/none',
    refused: 422,
    heading: 'receiverChoice.deadTitle',
  },
  { route: '/public/address/$token', who: 'visitor', at: '/public/address/none', refused: 422 },
  { route: '/public/following/$token', who: 'visitor', at: '/public/following/none', refused: 422 },

  { route: '/dashboard', who: 'individual' },
  { route: '/parcels', who: 'individual' },
  { route: '/parcels', who: 'individual', at: '/parcels?q=nothing-has-this-name' },
  { route: '/parcels/new', who: 'individual' },
  { route: '/parcels/new', who: 'individual', at: '/parcels/new?repeat=$id', id: parcels('delivered') },
  { route: '/parcels/new', who: 'individual', at: '/parcels/new?id=$id', id: parcels('draft') },
  { route: '/parcels/$id', who: 'individual', id: parcels('delivered') },
  { route: '/parcels/$id', who: 'individual', id: parcels('moving') },
  { route: '/parcels/$id', who: 'individual', id: parcels('problem') },
  { route: '/parcels/$id', who: 'individual', id: parcels('draft') },
  { route: '/parcels/bulk', who: 'individual' },
  { route: '/parcels/bulk/$id', who: 'individual', id: first('parcels/bulk?limit=1') },
  { route: '/cart', who: 'individual' },
  { route: '/cart', who: 'individual', at: '/cart?tab=dropoff' },
  { route: '/checkout/$orderId', who: 'individual', id: first('orders?limit=1') },
  { route: '/orders', who: 'individual' },
  { route: '/orders/$id', who: 'individual', id: first('orders?limit=1') },
  {
    route: '/payments/$id',
    who: 'individual',
    // The payment of an order continues at the checkout; that of a top-up stays on its page.
    id: first('wallets/history?limit=1&kind=topup', ({ reference }) => paymentId(String(reference))),
  },
  { route: '/pickups', who: 'individual' },
  { route: '/outstanding', who: 'individual' },
  { route: '/outstanding', who: 'company' },
  { route: '/gunny', who: 'individual' },
  { route: '/gunny/new', who: 'individual' },
  { route: '/gunny/$id', who: 'individual', id: first('parcels/gunny?limit=1') },
  { route: '/gunny/$id', who: 'individual', id: first('parcels/gunny?limit=1&status=closed') },
  { route: '/messages', who: 'individual' },
  { route: '/messages/$id', who: 'individual', id: first('chat/threads?limit=1') },
  { route: '/tickets', who: 'individual' },
  { route: '/tickets/$id', who: 'individual', id: first('tickets?limit=1&tab=all') },
  { route: '/tickets/$id', who: 'company', id: first('tickets?limit=1&tab=all&kind=branding') },
  { route: '/address-book', who: 'individual' },
  { route: '/address-book/import', who: 'individual' },
  { route: '/address-book/import/$id', who: 'individual', id: first('address/imports?limit=1') },
  { route: '/address-book/duplicates', who: 'individual' },
  { route: '/address-book/links', who: 'individual' },
  { route: '/stations', who: 'individual' },
  { route: '/wallet', who: 'individual' },
  { route: '/wallet/top-up', who: 'individual' },
  { route: '/profile', who: 'individual' },
  { route: '/profile/delete', who: 'individual' },
  { route: '/preferences', who: 'individual' },
  { route: '/notifications', who: 'individual' },
  { route: '/activity', who: 'company' },

  { route: '/dashboard', who: 'company' },
  { route: '/parcels', who: 'company' },
  { route: '/parcels/$id', who: 'company', id: parcels('moving') },
  { route: '/cart', who: 'company' },
  { route: '/orders', who: 'company' },
  { route: '/orders/$id', who: 'company', id: first('orders?limit=1') },
  { route: '/pickups', who: 'company' },
  { route: '/address-book', who: 'company' },
  { route: '/wallet', who: 'company' },
  { route: '/statements', who: 'company' },
  { route: '/reports', who: 'company' },
  { route: '/reports', who: 'company', at: '/reports?from=2016-01-01&to=2026-01-01', refused: 422 },
  { route: '/cod', who: 'company' },
  { route: '/users', who: 'company' },
  { route: '/developers', who: 'company' },
  { route: '/developers', who: 'individual' },
  {
    route: '/developers/webhooks/$id',
    who: 'company',
    at: '/developers/webhooks/$id',
    id: first('webhooks'),
  },
  { route: '/approvals', who: 'company' },
  { route: '/approvals', who: 'company', at: '/approvals?tab=decided' },

  { route: '/dashboard', who: 'onlooker' },
  { route: '/parcels', who: 'onlooker' },
  { route: '/parcels/new', who: 'onlooker' },
  { route: '/parcels/bulk', who: 'onlooker', forbidden: true },
  { route: '/cart', who: 'onlooker' },
  { route: '/address-book', who: 'onlooker' },
  { route: '/wallet', who: 'onlooker', forbidden: true },
  { route: '/wallet/top-up', who: 'onlooker', forbidden: true },
  { route: '/statements', who: 'onlooker', forbidden: true },
  { route: '/reports', who: 'onlooker', forbidden: true },
  { route: '/users', who: 'onlooker', forbidden: true },
  { route: '/approvals', who: 'onlooker', forbidden: true },
  { route: '/cod', who: 'onlooker', forbidden: true },
  { route: '/developers', who: 'onlooker', forbidden: true },
  { route: '/activity', who: 'onlooker', forbidden: true },
  { route: '/gunny/new', who: 'onlooker', forbidden: true },

  { route: '/staff', who: 'staff' },
  { route: '/staff/counter', who: 'staff' },
  { route: '/staff/counter/walk-in', who: 'staff' },
  { route: '/staff/cash', who: 'staff' },
  { route: '/staff/cash/shifts', who: 'staff' },
  { route: '/staff/pickups', who: 'staff' },
  { route: '/staff/stock', who: 'staff' },
  { route: '/staff/stock', who: 'staff', at: '/staff/stock?tab=late' },
  { route: '/staff/deliveries', who: 'staff' },
  { route: '/staff/scan', who: 'staff' },
  {
    route: '/staff/parcels/$no',
    who: 'staff',
    at: '/staff/parcels/$id',
    id: first('/api/staff/deliveries?limit=1', ({ trackingNumber }) => trackingNumber),
  },
  {
    route: '/staff/parcels/$no',
    who: 'finance',
    at: '/staff/parcels/$id',
    id: first('/api/staff/weight-disputes?limit=1', ({ trackingNumber }) => trackingNumber),
  },
  { route: '/staff/disputes', who: 'finance' },
  { route: '/staff/tickets', who: 'finance' },
  { route: '/staff/tickets/$id', who: 'finance', id: first('/api/staff/tickets?limit=1&tab=all&kind=claim') },
  { route: '/staff/inbox', who: 'finance' },
  { route: '/staff/inbox/$id', who: 'finance', id: first('/api/staff/chat/threads?limit=1') },
  { route: '/staff/artworks', who: 'finance' },
  { route: '/staff/accounts', who: 'finance' },
  {
    route: '/staff/accounts/$id',
    who: 'finance',
    at: '/staff/accounts/$id',
    id: first('/api/staff/accounts?tab=corporate&limit=1'),
  },
  { route: '/staff/reweigh', who: 'staff' },
  { route: '/staff/gunny', who: 'staff' },
  { route: '/staff/bags', who: 'staff' },
  { route: '/staff/trips', who: 'staff' },
  ...['loading', 'under_way', 'unloading', 'closed'].map(
    (status): Screen => ({
      route: '/staff/trips/$id',
      who: 'staff',
      at: '/staff/trips/$id',
      id: first(`/api/staff/trips?limit=1&status=${status}`),
    }),
  ),
  { route: '/staff/finance', who: 'finance' },
  { route: '/staff/finance', who: 'finance', at: '/staff/finance?part=shifts' },
  { route: '/staff/finance', who: 'finance', at: '/staff/finance?part=companies' },
  { route: '/staff/finance', who: 'finance', at: '/staff/finance?part=cod' },
  { route: '/staff/finance', who: 'finance', at: '/staff/finance?part=trial' },
  { route: '/staff/finance', who: 'finance', at: '/staff/finance?part=movements' },
  { route: '/staff/rates', who: 'pricer' },
  { route: '/staff/rates', who: 'pricer', at: '/staff/rates?view=services' },
  { route: '/staff/rates', who: 'pricer', at: '/staff/rates?view=accounts' },
  { route: '/staff/rates/$id', who: 'pricer', at: '/staff/rates/$id', id: first('/api/staff/rate-cards?state=draft') },
  { route: '/staff/sheets/$kind', who: 'pricer', at: '/staff/sheets/zones' },
  { route: '/staff/zones', who: 'pricer' },
  {
    route: '/staff/sheets/$kind',
    who: 'pricer',
    at: '/staff/sheets/rate-lines?card=$id',
    id: first('/api/staff/rate-cards?state=draft'),
  },
  { route: '/staff/setup', who: 'admin' },
  // These three share a heading, so on a phone another screen must be opened between them.
  { route: '/staff/team', who: 'admin' },
  { route: '/staff/stations', who: 'admin' },
  { route: '/staff/sheets/$kind', who: 'admin', at: '/staff/sheets/coverage' },
  { route: '/staff/team', who: 'admin', at: '/staff/team?part=customers' },
  { route: '/staff/finance', who: 'finance', at: '/staff/finance?part=gateway' },
  { route: '/staff/profile', who: 'staff' },
  { route: '/staff/preferences', who: 'staff' },
  { route: '/staff/notifications', who: 'staff' },
  { route: '/staff/deliveries', who: 'staff', at: '/staff/deliveries?view=failed&tab=waiting' },
  { route: '/staff/failed-work', who: 'admin' },
  { route: '/staff/logs', who: 'admin' },
  { route: '/staff/reports', who: 'admin' },
  { route: '/staff/users', who: 'admin' },
  { route: '/staff/content', who: 'admin' },
  { route: '/staff/content/texts', who: 'admin' },
  { route: '/staff/quotes', who: 'finance' },
  { route: '/staff/capacity', who: 'staff' },
  { route: '/staff/holidays', who: 'keeper' },
  ...['fees', 'delivery', 'parcels', 'wallet', 'company', 'access'].map(
    (part): Screen => ({ route: '/staff/settings', who: 'keeper', at: `/staff/settings?part=${part}` }),
  ),
  { route: '/staff/carriers', who: 'staff' },
  { route: '/staff/carriers', who: 'staff', at: '/staff/carriers?tab=booked' },
]

/** The screen's URL, with its parameter replaced by an id from `list`. */
export async function screenAddress(
  { route, at = route, id }: Screen,
  list: (path: string) => Promise<Record<string, unknown>[]>,
): Promise<string> {
  if (!id) return at
  const [item] = await list(id.list.startsWith('/') ? id.list : `/api/customer/${id.list}`)
  if (!item) throw new Error(`the demo has no ${id.list}`)
  return at.replace(/\$(id|orderId)/, String(id.of(item)))
}
