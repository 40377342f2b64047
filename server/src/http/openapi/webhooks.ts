/** The description of webhooks in the OpenAPI document: what we post to a customer's address, and how to verify it. */
import { webhookBody, webhookEventLabels } from '@waybill/contract/integrations/webhooks'
import * as z from 'zod/mini'

const description = `
We post this to the https address of a webhook, which the owner of the account adds at *Developers*.

**Verify the signature** before you trust anything else. The header \`Waybill-Signature\` is \`t=<seconds>,v1=<hex>\`:

1. Take the raw bytes of the body. A parsed and serialised body may differ.
2. Compute the HMAC-SHA256 of \`<seconds>.<body>\` with the secret of the webhook, the whole text \`whsec_…\`, as hex.
3. Compare it with \`v1\` in constant time. For 24 hours after a new secret there are two \`v1\`: one match is enough.
4. Refuse a \`t\` that is more than 5 minutes away from now.

**Answer within 5 seconds** with a status of 2xx, before you do the work. A redirect is not followed. Anything else is
tried again, up to 12 times over about two days. A webhook whose every delivery fails for 3 days is switched off.

**Expect repetitions:** a repeated delivery has the same \`id\`. \`sequence\` counts up by one for each webhook, so a
lower number is a late delivery.

\`data\` contains ids and statuses only; read the rest from the API. Of a parcel it has \`parcelId\`,
\`trackingNumber\`, \`status\`, \`trackingStatus\` and \`change\`; of an order \`orderId\`, and \`paymentId\`
of a paid one.

Kinds of events: ${Object.keys(webhookEventLabels)
  .map((event) => `\`${event}\``)
  .join(', ')}; and \`test\`, which *Send test event* sends.`.trim()

const example = {
  id: '0199c0de-7a3b-7c55-9a0e-0d4b2f6c8e11',
  event: 'parcel.delivered',
  sequence: 42,
  createdAt: '2026-11-22T08:15:30.000Z',
  data: {
    parcelId: '0199c0de-1111-7c55-9a0e-0d4b2f6c8e11',
    trackingNumber: 'WB00000000005',
    status: 'completed',
    trackingStatus: 'delivered',
    change: 'delivered',
  },
} satisfies z.input<typeof webhookBody>

const { $schema: _, ...schema } = z.toJSONSchema(webhookBody, { unrepresentable: 'any' })

/** The `webhooks` of the document. */
export const webhookDescriptions = {
  delivery: {
    post: {
      operationId: 'webhooks.delivery',
      summary: 'An event, sent to your address',
      description,
      parameters: [
        {
          name: 'Waybill-Signature',
          in: 'header',
          required: true,
          description: 'When it was signed, in seconds since 1970, and one or two signatures.',
          schema: { type: 'string' },
          example: 't=1795335330,v1=5f1c…',
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: { '2XX': { description: 'Received. The body of the response is not used.' } },
    },
  },
}
