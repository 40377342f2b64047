/**
 * What staff may call while they see an account as its owner (`viewAccount`): reading, and nothing that protects the
 * account.
 */

/** GETs that change something, or whose answer goes on after the view has ended. */
const withEffect = ['parcels.printRunFile', 'events.account']

/** What protects the account (devices, ways to sign in, API keys, webhooks), and what is written to one person. */
const secret = /^(apiKeys|webhooks|notifications)\.|^auth\.(sessions|identities)$/

/** Whether a view may make a call. Signing out ends it. */
export function isCallInView({ id, method }: { id: string; method: string }): boolean {
  if (method !== 'GET') return id === 'auth.logout'
  return !withEffect.includes(id) && !secret.test(id)
}
