import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import type { Format } from '../../lib/format.ts'

/** The properties of a part of the public page that is loaded when it is opened. */
export type ExtraProps = { parcel: PublicTracking; format: Format }
