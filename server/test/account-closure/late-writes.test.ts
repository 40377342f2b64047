/** Nothing stores personal data after a deletion: mails, webhooks, scans, and requests that were already running. */
import { deleteOwnAccount } from '@waybill/contract/account-closure/account-closure'
import { createWebhook } from '@waybill/contract/integrations/webhooks'
import { scan, scanEvents } from '@waybill/contract/parcels/scanning'
import { putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordActivity } from '../../src/activity.ts'
import { deliverWebhooks } from '../../src/domains/integrations/webhooks/jobs.ts'
import { addJob } from '../../src/jobs/jobs.ts'
import { erasedMarks } from '../../src/lib/text/erased.ts'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { delivered, findCounter, parcelNow, scanned } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'
import { startStrictMailServer } from '../testing/peers/strict-mail-server.ts'
import { startWebhookReceiver } from '../testing/peers/webhook-receiver.ts'
import { createOwner, password } from './full-account.ts'

describe('after the deletion of an account', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any', LOG_LEVEL: 'silent' })
    await seedTestNetwork(test)
  })

  const remove = async ({ token, userId }: TestCustomer) => {
    const body = { currentPassword: password }
    const answer = await test.call(deleteOwnAccount, { token, params: { id: userId }, body })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
  }
  const countMailsTo = async (address: string) => {
    const { rows } = await sql`
      select 1 from graphile_worker._private_jobs where payload ->> 'to' = ${address}`.execute(test.deps.db)
    return rows.length
  }
  it('drops the waiting mails to the people of the account, and sends those to others', async () => {
    const owner = await createOwner(test)
    const superadmin = await createStaff(test, { type: 'superadmin' })
    const useServer = (values: object) =>
      test.call(putSettings, { token: superadmin.token, body: { values: values as Record<string, unknown> } })
    await useServer({ 'mail.host': '127.0.0.1', 'mail.port': await startStrictMailServer('greylist') })
    const vars = { name: 'Zulaikha', code: '012345', minutes: 15 }
    for (const to of [owner.email, 'zulaikha@example.test'.toUpperCase(), 'bystander@example.test'])
      await addJob(test.deps.db, 'mail:send', { to, template: 'register_code', locale: 'en', vars })
    await test.settle()
    expect(await countMailsTo(owner.email)).toBe(1)
    await remove(owner)
    expect([await countMailsTo(owner.email), await countMailsTo('ZULAIKHA@EXAMPLE.TEST')]).toEqual([0, 0])
    await useServer({ 'mail.host': null })
    await sql`update graphile_worker._private_jobs set run_at = now() where payload ->> 'to' like 'by%'`.execute(
      test.deps.db,
    )
    await test.settle()
    expect(test.mailbox.mails().map(({ to }) => to[0])).toEqual(['bystander@example.test'])
  })

  /** A parcel that was paid in full and delivered by staff. Returns its number. */
  const deliver = async (owner: TestCustomer, counter: TestStaff) => {
    await setWalletPin(test, owner)
    const order = await placeOrder(test, owner)
    await fundWallet(test, owner, order.totalMinor)
    expect((await payCredits(test, owner, order)).status).toBe(200)
    const { trackingNumber } = await parcelNow(test, owner, order.parcels[0]?.id ?? '')
    await scanned(test, counter, trackingNumber ?? '', 'accepted')
    await delivered(test, counter, trackingNumber ?? '')
    return trackingNumber ?? ''
  }
  const countDeliveries = async (webhookId: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from webhook_deliveries where webhook_id = ${webhookId}::uuid`.execute(test.deps.db)
    return rows[0]?.count
  }

  it('calls no webhook, not even for earlier events, and keeps no delivery', async () => {
    const owner = await createOwner(test)
    const receiver = await startWebhookReceiver()
    receiver.answer = () => ({ status: 503, body: 'later', type: 'text/plain' })
    const body = { url: receiver.url, events: ['parcel.moved' as const] }
    const { id } = (await test.call(createWebhook, { token: owner.token, body })).body.webhook
    const { counter } = await findCounter(test)
    await deliver(owner, counter)
    await test.settle()
    expect(await countDeliveries(id)).toBeGreaterThan(0)
    const calls = receiver.requests.length
    expect(calls).toBeGreaterThan(0)
    await remove(owner)
    await sql`update webhooks set retry_at = null where id = ${id}::uuid`.execute(test.deps.db)
    await sql`update webhook_deliveries set due_at = now() where webhook_id = ${id}::uuid`.execute(test.deps.db)
    await deliverWebhooks(test.deps, { webhookId: id })
    await test.settle()
    await deliverWebhooks(test.deps, { webhookId: id })
    expect([receiver.requests.length, await countDeliveries(id)]).toEqual([calls, 0])
  })

  it("accepts no scan of its parcels, and stores no recipient's name", async () => {
    const owner = await createOwner(test)
    const { counter } = await findCounter(test)
    const number = await deliver(owner, counter)
    await remove(owner)
    await test.settle()
    const words = { recipientName: 'Zulaikha', signaturePath: 'M10,20 L30,40', note: 'Zulaikha was at home' }
    for (const event of scanEvents) {
      const body = { trackingNumber: number, event, ...words }
      const { status, body: answer } = await test.call(scan, { token: counter.token, body })
      // A repeated scan gets the answer of the first one.
      if (status === 200) expect([event, answer.repeated]).toEqual(['delivered', { byYou: true, byName: null }])
      else expect([event, status]).toEqual([event, expect.toSatisfy((code: number) => code === 409 || code === 422)])
    }
    await test.settle()
    const { rows } = await sql`
      select r.recipient_name, r.signature_path
      from parcels p
      join parcel_proofs r on r.account_id = p.account_id and r.parcel_id = p.id
      where p.tracking_number = ${number}`.execute(test.deps.db)
    expect(rows).toEqual([{ recipient_name: erasedMarks.text, signature_path: null }])
    const notes = await sql`select 1 from tracking_events where note like 'Zulaikha%'`.execute(test.deps.db)
    expect(notes.rows).toEqual([])
  })

  it('erases what a running request wrote, a day later', async () => {
    const owner = await createOwner(test)
    await remove(owner)
    await test.settle()
    const { db } = test.deps
    const { accountId, userId } = owner
    await recordActivity(db, { action: 'addresses.export', accountId, userId, ip: '10.9.8.7', at: test.clock.now() })
    const countAddresses = async () => (await listActivities(test, { userId })).filter(({ ip }) => ip !== null).length
    // The entry of the deletion keeps its IP address as evidence.
    expect(await countAddresses()).toBe(2)
    const { rows } = await sql<{ hours: number }>`
      update graphile_worker._private_jobs j set run_at = now()
      from graphile_worker._private_tasks t, graphile_worker._private_jobs before
      where t.id = j.task_id and t.identifier = 'account-closure:erase' and before.id = j.id
        and j.payload ->> 'accountId' = ${accountId}
      returning round(extract(epoch from before.run_at - now()) / 3600)::int as hours`.execute(db)
    expect(rows).toEqual([{ hours: 24 }])
    await test.settle()
    expect(await countAddresses()).toBe(1)
  })
})
