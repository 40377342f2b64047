/**
 * The kinds of notifications and their channels: the one table behind the list, e-mails, push messages and pop-ups.
 *
 * To add a kind: one row in `notificationKinds`, its texts in `mail.<kind>` of both locale files (`subject` is the
 * title in the list too, `body` its text), and a call of `notify` in the transaction of the change.
 */

/** Where a notification can appear besides the list, which contains all of them. */
export const notificationChannels = ['mail', 'push', 'popup'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** `always`: users cannot switch it off. `on` and `off` are defaults that users may change. */
type ChannelDefault = 'always' | 'on' | 'off'

type Topic = {
  readers: 'everybody' | 'customers' | 'staff'
  /** About the user, not the business of the account. The owner does not get it for a member who has left. */
  personal?: true
} & Readonly<Record<NotificationChannel, ChannelDefault>>

/**
 * Topics that users can switch on and off for each channel. Mails about the sign-in, about money and about decisions
 * with a deadline cannot be switched off: without them a user could lose money or the account.
 */
export const notificationTopics = {
  security: { readers: 'everybody', personal: true, mail: 'always', push: 'on', popup: 'on' },
  account: { readers: 'customers', personal: true, mail: 'always', push: 'on', popup: 'on' },
  money: { readers: 'customers', mail: 'always', push: 'on', popup: 'on' },
  decisions: { readers: 'customers', mail: 'always', push: 'on', popup: 'on' },
  delivered: { readers: 'customers', mail: 'off', push: 'on', popup: 'on' },
  parcels: { readers: 'customers', mail: 'on', push: 'on', popup: 'on' },
  bulk: { readers: 'customers', mail: 'on', push: 'on', popup: 'on' },
  addresses: { readers: 'customers', mail: 'on', push: 'on', popup: 'on' },
  messages: { readers: 'everybody', mail: 'on', push: 'on', popup: 'on' },
  tickets: { readers: 'customers', mail: 'on', push: 'on', popup: 'on' },
  approvals: { readers: 'customers', personal: true, mail: 'on', push: 'on', popup: 'on' },
  cod: { readers: 'customers', mail: 'on', push: 'on', popup: 'on' },
  work: { readers: 'staff', mail: 'off', push: 'on', popup: 'on' },
  failures: { readers: 'staff', mail: 'on', push: 'on', popup: 'on' },
} as const satisfies Record<string, Topic>
export type NotificationTopic = keyof typeof notificationTopics
export const notificationTopicNames = Object.keys(notificationTopics) as [NotificationTopic, ...NotificationTopic[]]

export const notificationLevels = ['success', 'warning', 'error', 'info'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** One kind of notification. */
type Kind = {
  topic: NotificationTopic
  level: NotificationLevel
  /** The page that it opens; `:id` stands for the id of its subject. */
  opens?: string
  /** The page for staff, if it differs. */
  opensForStaff?: string
  /** The page for several notifications at once, if it differs. */
  opensSeveral?: string
  /** Codes, links and mails to people without a login: never in the list, on a screen or in a push message. */
  mailOnly?: true
  /** Does not wait for the end of the reader's quiet hours. */
  urgent?: true
  /** Confirms an action of the reader: in the list and by mail, without a pop-up or push message. */
  confirms?: true
  /**
   * Several within a few minutes are merged ("37 parcels were delivered"). Mail, push and pop-up wait until that time
   * is over. Only for callers that may wait for each other, because one entry per reader is locked.
   */
  collects?: true
}

const secret = { topic: 'security', level: 'info', mailOnly: true, urgent: true } as const
const invitation = { topic: 'account', level: 'info', mailOnly: true, urgent: true } as const
const security = {
  topic: 'security',
  level: 'warning',
  opens: '/forgot-password',
  opensForStaff: '/forgot-password?staff=1',
  urgent: true,
} as const
const identity = { ...security, opens: '/profile', opensForStaff: '/staff/profile', confirms: true } as const
const byMail = { topic: 'decisions', level: 'info', mailOnly: true, urgent: true } as const
const order = { topic: 'money', level: 'info', opens: '/orders/:id' } as const
const ownOrder = { ...order, confirms: true } as const
const parcel = { topic: 'decisions', level: 'warning', opens: '/parcels/:id' } as const

/** Every kind; the key is also the name of its texts in `mail` of the locale files. */
export const notificationKinds = {
  register_code: secret,
  register_known: secret,
  reset_password: secret,
  wallet_otp: secret,
  identity_code: secret,
  delete_account: secret,
  offer_ownership: secret,
  change_factor: secret,
  connect_identity: secret,
  member_invited: invitation,
  member_joins: invitation,
  member_known: invitation,
  member_password: invitation,
  staff_invited: invitation,
  staff_joins: invitation,
  staff_password: invitation,
  superadmin_created: invitation,
  mail_test: invitation,

  password_changed: { ...security, confirms: true },
  new_device: security,
  second_factor_set: { ...security, confirms: true },
  second_factor_reset: security,
  identity_connected: identity,
  identity_removed: identity,
  wallet_pin_changed: { ...security, opens: '/wallet', confirms: true },
  wallet_locked: { ...security, opens: '/wallet' },

  account_active: { topic: 'account', level: 'success', opens: '/login' },
  account_inactive: { topic: 'account', level: 'error', opens: '/login', urgent: true },
  account_blacklisted: { topic: 'account', level: 'error', urgent: true },
  ownership_offered: { topic: 'account', level: 'warning', opens: '/profile' },
  ownership_declined: { topic: 'account', level: 'info', opens: '/users' },
  ownership_given: { topic: 'account', level: 'warning', opens: '/dashboard', urgent: true },
  ownership_taken: { topic: 'account', level: 'success', opens: '/users' },
  webhook_disabled: { topic: 'account', level: 'error', opens: '/developers' },

  wallet_low: { topic: 'money', level: 'warning', opens: '/wallet/top-up' },
  payment_late: { ...order, level: 'warning' },
  payment_twice: { ...order, level: 'warning' },
  withdrawal_wallet: { topic: 'money', level: 'info', opens: '/wallet' },
  withdrawal_advance: { topic: 'money', level: 'info', opens: '/statements' },
  withdrawal_returned_wallet: { topic: 'money', level: 'warning', opens: '/wallet' },
  withdrawal_returned_advance: { topic: 'money', level: 'warning', opens: '/statements' },
  receipt_cancelled: { topic: 'money', level: 'warning', opens: '/statements' },
  statement_issued: { topic: 'money', level: 'info', opens: '/statements' },
  statement_overdue: { topic: 'money', level: 'error', opens: '/statements' },
  cancelled: ownOrder,
  cancelled_wallet: ownOrder,
  cancelled_card: ownOrder,
  cancelled_receivable: ownOrder,
  refund_done: { ...order, level: 'success' },
  refund_failed: { ...order, level: 'warning' },
  cod_payout: { topic: 'cod', level: 'success', opens: '/cod' },

  reweighed: parcel,
  weight_corrected: { ...parcel, level: 'info' },
  weight_upheld: parcel,
  weight_upheld_paid: { ...parcel, level: 'info' },
  weight_adjusted: { ...parcel, level: 'info' },
  weight_waived: { ...parcel, level: 'success' },
  delivery_failed: parcel,
  delivery_failed_carrier: { ...parcel, topic: 'parcels' },
  carrier_booking_failed: { ...parcel, topic: 'parcels' },
  delivery_given_up: parcel,
  delivery_failed_receiver: byMail,
  /** To a sender without an account, with a link. */
  delivery_failed_walk_in: byMail,
  collect_ready: byMail,
  collect_reminder: byMail,
  collect_over: byMail,
  collect_ready_sender: { ...parcel, level: 'info' },
  collect_reminder_sender: parcel,
  collect_over_sender: parcel,
  parcel_delivered: {
    topic: 'delivered',
    level: 'success',
    opens: '/parcels/:id',
    opensSeveral: '/parcels?tab=delivered',
    collects: true,
  },
  parcel_lost: { ...parcel, level: 'error' },
  parcel_found: { ...parcel, level: 'success' },
  parcel_stuck: { topic: 'parcels', level: 'warning', opens: '/parcels/:id', opensSeveral: '/parcels?tab=moving' },
  parcel_late: { topic: 'parcels', level: 'warning', opens: '/parcels/:id', opensSeveral: '/parcels?tab=moving' },

  follow_confirm: byMail,
  follow_again: byMail,
  follow_update: byMail,
  follow_ended: byMail,

  bulk_failed: { topic: 'bulk', level: 'error', opens: '/parcels/bulk/:id' },
  address_request: byMail,
  address_filled_in: { topic: 'addresses', level: 'success', opens: '/address-book?sort=-createdAt' },

  approval_asked: { topic: 'approvals', level: 'warning', opens: '/approvals' },
  approvals_yours: { topic: 'account', level: 'warning', opens: '/approvals' },
  approval_approved: { topic: 'approvals', level: 'success', opens: '/orders/:id' },
  approval_declined: { topic: 'approvals', level: 'warning', opens: '/cart' },
  approval_expired: { topic: 'approvals', level: 'warning', opens: '/cart' },

  message_received: { topic: 'messages', level: 'info', opens: '/messages/:id', opensForStaff: '/staff/inbox/:id' },
  ticket_due: { topic: 'work', level: 'info', opens: '/staff/tickets/:id' },
  ticket_closed: { topic: 'tickets', level: 'info', opens: '/tickets/:id' },
  artwork_decided: { topic: 'tickets', level: 'info', opens: '/tickets/:id' },
  claim_documents: { topic: 'decisions', level: 'warning', opens: '/tickets/:id' },
  claim_paid: { topic: 'money', level: 'success', opens: '/tickets/:id' },
  claim_refused: { topic: 'money', level: 'warning', opens: '/tickets/:id' },
  claim_lapsed: { topic: 'money', level: 'warning', opens: '/tickets/:id' },
  claim_found: { topic: 'work', level: 'warning', opens: '/staff/tickets/:id' },

  weight_contested: { topic: 'work', level: 'warning', opens: '/staff/disputes', collects: true },
  carrier_booking_attention: { topic: 'work', level: 'warning', opens: '/staff/carriers', collects: true },
  gateway_trouble: { topic: 'failures', level: 'error', opens: '/staff/finance', collects: true },
  failed_work: { topic: 'failures', level: 'error', opens: '/staff/failed-work' },
} as const satisfies Record<string, Kind>
export type NotificationKind = keyof typeof notificationKinds

/** The row of a kind. Undefined for a kind of a newer or an older release. */
export function findKind(kind: string): Kind | undefined {
  return Object.hasOwn(notificationKinds, kind) ? notificationKinds[kind as NotificationKind] : undefined
}

/** The names of all kinds. */
export const notificationKindNames = Object.keys(notificationKinds) as NotificationKind[]
