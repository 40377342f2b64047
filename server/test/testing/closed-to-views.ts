/** GETs that a view does not reach, written out by hand: with an effect, or about what protects the account. */
export const closedToViews = [
  'apiKeys.list',
  'notifications.list',
  'notifications.alert',
  'notifications.preferences',
  'notifications.push',
  'webhooks.list',
  'webhooks.deliveries',
  'auth.sessions',
  'auth.identities',
  'parcels.printRunFile',
  'events.account',
]
