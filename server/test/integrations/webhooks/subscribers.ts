/** Customers with a webhook, for the tests of webhooks. */
import { labelValues } from '@waybill/contract/ground/enums/labels'
import {
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  type Webhook,
  type WebhookEvent,
  webhookEventLabels,
} from '@waybill/contract/integrations/webhooks'
import { tx } from '../../../src/db/pool.ts'
import { deliverWebhooks } from '../../../src/domains/integrations/webhooks/jobs.ts'
import type { ParcelEvent } from '../../../src/domains/parcels/status.ts'
import { lockParcels, transitionParcels } from '../../../src/domains/parcels/transition.ts'
import type { TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/peers/webhook-receiver.ts'

/** Applies these events to a customer's parcel and forwards what they emit. */
export async function moveParcel(test: TestApp, customer: TestCustomer, id: string, ...events: ParcelEvent[]) {
  for (const event of events) {
    await tx(test.deps.db, async (trx) =>
      transitionParcels(test.deps, trx, await lockParcels(trx, customer.accountId, [id]), event, { actorId: null }),
    )
  }
  await test.deps.outbox.drain()
}

/** A new customer with a webhook at their own receiver. */
export async function subscribe(test: TestApp, events: WebhookEvent[] = labelValues(webhookEventLabels)) {
  const owner = await createCustomer(test)
  const receiver = await startWebhookReceiver()
  const body = { url: receiver.url, events }
  const answer = await test.call(createWebhook, { token: owner.token, body })
  if (answer.status !== 200) throw new Error(`no webhook: ${JSON.stringify(answer.error)}`)
  return new Subscriber(test, owner, receiver, answer.body.webhook, answer.body.secret)
}

class Subscriber {
  readonly #test: TestApp
  owner: TestCustomer
  readonly receiver: WebhookReceiver
  readonly webhook: Webhook
  readonly secret: string

  constructor(test: TestApp, owner: TestCustomer, receiver: WebhookReceiver, webhook: Webhook, secret: string) {
    this.#test = test
    this.owner = owner
    this.receiver = receiver
    this.webhook = webhook
    this.secret = secret
  }

  /** Signs in as another user of the account after the clock has moved past the token's expiry. */
  async signInAgain() {
    this.owner = await createCustomer(this.#test, { accountId: this.owner.accountId })
  }

  /**
   * Sends the due deliveries. The queue does not run a job that waits for the test's clock, which may be ahead of the
   * database's.
   */
  async deliver() {
    await this.#test.settle()
    await deliverWebhooks(this.#test.deps, { webhookId: this.webhook.id })
  }

  /** Applies these events to a new parcel and sends the deliveries. */
  async moveNewParcel(...events: ParcelEvent[]) {
    const parcel = await createParcel(this.#test, this.owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    await moveParcel(this.#test, this.owner, parcel.id, ...events)
    await this.deliver()
    return parcel
  }

  /** The newest page of the delivery log. */
  async listDeliveries(query = {}) {
    const { token } = this.owner
    return (await this.#test.call(listWebhookDeliveries, { token, params: { id: this.webhook.id }, query })).body.items
  }

  /** The current state of the webhook. */
  async findWebhook() {
    const { body } = await this.#test.call(listWebhooks, { token: this.owner.token })
    return body.items.find(({ id }) => id === this.webhook.id)
  }
}
