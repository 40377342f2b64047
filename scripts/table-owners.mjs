// The owner of each table, and the files that may still access a table of another area. Used by check-structure.mjs;
// the reasons are in docs/decisions/0059-foreign-tables.md.

/** Each table with its area. Tables of the runtime belong to no domain (outbox, HTTP limits, the activity log). */
export const tableOwners = Object.fromEntries(
  Object.entries({
    runtime: ['activity_log', 'idempotency_keys', 'outbox', 'outbox_failed', 'rate_limits'],
    settings: ['settings'],
    attachments: ['attachments', 'loose_files'],
    notifications: ['notification_popups', 'notification_preferences', 'notifications', 'push_subscriptions'],
    legal: ['legal_texts'],
    accounts: [
      'account_notes',
      'account_status_changes',
      'account_views',
      'accounts',
      'identities',
      'known_devices',
      'one_time_codes',
      'ownership_offers',
      'second_factors',
      'sessions',
      'users',
    ],
    'sheet-imports': ['sheet_import_rows', 'sheet_imports'],
    stations: ['holidays', 'station_coverage', 'stations', 'zone_areas', 'zones'],
    addresses: ['addresses', 'address_distinctions', 'address_imports', 'address_import_rows', 'address_requests'],
    pricing: ['carrier_rules', 'rate_cards', 'rate_lines', 'services'],
    wallet: [
      'journal_entries',
      'journal_postings',
      'ledger_accounts',
      'trial_balances',
      'wallet_pins',
      'wallet_preferences',
    ],
    integrations: ['api_key_spending', 'api_keys', 'webhook_deliveries', 'webhooks'],
    carriers: ['carrier_bookings', 'carrier_checkpoints', 'carrier_labels'],
    parcels: [
      'account_artworks',
      'bag_parcels',
      'bags',
      'bulk_batches',
      'bulk_column_names',
      'bulk_rows',
      'delivery_choices',
      'delivery_tasks',
      'gunnies',
      'gunny_checks',
      'parcel_proofs',
      'parcel_search',
      'parcel_weighings',
      'parcels',
      'print_runs',
      'stock_counts',
      'tracking_events',
      'trip_loads',
      'trips',
    ],
    tracking: ['tracking_follows'],
    pickups: ['pickup_requests', 'station_pickup_capacity', 'station_pickup_days', 'station_pickup_week'],
    orders: [
      'corporate_receipts',
      'corporate_statements',
      'credit_notes',
      'document_counters',
      'dossiers',
      'invoices',
      'order_approvals',
      'orders',
      'refunded_parcels',
      'refunds',
    ],
    reports: ['report_files'],
    payments: [
      'cash_counts',
      'cash_drawers',
      'cash_hand_ins',
      'cash_movements',
      'cod_collections',
      'cod_payouts',
      'gateway_messages',
      'payments',
    ],
    chat: ['chat_answers', 'chat_messages', 'chat_threads'],
    tickets: ['claims', 'ticket_documents', 'tickets'],
    content: ['banners'],
    dashboard: ['account_figure_changes', 'account_figures', 'dashboards'],
    setup: ['setup_confirmations'],
  }).flatMap(([owner, tables]) => tables.map((table) => [table, owner])),
)

/**
 * Files with SQL on tables of another area, each with its tables and the reason. This list may only shrink: an entry
 * that is no longer needed fails the check.
 */
export const foreignTables = {
  'server/src/domains/account-closure/queries.ts': {
    tables: [
      'account_notes',
      'accounts',
      'address_requests',
      'api_keys',
      'claims',
      'cod_collections',
      'idempotency_keys',
      'identities',
      'journal_postings',
      'known_devices',
      'ledger_accounts',
      'notification_preferences',
      'notifications',
      'one_time_codes',
      'order_approvals',
      'orders',
      'parcel_weighings',
      'parcels',
      'payments',
      'pickup_requests',
      'push_subscriptions',
      'refunds',
      'sessions',
      'users',
      'wallet_pins',
      'wallet_preferences',
      'webhooks',
    ],
    reason: 'a deleted account is judged in one statement, and cleared in one place that nobody can forget',
  },
  'server/src/domains/account-closure/queries-erasure.ts': {
    tables: [
      'activity_log',
      'carrier_bookings',
      'delivery_choices',
      'delivery_tasks',
      'invoices',
      'parcel_proofs',
      'parcel_weighings',
      'parcels',
      'tracking_events',
      'webhook_deliveries',
      'webhooks',
    ],
    reason: 'the job of a deletion erases what is personal, in one place that nobody can forget',
  },
  'server/src/domains/failed-work/queries.ts': {
    tables: ['outbox', 'outbox_failed'],
    reason: 'the domain is the screen of what the runtime set aside',
  },
  'server/src/domains/notifications/queries-inbox.ts': {
    tables: ['sessions'],
    reason: 'pop-ups begin with the session in which they are shown',
  },
  'server/src/domains/notifications/push/queries.ts': {
    tables: ['sessions'],
    reason: 'a browser gets push messages until its session ends, whichever way that happens',
  },
  'server/src/domains/notifications/queries.ts': {
    tables: ['users'],
    reason: 'every domain notifies users, even accounts, so recipients are found below all domains',
  },
  'server/src/domains/orders/refunds/queries.ts': {
    tables: ['accounts', 'payments'],
    reason: 'the work list of refunds joins the account and the payment of each',
  },
  'server/src/domains/payments/cod/queries.ts': {
    tables: ['delivery_tasks', 'parcels', 'users'],
    reason: 'a collection is written with facts of its parcel and its rider in one statement',
  },
  'server/src/domains/parcels/pickup-side/queries-visits.ts': {
    tables: ['pickup_requests'],
    reason: 'the price in the cart depends on visits, and a parcel is without a rider if its visit has ended',
  },
  'server/src/domains/dashboard/queries.ts': {
    tables: ['parcels'],
    reason: 'the dashboard counts parcels without progress, which only time makes',
  },
}

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)(\/\/|--).*$/gm, '$1')

/** `select … from a x, b y`, `join a`, `insert into a`, `update a`, and the calls of Kysely: the names after them. */
const clause = /from|join|into|update|using|lock table|selectFrom|insertInto|updateTable|deleteFrom|mergeInto|\w+Join/
const opening = /\s+(?:only\s+)?|\(\s*\[?\s*['"`]/
const tablePattern = /\w+(?:\s+(?:as\s+)?\w+)?/
const namedTables = new RegExp(
  `\\b(?:${clause.source})\\b(?:${opening.source})(${tablePattern.source}(?:\\s*,\\s*${tablePattern.source})*)`,
  'gi',
)

/** The tables that a file's SQL reads or writes. Names of common table expressions are excluded. */
export function tablesIn(text) {
  const names = [...withoutComments(text).matchAll(namedTables)].flatMap(([, list]) =>
    list.split(',').map((item) => item.trim().split(/\s/)[0]),
  )
  return [...new Set(names)].filter((name) => Object.hasOwn(tableOwners, name)).sort()
}
