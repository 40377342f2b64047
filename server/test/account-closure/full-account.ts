/** An account that has used every feature, with people in every table that can name them. */
import { addAccountNote } from '@waybill/contract/accounts/directory'
import { putPhoto, putPreferences } from '@waybill/contract/accounts/profile'
import { getProfile } from '@waybill/contract/accounts/sign-in'
import { createAddressImport } from '@waybill/contract/addresses/import'
import { createAddressRequest } from '@waybill/contract/addresses/requests'
import { sendMessage } from '@waybill/contract/chat/chat'
import { createApiKey } from '@waybill/contract/integrations/api-keys'
import { createWebhook } from '@waybill/contract/integrations/webhooks'
import { expect } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import type { TestApp } from '../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { addAddress } from '../testing/factories/addresses.ts'
import { uploadPhoto } from '../testing/factories/attachments.ts'
import { readRows } from '../testing/factories/bulk.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { testReceiver } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'
import { upload } from '../testing/forms.ts'

export const password = 'correct horse battery'

/** A customer who can confirm the deletion with a password. */
export async function createOwner(test: TestApp): Promise<TestCustomer> {
  const owner = await createCustomer(test, {
    userType: 'corporate',
    name: 'Zulaikha Kuznetsova',
    email: 'zulaikha@example.test',
    password,
  })
  const { db } = test.deps
  const titles = { job_title: 'Owner (Zulaikha)', cost_centre: 'zulaikha' }
  await db.updateTable('users').set(titles).where('id', '=', owner.userId).execute()
  const billing = { billing_address: '1 Jalan Zulaikha', tax_number: 'T Zulaikha', registration_number: 'R Zulaikha' }
  await db.updateTable('accounts').set(billing).where('id', '=', owner.accountId).execute()
  return owner
}

/** A company with two orders: one paid with an invoice, one cancelled. Its parcels are delivered. */
export async function ship(test: TestApp, owner: TestCustomer): Promise<string> {
  const { db } = test.deps
  await setWalletPin(test, owner)
  const order = await placeOrder(test, owner, { mode: 'D2D' })
  await fundWallet(test, owner, order.totalMinor)
  expect((await payCredits(test, owner, order)).status).toBe(200)
  const unpaid = await placeOrder(test, owner)
  await db.updateTable('orders').set({ status: 'cancel' }).where('id', '=', unpaid.id).execute()
  await test.settle()
  await db.updateTable('parcels').set({ status: 'completed' }).where('account_id', '=', owner.accountId).execute()
  await db
    .updateTable('pickup_requests')
    .set({ status: 'completed', failure_note: 'Zulaikha was out' })
    .where('account_id', '=', owner.accountId)
    .execute()
  const { id } = await db
    .selectFrom('parcels')
    .select('id')
    .where('account_id', '=', owner.accountId)
    .executeTakeFirstOrThrow()
  return id
}

/** What people and carriers wrote during the transport of a parcel. */
export async function writeAboutParcel(test: TestApp, owner: TestCustomer, parcelId: string): Promise<void> {
  const { db } = test.deps
  const at = test.clock.now()
  const own = { account_id: owner.accountId, parcel_id: parcelId }
  const note = 'Zulaikha'
  const photo = await uploadPhoto(test, owner.token, 'parcel_photo')
  await db
    .updateTable('attachments')
    .set({ subject_kind: 'parcel', subject_id: parcelId, claimed_at: at, name: 'zulaikha.jpg' })
    .where('id', '=', photo.id)
    .execute()
  await db
    .updateTable('parcels')
    .set({
      reference: note,
      content_description: note,
      photo_ids: [photo.id],
      unfinished: JSON.stringify({ sender: { contactName: note } }),
      shipped_anyway: JSON.stringify([{ field: 'sender.city', written: note }]),
      customs: JSON.stringify({ reason: 'gift', reasonText: note, comments: note, items: [] }),
    })
    .where('id', '=', parcelId)
    .execute()
  const proof = { recipient_name: note, signature_path: note, id_document: note, id_last4: '1234' }
  await db
    .insertInto('parcel_proofs')
    .values({ ...own, ...proof })
    .execute()
  await db
    .insertInto('delivery_choices')
    .values({
      ...own,
      id: newId(),
      attempt: 1,
      kind: 'correct',
      chosen_by: 'receiver',
      currency: 'MYR',
      receiver_before: JSON.stringify(testReceiver()),
    })
    .execute()
  await db
    .insertInto('delivery_tasks')
    .values({ ...own, id: newId(), status: 'completed', failure_note: note })
    .execute()
  await db
    .insertInto('carrier_bookings')
    .values({
      ...own,
      carrier: 'dhl',
      tracking_number: 'X1',
      state: 'cancelled',
      next_try_at: null,
      problem_said: note,
    })
    .execute()
  await db
    .insertInto('carrier_labels')
    .values({ ...own, pdf: Buffer.from(note), at })
    .execute()
  await db.updateTable('tracking_events').set({ note }).where('parcel_id', '=', parcelId).execute()
  await db
    .insertInto('parcel_weighings')
    .values({
      ...own,
      id: newId(),
      tracking_number: 'X1',
      state: 'adjusted',
      weighed_by: owner.userId,
      weight_grams: 1,
      declared_grams: 1,
      difference_minor: 0,
      currency: 'MYR',
      price_before: '{}',
      price_after: '{}',
      reason: note,
      decision_note: note,
      photo_id: photo.id,
      photo_ids: [photo.id],
    })
    .execute()
}

