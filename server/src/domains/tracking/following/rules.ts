// What followers of a parcel read first.
import type { Locale } from '@waybill/contract/ground/constants'
import { trackingStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import type { Translate } from '@waybill/contract/ground/validation'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'

/**
 * The status of a parcel, for the subject of a mail or message. After a failed attempt it is the event: the status is
 * "In transit", which would contradict it.
 */
export function getHeadline(
  { trackingStatus, leg, events }: Pick<PublicTracking, 'trackingStatus' | 'leg' | 'events'>,
  t: Translate,
  language: Locale,
): string {
  if (events[0]?.event === 'attempt_failed') return t('event.attempt_failed')
  return statusLabel(trackingStatusLabels, trackingStatus, leg, language)
}
