/** What staff may call while they see an account as its owner (`viewAccount`): reading, and nothing that protects it. */

/** GETs that change something, or whose answer goes on after the view has ended. */
const withEffect = ['parcels.printRunFile', 'events.account']

/** What protects the account: devices, ways to sign in, second factors, API keys and webhooks. */
const secret = /^(apiKeys|webhooks)\.|^auth\.(sessions|secondFactor\w*|identit\w*|loginMethod\w*|export\w*)$/

/** Whether a view may make a call. Signing out ends it. */
export function isCallInView({ id, method }: { id: string; method: string }): boolean {
  if (method !== 'GET') return id === 'auth.logout'
  return !withEffect.includes(id) && !secret.test(id)
}
