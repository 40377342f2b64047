/** Creates records of an account by kind. `id-kinds.ts` lists the kind of each id in a request. */
import { createAddressImport } from '@waybill/contract/addresses/import'
import { createAddressRequest } from '@waybill/contract/addresses/requests'
import { getDashboard, updateWidget } from '@waybill/contract/dashboard/dashboard'
import { createApiKey } from '@waybill/contract/integrations/api-keys'
import { createWebhook, testWebhook } from '@waybill/contract/integrations/webhooks'
import { askApproval } from '@waybill/contract/orders/approvals'
import { createDossier } from '@waybill/contract/orders/dossier'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder, listCreditNotes } from '@waybill/contract/orders/refunds'
import { createBulk } from '@waybill/contract/parcels/bulk'
import { createGunny } from '@waybill/contract/parcels/gunny'
import { createArtwork, createPrintRun } from '@waybill/contract/parcels/labels'
import { payInStore } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { createReportFile } from '@waybill/contract/reports/files'
import { sql } from 'kysely'
import { newId } from '../../src/lib/ids.ts'
import type { TestApp } from './app.ts'
import { createCustomer, type TestCustomer } from './factories/accounts.ts'
import { addAddress } from './factories/addresses.ts'
import { uploadPhoto } from './factories/attachments.ts'
import { allowBilling } from './factories/billing.ts'
import { findCounter, handedOver } from './factories/handed-over.ts'
import { fillCart, payCredits, placeOrder } from './factories/orders.ts'
import { createParcel } from './factories/parcels.ts'
import { createClaimTicket, createInsured, createPlainTicket } from './factories/tickets.ts'
import { upload } from './forms.ts'

/** The owner of a company with credits and a PIN, and a member who needs approval for every order. */
export type Company = TestCustomer & { member: TestCustomer }

/**
 * A record. `version` is for calls that check it. `others` has further ids that the same request needs, such as the
 * order of a credit note.
 */
export type Made = { id: string; version?: number; others?: Record<string, string> }
type Make = (test: TestApp, company: Company) => Promise<Made>

function required<T extends { status: number; body: unknown; error: unknown }>(answer: T): T['body'] {
  if (answer.status !== 200) throw new Error(`no record: ${JSON.stringify(answer.error)}`)
  return answer.body
}

async function paidOrder(test: TestApp, company: Company): Promise<OrderDetail> {
  const order = await placeOrder(test, company)
  required(await payCredits(test, company, order))
  return order
}

type CreditNoteIds = { id: string; orderId: string; parcelId: string }

async function makeCreditNote(test: TestApp, company: Company): Promise<CreditNoteIds> {
  const { id: orderId, parcels } = await paidOrder(test, company)
  const body = { reason: 'changed my mind', refundTo: 'wallet' as const }
  required(await test.call(cancelOrder, { token: company.token, params: { id: orderId }, body }))
  const notes = required(await test.call(listCreditNotes, { token: company.token, params: { id: orderId } }))
  return { id: notes.items[0]?.id ?? '', orderId, parcelId: parcels[0]?.id ?? '' }
}

async function makeDelivery(test: TestApp, { token }: Company): Promise<{ id: string; webhookId: string }> {
  const body = { url: 'https://receiver.example/hook', events: ['order.paid' as const] }
  const { webhook } = required(await test.call(createWebhook, { token, body }))
  const { id } = required(await test.call(testWebhook, { token, params: { id: webhook.id } }))
  return { id, webhookId: webhook.id }
}

async function makeBatch(test: TestApp, { token }: Company): Promise<string> {
  const { id } = required(await test.call(createBulk, { token, body: { rows: [{ receiverName: 'Siti' }] } }))
  await test.settle()
  return id
}

async function makeNumbered(test: TestApp, company: Company): Promise<string> {
  const parcel = await createParcel(test, company, { status: 'pending_dropoff', delivery_mode: 'P2D' })
  return parcel.tracking_number ?? ''
}

