/**
 * The calls that staff may make while they view an account as its owner (`viewAccount`): reads and calculations only,
 * and nothing that protects the account.
 */

/** GETs that change something, or whose response continues after the view has ended. */
const withEffect = ['parcels.printRunFile', 'events.account']

/** Data that protects the account (devices, sign-in methods, API keys, webhooks), and messages to one person. */
const secret = /^(apiKeys|webhooks|notifications)\.|^auth\.(sessions|identities)$/

/** Whether a view may make a call. Signing out ends it. */
export function isCallInView({ id, method, question }: { id: string; method: string; question?: true }): boolean {
  if (method !== 'GET' && !question) return id === 'auth.logout'
  return !withEffect.includes(id) && !secret.test(id)
}
