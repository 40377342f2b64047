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

/** Calls that are no GET, but open to views, listed by hand: they calculate or look something up, or end the view. */
export const openToViews = [
  'addresses.availablePostcode',
  'addresses.postcode',
  'auth.logout',
  'parcels.calculateMultipleVweight',
  'parcels.calculateVweight',
  'parcels.tracks',
  'prices.insurance',
  'prices.pickup',
  'prices.services',
  'prices.summary',
  'tracking.post',
  'tracking.unlock',
  'tracking.unlocked',
]
