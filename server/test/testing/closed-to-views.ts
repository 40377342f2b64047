/** GET endpoints that are closed to views, listed by hand: they have an effect or concern account security. */
export const closedToViews = [
  'apiKeys.list',
  'notifications.list',
  'notifications.xls',
  'notifications.alert',
  'notifications.preferences',
  'notifications.push',
  'webhooks.list',
  'webhooks.deliveries',
  'webhooks.deliveriesXls',
  'auth.sessions',
  'auth.identities',
  'parcels.printRunFile',
  'events.account',
]
