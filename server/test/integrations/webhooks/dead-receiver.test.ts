import { createWebhook, listWebhookDeliveries } from '@waybill/contract/integrations/webhooks'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { lockParcels, transitionParcels } from '../../../src/domains/parcels/transition.ts'
import { buildTestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { startWebhookReceiver } from '../../testing/peers/webhook-receiver.ts'

it('a receiver that never responds delays no other webhook, even while its call is pending', async () => {
  const test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })

  async function subscriber() {
    const owner = await createCustomer(test)
    const receiver = await startWebhookReceiver()
    const body = { url: receiver.url, events: ['parcel.moved' as const] }
    const { webhook } = (await test.call(createWebhook, { token: owner.token, body })).body
    const accept = async () => {
      const parcel = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
      await tx(test.deps.db, async (trx) =>
        transitionParcels(test.deps, trx, await lockParcels(trx, owner.accountId, [parcel.id]), 'accepted', {
          actorId: null,
        }),
      )
      test.deps.outbox.kick()
    }
    const log = async () =>
      (await test.call(listWebhookDeliveries, { token: owner.token, params: { id: webhook.id } })).body.items
    return { webhook, receiver, accept, log }
  }

  const dead = await subscriber()
  dead.receiver.answer = () => 'never'
  const alive = await subscriber()
  await dead.accept()
  await expect.poll(() => dead.receiver.requests.length, { timeout: 20_000 }).toBe(1)
  await alive.accept()
  await expect.poll(() => alive.receiver.requests.length, { timeout: 4_000 }).toBe(1)
  expect(await dead.log()).toMatchObject([{ status: 'pending', attempts: 0 }])
  await expect.poll(async () => (await dead.log())[0]?.problem, { timeout: 20_000 }).toBe('timeout')
  // The next job of this webhook waits for one of the slots that are reserved for failing webhooks.
  const { rows } = await sql<{ task: string }>`
    select task_identifier as task from graphile_worker.jobs where key = ${`webhook ${dead.webhook.id}`}`.execute(
    test.deps.db,
  )
  expect(rows).toEqual([{ task: 'webhooks:retry' }])
}, 60_000)
