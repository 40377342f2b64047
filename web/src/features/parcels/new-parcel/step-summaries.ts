import { contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { useFormat } from '../../../lib/format.ts'
import { useLabel } from '../../../lib/labels.ts'
import type { PartyValues } from '../../addresses/shared/party-values.ts'
import { completeSize } from '../quotes/use-quotes.ts'
import type { ParcelValues, Step } from './parcel-values.ts'

/** The summary of each folded step. */
export function useSummaries(values: ParcelValues): Record<Step, string> {
  const format = useFormat()
  const label = useLabel()
  const { sender, receiver, contentType, serviceType, deliveryMode, isDocument } = values
  const size = isDocument ? null : completeSize(values.dimensions)
  const party = ({ contactName, city, postcode, country }: PartyValues) =>
    [contactName, `${postcode} ${city}`.trim(), country === sender.country ? '' : country.toUpperCase()]
      .filter(Boolean)
      .join(' · ')
  const what = [
    values.weightGrams ? format.weight(values.weightGrams) : '',
    size ? format.dimensions(size) : '',
    contentType ? label(contentTypeLabels, contentType) : '',
  ]
  const how = [serviceType ? label(serviceTypeLabels, serviceType) : '', label(deliveryModeLabels, deliveryMode)]
  return {
    from: party(sender),
    to: party(receiver),
    what: what.filter(Boolean).join(' · '),
    // The mode has a default, so it alone does not count as a choice.
    how: serviceType ? how.join(' · ') : '',
  }
}