/** The customer's own data: address book, links, imports, batches, preferences, photo, keys and webhooks. */
export async function useEverything(
  test: TestApp,
  owner: TestCustomer,
): Promise<{ secret: string; requestUrl: string }> {
  const { token } = owner
  const readBody = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
    expect(status, JSON.stringify(error)).toBe(200)
    return body
  }
  const first = await addAddress(test, owner, { contactName: 'Zulaikha', label: 'Zulaikha' })
  const second = await addAddress(test, owner, { contactName: 'Zulaikha', line1: '2, Jalan Zulaikha' })
  const [first_id, second_id] = [first.id, second.id].sort() as [string, string]
  const pair = { first_id, second_id, created_by: owner.userId, created_at: test.clock.now() }
  await test.deps.db
    .insertInto('address_distinctions')
    .values({ account_id: owner.accountId, ...pair })
    .execute()
  const link = { label: 'Zulaikha', email: 'zulaikha.sister@example.test' }
  const { url } = readBody(await test.call(createAddressRequest, { token, body: link }))
  const bytes = new TextEncoder().encode(
    'Name,Phone,Address,Postcode,City,State\nZulaikha,+60123847265,9 Jalan Kiara,50480,Kuala Lumpur,Kuala Lumpur\n',
  )
  const file = { name: 'zulaikha.csv', type: 'text/csv', bytes }
  readBody(await upload(test, createAddressImport, { token, file }))
  await readRows(test, owner, [{ receiverName: 'Zulaikha' }])
  const photo = await uploadPhoto(test, token, 'profile_photo')
  readBody(await test.call(putPhoto, { token, body: { attachmentId: photo.id } }))
  const { version } = readBody(await test.call(getProfile, { token }))
  const units = { weightUnit: null, dimensionUnit: null }
  readBody(await test.call(putPreferences, { token, body: { language: 'en', ...units, version } }))
  const key = readBody(await test.call(createApiKey, { token, body: { name: 'Zulaikha', scopes: ['addresses'] } }))
  const hook = { url: 'http://127.0.0.1:9/zulaikha', events: ['parcel.delivered' as const] }
  readBody(await test.call(createWebhook, { token, body: hook }))
  return { secret: key.secret, requestUrl: url }
}

