import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import type { Format } from '../../lib/format.ts'

/** What a part of the public page gets that is loaded when it is opened. */
export type ExtraProps = { parcel: PublicTracking; format: Format }
