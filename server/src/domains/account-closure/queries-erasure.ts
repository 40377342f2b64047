/**
 * Statements that erase a deleted account's stored data, each at most `limit` rows, so that no lock is held long.
 * docs/rules/account-erasure.md says for every table what happens to it. All are repeatable: they match only data that
 * is still there.
 */
import { type RawBuilder, sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../db/pool.ts'
import { erasedMarks } from '../../lib/text/erased.ts'

/** Erases at most `limit` rows. Returns how many. */
export type Erasure = (db: DbOrTx, limit: number) => Promise<number>

/** Replaces a telephone number: valid in form, but never assigned. */
const noPhone = '+10000000'

/** Overwrites a contact. Town and country stay, which the books need for taxes and reports. */
const erasedContact = sql`${JSON.stringify({
  contactName: erasedMarks.text,
  company: null,
  phone: noPhone,
  email: null,
  line1: erasedMarks.text,
  line2: null,
  remarks: null,
})}::jsonb`

async function countRows(db: DbOrTx, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await statement.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Tables whose rows of an account are deleted, in this order: earlier ones can still add rows to later ones. */
const deletedTables = [
  'address_requests',
  'address_import_rows',
  'address_imports',
  'address_distinctions',
  'addresses',
  'bulk_rows',
  'bulk_batches',
  'bulk_column_names',
  'parcel_search',
  'carrier_labels',
  'account_artworks',
  'ownership_offers',
  'dashboards',
  'chat_messages',
  'chat_threads',
  'ticket_documents',
] as const

/** Deletes rows of one table. */
const deletion =
  (accountId: string, table: (typeof deletedTables)[number]): Erasure =>
  (db, limit) =>
    countRows(
      db,
      sql`
        delete from ${sql.table(table)}
        where ctid = any(array(
          select ctid from ${sql.table(table)} where account_id = ${accountId}::uuid limit ${limit}::int
        ))`,
    )

/** Updates rows of one table: `matches` selects those that still hold personal data. */
const blanking =
  (accountId: string, table: string, assignments: RawBuilder<unknown>, matches: RawBuilder<unknown>): Erasure =>
  (db, limit) =>
    countRows(
      db,
      sql`
        update ${sql.table(table)} set ${assignments}
        where ctid = any(array(
          select ctid from ${sql.table(table)}
          where account_id = ${accountId}::uuid and ${matches}
          limit ${limit}::int
        ))`,
    )

/** The webhooks' log of deliveries. */
const deliveries =
  (accountId: string): Erasure =>
  (db, limit) =>
    countRows(
      db,
      sql`
        delete from webhook_deliveries
        where id in (
          select d.id
          from webhooks w
          join webhook_deliveries d on d.webhook_id = w.id
          where w.account_id = ${accountId}::uuid
          limit ${limit}::int
        )`,
    )

/** Removes the subject and name of photos and documents; a cleanup deletes them after a day. */
const uploads = (accountId: string, at: Date): Erasure =>
  blanking(
    accountId,
    'attachments',
    sql`subject_kind = null, subject_id = null, claimed_at = null, name = '', updated_at = ${at}::timestamptz`,
    sql`(claimed_at is not null or name <> '')`,
  )

/** All erasures of an account except parcels and activity, ordered so that no erased row can reappear. */
export function listErasures(accountId: string, at: Date): Erasure[] {
  const blank = (table: string, assignments: RawBuilder<unknown>, matches: RawBuilder<unknown>) =>
    blanking(accountId, table, assignments, matches)
  return [
    ...deletedTables.map((table) => deletion(accountId, table)),
    deliveries(accountId),
    (db) => countRows(db, sql`delete from webhooks where account_id = ${accountId}::uuid`),
    uploads(accountId, at),
    blank('tickets', sql`title = '', description = ''`, sql`(title <> '' or description <> '')`),
    blank('claims', sql`decision_note = null`, sql`decision_note is not null`),
    blank('pickup_requests', sql`address = address || ${erasedContact}, failure_note = null`, openPickups),
    blank(
      'orders',
      sql`buyer = null`,
      sql`buyer is not null and not exists (
        select 1 from invoices i where i.account_id = orders.account_id and i.order_id = orders.id)`,
    ),
    blank(
      'orders',
      sql`pickup = jsonb_set(pickup, '{address}', pickup -> 'address' || ${erasedContact})`,
      sql`pickup #>> '{address,contactName}' <> ${erasedMarks.text}`,
    ),
    blank('order_approvals', sql`note = null, reason = null`, sql`(note is not null or reason is not null)`),
    blank('refunds', sql`note = null`, sql`note is not null`),
    blank('corporate_receipts', sql`cancel_reason = ${erasedMarks.text}`, sql`cancel_reason <> ${erasedMarks.text}`),
    blank('account_status_changes', sql`reason = ${erasedMarks.text}`, sql`reason <> ${erasedMarks.text}`),
    blank('rate_cards', sql`name = ${erasedMarks.text}`, sql`name <> ${erasedMarks.text}`),
  ]
}

const openPickups = sql`(address ->> 'contactName' <> ${erasedMarks.text} or failure_note is not null)`

/** The account's parcels after `after`, in the order of their ids. */
export async function listParcelsAfter(
  db: DbOrTx,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const beyond = after === null ? sql`` : sql`and id > ${after}::uuid`
  const { rows } = await sql<{ id: string }>`
    select id
    from parcels
    where account_id = ${accountId}::uuid ${beyond}
    order by id
    limit ${limit}::int`.execute(db)
  return rows.map(({ id }) => id)
}

/** Erases personal data from parcels and from their history. */
export async function erasePeopleOfParcels(db: DbOrTx, accountId: string, ids: readonly string[]): Promise<void> {
  const own = sql`account_id = ${accountId}::uuid and parcel_id = any(${ids}::uuid[])`
  await sql`
    update parcels
    set sender = sender || ${erasedContact}, receiver = receiver || ${erasedContact}, reference = null,
      content_description = null, unfinished = null, shipped_anyway = null, photo_ids = '{}',
      customs = customs || '{"reasonText": null, "comments": null, "licenceNumber": null, "certificateNumber": null}'
    where ${belongsTo(accountId)} and id = any(${ids}::uuid[])`.execute(db)
  await sql`
    update parcel_proofs
    set recipient_name = ${erasedMarks.text}, signature_path = null, id_document = null, id_last4 = null
    where ${own}`.execute(db)
  await sql`update delivery_choices set receiver_before = null where ${own}`.execute(db)
  await sql`update delivery_tasks set failure_note = null where ${own}`.execute(db)
  await sql`update carrier_bookings set problem_said = null where ${own}`.execute(db)
  await sql`
    update parcel_weighings
    set reason = null, decision_note = null, photo_id = null, photo_ids = '{}'
    where ${own}`.execute(db)
  await sql`update tracking_events set note = null where ${own} and note is not null`.execute(db)
}

/**
 * Erases client addresses and details of what users did. Details of money and terms stay without their reasons, because
 * the books refer to them; so does the entry of the deletion itself, which proves who requested it.
 */
export const eraseActivity =
  (accountId: string | null, userIds: readonly string[]): Erasure =>
  (db, limit) =>
    countRows(
      db,
      sql`
        update activity_log
        set ip = null,
          detail = case when action ~ ${bookkeeping} then detail - 'reason' else '{}' end
        where id in (
          select id
          from activity_log
          where (account_id = ${accountId}::uuid or user_id = any(${userIds}::uuid[]))
            and action not in ('account.deleted', 'corporate.memberLeft')
            and (ip is not null or detail ? 'reason' or detail <> '{}' and action !~ ${bookkeeping})
          limit ${limit}::int
        )`,
    )
const bookkeeping = '^(billing|cash|cod|orders|rates|refund|wallet)\\.'