/** What staff and the server stored about the account. */
export async function writeAboutAccount(test: TestApp, owner: TestCustomer): Promise<void> {
  const { db } = test.deps
  const at = test.clock.now()
  const { accountId: account_id, userId: user_id } = owner
  const staff = await createStaff(test, { type: 'superadmin' })
  const note = 'Zulaikha'
  const accountNote = await test.call(addAccountNote, {
    token: staff.token,
    params: { id: account_id },
    body: { text: note },
  })
  expect(accountNote.status, JSON.stringify(accountNote.error)).toBe(200)
  const id = newId()
  const change = { from_status: 'inactive', to_status: 'active', reason: note, changed_by: staff.userId }
  await db
    .insertInto('account_status_changes')
    .values({ id, account_id, changed_at: at, ...change })
    .execute()
  const order_id = newId()
  const decision = { decided_at: at, decided_by: user_id, expires_at: at, created_at: at, status: 'declined' }
  await db
    .insertInto('order_approvals')
    .values({ id, account_id, order_id, requested_by: user_id, note, reason: note, ...decision })
    .execute()
  const refund = { destination: 'wallet', status: 'done', currency: 'MYR', amount_minor: 1, note }
  await db
    .insertInto('refunds')
    .values({ id, account_id, order_id, ...refund })
    .execute()
  const receipt = { amount_minor: 5, currency: 'MYR', reference: 'TT 1', received_on: '2026-01-01' }
  await db
    .insertInto('corporate_receipts')
    .values({ id, account_id, ...receipt, recorded_by: staff.userId, created_at: at, cancel_reason: note })
    .execute()
  const log = { action: 'billing.receiptCancelled', detail: { amountMinor: 5, reason: note } }
  await db
    .insertInto('activity_log')
    .values({ id: newId(), account_id, at, ...log })
    .execute()
  const card = { code: 'own', version: 1, name: 'Rates of Zulaikha', currency: 'MYR', valid_from: '2026-01-01' }
  await db
    .insertInto('rate_cards')
    .values({ id, account_id, ...card })
    .execute()
  const attachment_id = (await uploadPhoto(test, owner.token, 'artwork')).id
  const artwork = { created_by: user_id, status: 'draft.rejected', remark: note }
  await db
    .insertInto('account_artworks')
    .values({ id, account_id, attachment_id, ...artwork })
    .execute()
  const thread = { subject: 'parcel', number: 'WB1', created_by: user_id, last_position: 1, last_at: at }
  await db
    .insertInto('chat_threads')
    .values({ id, account_id, ...thread })
    .execute()
  const message = { position: 1, side: 'customer', author_id: user_id, text: note, at }
  await db
    .insertInto('chat_messages')
    .values({ id, account_id, thread_id: id, ...message })
    .execute()
  const ticket = { kind: 'claim', status: 'closed', title: note, description: note, created_by: user_id }
  await db
    .insertInto('tickets')
    .values({ id, account_id, created_at: at, updated_at: at, ...ticket })
    .execute()
  const amounts = { insured_minor: 2, claimed_minor: 2, currency: 'MYR' }
  await db
    .insertInto('claims')
    .values({
      ticket_id: id,
      account_id,
      parcel_id: id,
      reason: 'lost',
      state: 'refused',
      decision_note: note,
      ...amounts,
    })
    .execute()
  const { id: webhook_id } = await db.selectFrom('webhooks').select('id').executeTakeFirstOrThrow()
  const delivery = { sequence: 1, event: 'parcel.delivered', body: note, status: 'pending', due_at: at }
  await db
    .insertInto('webhook_deliveries')
    .values({ id, webhook_id, created_at: at, ...delivery })
    .execute()
  const entry = { action: 'corporate.memberInvited', detail: JSON.stringify({ name: note }), ip: '10.9.8.7' }
  await db
    .insertInto('activity_log')
    .values({ id, account_id, user_id, at, ...entry })
    .execute()
  const identity = { kind: 'customer', provider: 'keycloak', issuer: 'https://id.example', subject: note }
  await db
    .insertInto('identities')
    .values({ id, user_id, email: owner.email, ...identity })
    .execute()
  await db.updateTable('sessions').set({ user_agent: note, ip: '10.9.8.7' }).where('user_id', '=', user_id).execute()
  const code = { purpose: 'new_email', subject: user_id, code_hash: Buffer.alloc(32), expires_at: at }
  await db
    .insertInto('one_time_codes')
    .values({ id, payload: JSON.stringify({ email: note }), ...code })
    .execute()
  const { id: threadId } = await db
    .selectFrom('parcels')
    .select('id')
    .where('account_id', '=', account_id)
    .where('tracking_number', 'is not', null)
    .executeTakeFirstOrThrow()
  const body = { threadId, text: note, attachmentIds: [] }
  const headers = { 'idempotency-key': 'message-of-the-owner' }
  expect((await test.call(sendMessage, { token: owner.token, body, headers })).status).toBe(200)
  // A member who was removed earlier still has a name in the table.
  const member = await createMember(test, owner, [], { name: 'Zulaikha Junior', email: 'zulaikha.jr@example.test' })
  await db.updateTable('users').set({ removed_at: at }).where('id', '=', member.userId).execute()
}
