/** Credits: topped up at the bank whenever the next payment would overdraw the wallet. */
import { gatewayChannels } from '@waybill/contract/payments/payments'
import { settlePaid } from '../../domains/payments/gateway/settle.ts'
import { startTopUp } from '../../domains/payments/gateway/start.ts'
import { findPayment } from '../../domains/payments/queries.ts'
import { getWalletBalance } from '../../domains/wallet/ledger/service.ts'
import { changeWalletPreferences } from '../../domains/wallet/preferences.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { later } from '../../lib/clock.ts'
import type { DemoAccountKey } from '../story/logins.ts'
import type { Account, Member } from '../story/people.ts'
import { createChance } from '../story/random.ts'
import { createCaller, type Stage } from './stage.ts'

/** Usual top-up amounts, in minor units. */
const usualTopUps: Record<DemoAccountKey, readonly number[]> = {
  aisyah: [5000, 10_000, 10_000, 20_000],
  weiming: [10_000, 20_000, 20_000],
  priya: [5000, 10_000],
  kinabalu: [50_000, 100_000, 100_000, 200_000],
}

/** The caller and language, as the gateway's pages need them. */
export function gatewayContext({ deps }: Stage, caller: CustomerCaller) {
  return { caller, t: deps.translations('en'), locale: 'en' as const, idempotency: withoutKey }
}

/** The gateway's number of the bank or e-wallet that somebody pays with. */
export const pickBank = (name: string): number => createChance(`bank ${name}`).pick(gatewayChannels).id

/** Reports a payment to the portal as the gateway would. */
export async function settleAtBank({ deps, trx }: Stage, paymentId: string): Promise<void> {
  const payment = await findPayment(trx, paymentId)
  if (!payment) throw new Error(`there is no payment ${paymentId}`)
  await settlePaid(deps, payment, `T${createChance(paymentId).whole(100_000_000, 999_999_999)}`)
}

/** Tops up a wallet until it holds `neededMinor`. */
export async function ensureCredits(stage: Stage, account: Account, neededMinor: number): Promise<void> {
  const { deps, trx, clock } = stage
  const caller = createCaller(account, topUpBy(account))
  const currency = deps.settings.get('currency')
  for (let n = 0; (await getWalletBalance(trx, caller.accountId, currency)) < neededMinor; n += 1) {
    const now = clock.now()
    const chance = createChance(`top-up ${account.key} ${now.toISOString().slice(0, 16)} ${n}`)
    const amountMinor = chance.pick(usualTopUps[account.key])
    const gatewayPaymentId = pickBank(`${account.key} ${n}`)
    const form = await startTopUp(deps, gatewayContext(stage, caller), { amountMinor, gatewayPaymentId })
    clock.advanceTo(later(now, chance.whole(4_000, 9_000)))
    await settleAtBank(stage, form.paymentId)
  }
}

/** The member of an account who tops up. */
function topUpBy({ members, owner }: Account): Member {
  return members.find(({ permissions }) => permissions.includes('wallet')) ?? owner
}

/** Asks for a mail when the balance falls below this; later payments trigger it. */
export async function watchBalance({ deps }: Stage, account: Account, lowBalanceMinor: number): Promise<void> {
  await changeWalletPreferences(deps, createCaller(account, account.owner), { lowBalanceMinor, version: 0 })
}
