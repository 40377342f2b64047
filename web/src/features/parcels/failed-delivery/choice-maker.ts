import type { FailedAttempt } from '@waybill/contract/parcels/failed-delivery'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

type Decision = Pick<NonNullable<FailedAttempt['chosen']>, 'by' | 'recordedByStaff' | 'at'>

/** "Chosen by the receiver through our staff, 30 Nov 2026, 09:41". */
export function useChoiceMaker(): (decision: Decision) => string {
  const t = useT()
  const format = useFormat()
  return ({ by, recordedByStaff, at }) => {
    const values = { at: format.dateTime(at) }
    return recordedByStaff ? t(`deliveryChoice.recordedByStaff.${by}`, values) : t(`deliveryChoice.by.${by}`, values)
  }
}