/** Creates a record of each kind. */
export const makers = {
  user: async (test, { accountId }) => {
    const { userId } = await createCustomer(test, { userType: 'corporate', accountId, isOwner: false })
    return { id: userId }
  },
  self: async (_test, { userId }) => ({ id: userId }),
  session: async (test, { userId }) => {
    const row = { id: newId(), user_id: userId, token_hash: Buffer.alloc(32), expires_at: new Date(Date.now() + 1e8) }
    await test.deps.db.insertInto('sessions').values(row).execute()
    return { id: row.id }
  },
  author: async (test, company) => {
    await createParcel(test, company)
    return { id: company.userId }
  },
  address: (test, company) => addAddress(test, company),
  addressImport: async (test, { token }) => {
    const bytes = new TextEncoder().encode('Name,Phone,Address\nSiti,+60123456789,12 Jalan Telawi\n')
    const file = { name: 'addresses.csv', type: 'text/csv', bytes }
    const created = required(await upload(test, createAddressImport, { token, file }))
    await test.settle()
    return created
  },
  addressRequest: async (test, { token }) =>
    required(await test.call(createAddressRequest, { token, body: { label: 'Siti', email: null } })).request,
  identity: async (test, { userId }) => {
    await sql`delete from identities where user_id = ${userId}::uuid`.execute(test.deps.db)
    const row = { user_id: userId, kind: 'customer', provider: 'keycloak', issuer: 'https://id.example' }
    const id = newId()
    await test.deps.db
      .insertInto('identities')
      .values({ id, subject: id, ...row })
      .execute()
    return { id }
  },
  attachment: (test, { token }) => uploadPhoto(test, token, 'parcel_photo'),
  profilePhoto: (test, { token }) => uploadPhoto(test, token, 'profile_photo'),
  ticketFile: (test, { token }) => uploadPhoto(test, token, 'ticket_document'),
  insured: (test, company) => createInsured(test, company),
  claim: (test, company) => createClaimTicket(test, company),
  ticket: (test, company) => createPlainTicket(test, company),
  messageFile: (test, { token }) => uploadPhoto(test, token, 'message'),
  disputePhoto: (test, { token }) => uploadPhoto(test, token, 'dispute_photo'),
  draft: async (test, company) => (await fillCart(test, company))[0] as Made,
  parcel: (test, company) => createParcel(test, company, { status: 'pending_dropoff', delivery_mode: 'P2D' }),
  fetched: (test, company) => createParcel(test, company, { status: 'pending_pickup', delivery_mode: 'D2D' }),
  undelivered: (test, company) => createParcel(test, company, { status: 'fail-to-deliver', delivery_mode: 'P2D' }),
  owing: (test, company) =>
    createParcel(test, company, { status: 'outstanding', delivery_mode: 'P2D', amount_due_minor: 500 }),
  number: async (test, company) => ({ id: await makeNumbered(test, company) }),
  carried: async (test, company) => {
    const { id } = await createParcel(test, company, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    await sql`
      insert into carrier_labels (account_id, parcel_id, pdf, at)
      values (${company.accountId}::uuid, ${id}::uuid, '%PDF-', now())`.execute(test.deps.db)
    return { id }
  },
  weighed: async (test, company) => {
    const { counter } = await findCounter(test)
    const { id } = await handedOver(test, company, counter)
    const body = { weightGrams: 5200, scaleReading: '5.200 kg' }
    required(await test.call(reweighParcel, { token: counter.token, params: { id }, body }))
    return { id }
  },
  order: (test, company) => placeOrder(test, company),
  counterOrder: async (test, company) => {
    const { id, totalMinor } = await placeOrder(test, company)
    const body = { expectedTotalMinor: totalMinor }
    required(await test.call(payInStore, { token: company.token, params: { id }, body }))
    return { id }
  },
  paidOrder,
  orderedParcel: async (test, company) => {
    const { id, parcels } = await paidOrder(test, company)
    return { id: parcels[0]?.id ?? '', others: { id } }
  },
  payment: async (test, company) => {
    const order = await placeOrder(test, company)
    return { id: required(await payCredits(test, company, order)).id }
  },
  creditNote: async (test, company) => {
    const note = await makeCreditNote(test, company)
    return { id: note.id, others: { id: note.orderId } }
  },
  creditedOrder: async (test, company) => {
    const note = await makeCreditNote(test, company)
    return { id: note.orderId, others: { creditNoteId: note.id } }
  },
  creditedParcel: async (test, company) => {
    const note = await makeCreditNote(test, company)
    return { id: note.parcelId, others: { id: note.orderId } }
  },
  approval: async (test, company) => {
    await allowBilling(test, company)
    const order = await placeOrder(test, company.member)
    return required(await test.call(askApproval, { token: company.member.token, body: { orderId: order.id } }))
  },
  statement: async (test, { accountId }) => {
    const id = newId()
    await sql`
      insert into corporate_statements (account_id, id, number, month, currency, opening_minor, charges_minor,
        credits_minor, receipts_minor, closing_minor, due_on, issued_at, begins_at, ends_at)
      values (${accountId}::uuid, ${id}::uuid, ${id}, (select coalesce(max(month), '2020-01-01') + interval '1 month'
        from corporate_statements), 'MYR', 0, 0, 0, 0, 0, '2026-01-01', now(),
        '2020-01-01', '2020-02-01')`.execute(test.deps.db)
    return { id }
  },
  payout: async (test, { accountId }) => {
    const id = newId()
    await sql`
      insert into cod_payouts (account_id, id, number, currency, parcel_count, collected_minor, fee_minor, created_at)
      values (${accountId}::uuid, ${id}::uuid, ${id}, 'MYR', 1, 100, 1, now())`.execute(test.deps.db)
    return { id }
  },
  batch: async (test, company) => ({ id: await makeBatch(test, company) }),
  usedBatch: async (test, company) => {
    const id = await makeBatch(test, company)
    await createParcel(test, company, { batch_id: id })
    return { id }
  },
  pickup: async (test, company) => {
    const order = await placeOrder(test, company, { mode: 'D2D' })
    required(await payCredits(test, company, order))
    const { rows } = await sql<{ id: string }>`
      select id from pickup_requests where account_id = ${company.accountId}::uuid order by id desc limit 1`.execute(
      test.deps.db,
    )
    return { id: rows[0]?.id ?? '' }
  },
  gunny: async (test, company) => {
    const body = { numbers: [await makeNumbered(test, company)] }
    return required(await test.call(createGunny, { token: company.token, body }))
  },
  packedNumber: async (test, company) => {
    const number = await makeNumbered(test, company)
    const { id } = required(await test.call(createGunny, { token: company.token, body: { numbers: [number] } }))
    return { id: number, others: { id } }
  },
  printRun: async (test, company) => {
    const { id } = await createParcel(test, company, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    return required(await test.call(createPrintRun, { token: company.token, body: { ids: [id], format: 'a6' } }))
  },
  dossier: async (test, company) => {
    const { id } = await createParcel(test, company, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const body = { format: 'pdf' as const, parcelId: id }
    const dossier = required(await test.call(createDossier, { token: company.token, body }))
    await test.settle()
    return dossier
  },
  reportFile: async (test, company) => {
    const file = required(await test.call(createReportFile, { token: company.token, body: { format: 'csv' } }))
    await test.settle()
    return file
  },
  artworkPicture: (test, { token }) => uploadPhoto(test, token, 'artwork'),
  artwork: async (test, company) => {
    await sql`delete from account_artworks where account_id = ${company.accountId}::uuid`.execute(test.deps.db)
    const { id } = await uploadPhoto(test, company.token, 'artwork')
    return required(await test.call(createArtwork, { token: company.token, body: { attachmentId: id } }))
  },
  // An offer from the owner to the same owner, so that one caller may withdraw, decline and accept it.
  ownershipOffer: async (test, { accountId, userId }) => {
    await sql`delete from ownership_offers where account_id = ${accountId}::uuid`.execute(test.deps.db)
    const id = newId()
    const times = { created_at: new Date(), expires_at: new Date(Date.now() + 1e8) }
    await test.deps.db
      .insertInto('ownership_offers')
      .values({ id, account_id: accountId, from_user_id: userId, to_user_id: userId, ...times })
      .execute()
    return { id }
  },
  pushDevice: async (test, { userId: user_id }) => {
    const id = newId()
    const row = { id, user_id, session_id: newId(), endpoint: `https://push.example/${id}`, p256dh: '', auth: '' }
    await test.deps.db
      .insertInto('push_subscriptions')
      .values({ ...row, created_at: new Date() })
      .execute()
    return { id }
  },
  // Widgets of the default arrangement are not stored yet; moving one stores them.
  widget: async (test, { token }) => {
    const { widgets } = required(await test.call(getDashboard, { token }))
    const [first] = widgets
    if (!first) throw new Error('no widget')
    const { id, size, version } = first
    return required(await test.call(updateWidget, { token, params: { id }, body: { order: 1, size, version } }))
  },
  notification: async (test, { userId: user_id }) => {
    const [id, at] = [newId(), new Date()]
    const row = { id, user_id, kind: 'wallet_low', created_at: at, delivered_at: at }
    await test.deps.db.insertInto('notifications').values(row).execute()
    return { id }
  },
  apiKey: async (test, { token }) =>
    required(await test.call(createApiKey, { token, body: { name: 'Shop', scopes: ['parcels'] } })).apiKey,
  webhook: async (test, company) => {
    const { id, webhookId } = await makeDelivery(test, company)
    return { id: webhookId, others: { deliveryId: id } }
  },
  delivery: async (test, company) => {
    const { id, webhookId } = await makeDelivery(test, company)
    return { id, others: { id: webhookId } }
  },
} as const satisfies Record<string, Make>

export type Kind = keyof typeof makers
