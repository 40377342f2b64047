// The names of all entries of timelines. A new one must be added to the table of public names (tracking/present.ts).
import type { CarrierNote } from '../carrier-handover/rules-events.ts'
import type { ParcelEvent, undoneEvent } from '../status.ts'

/** What the sender or the receiver chose after a failed delivery, without a change of status. */
type ChoiceNote = 'retry_chosen' | 'address_corrected'

export type TimelineEvent = ParcelEvent | CarrierNote | ChoiceNote | typeof undoneEvent
