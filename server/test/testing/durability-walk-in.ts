import { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { newId } from '../../src/lib/ids.ts'
import type { TestApp } from './app.ts'
import type { DurabilityCase } from './durability-cases.ts'
import { walkInBody } from './factories/walk-ins.ts'

type Movement = { kind: string; reference: string | null }
type Desk = {
  token: string
  stationId: string
  /** The movements of the open drawer. */
  movements: () => Promise<readonly Movement[]>
  /** The order of another case, which is sold from the same drawer. */
  otherOrder: string
}

/** A walk-in at a counter. It is done once its sale is in the drawer. */
export async function walkInCase(
  test: TestApp,
  { token, stationId, movements, otherOrder }: Desk,
): Promise<DurabilityCase> {
  const listOrders = async () =>
    (await movements()).flatMap(({ kind, reference }) => (kind === 'sale' ? reference : []))
  const knownOrders = new Set([...(await listOrders()), otherOrder])
  const body = await walkInBody(test, stationId)
  const headers = { 'idempotency-key': newId() }
  return {
    name: 'a walk-in',
    async send() {
      const answer = await test.call(bookWalkIn, { token, body, headers })
      return answer.status === 200 ? 'done' : JSON.stringify(answer.error)
    },
    readers: [async () => (await listOrders()).some((number) => !knownOrders.has(number))],
  }
}
