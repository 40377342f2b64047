import { type PeerAnswer, type PeerRequest, servePeer } from '../../../src/demo/peers/peer.ts'
import { afterUse } from '../after-use.ts'

export type WebhookReceiver = {
  url: string
  /** The response from now on; by default it accepts everything. */
  answer: (request: PeerRequest) => PeerAnswer
  requests: PeerRequest[]
  /** The parsed bodies of all deliveries. */
  events(): { id: string; event: string; sequence: number; createdAt: string; data: Record<string, unknown> }[]
}

/** A simulated customer program that receives webhooks. Stopped with its test or its file. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = await servePeer((request) => {
    receiver.requests.push(request)
    return receiver.answer(request)
  })
  const receiver: WebhookReceiver = {
    url: `${server.url}/hook`,
    answer: () => ({ status: 200, body: 'thank you', type: 'text/plain' }),
    requests: [],
    events: () => receiver.requests.map(({ body }) => JSON.parse(body.toString())),
  }
  afterUse(() => server.stop())
  return receiver
}
