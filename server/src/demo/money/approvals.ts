import type { Insertable } from 'kysely'
import type { DB } from '../../db/schema.ts'
import { days, later } from '../../lib/clock.ts'
import { idFor } from '../story/random.ts'
import type { Numbers } from './order-rows.ts'
import type { Settled } from './orders.ts'

/** Orders of the company's members above this wait for the owner, in minor units. */
export const approvalAboveMinor = 6000

/** How long an order waits, as the setting has it. */
export const approvalDays = 7

const words = {
  asks: { note: 'Samples for the trade fair in Kuching, all to be there by Friday.', reason: null },
  refused: {
    note: 'Catalogues for the new dealers.',
    reason: 'Please send these with the monthly container instead.',
  },
} as const

/** The request of an order that was, or is, to be approved; null for the others. */
export function approvalIdOf({ story }: Settled): string | null {
  const { paying, name } = story.plan
  return paying === 'asks' || paying === 'refused' ? idFor(`approval ${name}`, askedAt(story)) : null
}

const askedAt = (story: Settled['story']) => story.checkouts[0] ?? story.orderedAt

/** Rows of `order_approvals`, and what the log of the account says of them. */
export function approvalRows(
  settled: readonly Settled[],
  numbers: Numbers,
): { approvals: Insertable<DB['order_approvals']>[]; actions: Insertable<DB['activity_log']>[] } {
  const approvals: Insertable<DB['order_approvals']>[] = []
  const actions: Insertable<DB['activity_log']>[] = []
  for (const order of settled) {
    const { story, totalMinor } = order
    const id = approvalIdOf(order)
    const { paying } = story.plan
    if (id === null || (paying !== 'asks' && paying !== 'refused')) continue
    if (totalMinor <= approvalAboveMinor) throw new Error(`${story.plan.name} of ${totalMinor} needs no approval`)
    const at = askedAt(story)
    const declinedAt = paying === 'refused' ? order.updatedAt : null
    approvals.push({
      account_id: story.account.id,
      id,
      order_id: story.id,
      status: declinedAt ? 'declined' : 'pending',
      requested_by: story.orderedBy.id,
      ...words[paying],
      decided_by: declinedAt && story.account.owner.id,
      decided_at: declinedAt,
      expires_at: later(at, days(approvalDays)),
      created_at: at,
    })
    const action = (name: string, userId: string, when: Date) => ({
      id: idFor(`action ${name} ${story.plan.name}`, when),
      account_id: story.account.id,
      user_id: userId,
      action: name,
      subject: numbers.orders.get(story.id) ?? null,
      detail: JSON.stringify({ amountMinor: totalMinor }),
      at: when,
    })
    actions.push(action('approval.ask', story.orderedBy.id, at))
    if (declinedAt) actions.push(action('approval.decline', story.account.owner.id, declinedAt))
  }
  return { approvals, actions }
}
