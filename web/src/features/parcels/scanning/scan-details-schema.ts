import { integer, optionalText, text } from '@waybill/contract/ground/fields'
import { failureReasons } from '@waybill/contract/parcels/failed-delivery'
import { idDocuments, type ScanEvent, type StaffParcel } from '@waybill/contract/parcels/scanning'
import * as z from 'zod/mini'

/** Whether the recipient pays cash. `unknown`: the parcel could not be looked up. */
export type Cash = 'due' | 'none' | 'unknown'
export const cashAnswers = ['none', 'collected'] as const

export type CashAnswer = { cashAnswer: (typeof cashAnswers)[number]; cashMinor: number | null }
const collectedAmount = () =>
  z.refine<CashAnswer>((details) => details.cashAnswer !== 'collected' || details.cashMinor !== null, {
    path: ['cashMinor'],
    params: { rule: 'required' },
    // Also while other fields are wrong, so that all mistakes are named at once.
    when: () => true,
  })

/** The rules of a scan's details. */
export function createDetailsSchema(event: ScanEvent, withPhoto: boolean, cash: Cash) {
  if (event === 'departed') return z.object({ nextStationId: z.uuid() })
  if (event === 'attempt_failed') return z.object({ failureReason: z.enum(failureReasons), note: optionalText(200) })
  const handover = z.object({
    recipientName: text(120),
    // A photo is accepted instead of a signature.
    signaturePath: withPhoto ? z.string() : z.string().check(z.minLength(1)),
    ...(event === 'handed_over'
      ? { idDocument: z.enum(idDocuments), idLast4: z.string().check(z.trim(), z.regex(/^[0-9A-Za-z]{4}$/)) }
      : {}),
    ...(cash === 'due' ? { paid: z.literal(true) } : {}),
  })
  if (cash !== 'unknown') return handover
  return z
    .extend(handover, { cashAnswer: z.enum(cashAnswers), cashMinor: z.nullable(integer(1)) })
    .check(collectedAmount())
}

/** The cash on delivery as a rider's task has it. */
export type KnownCash = { amountMinor: number | null; currency: string }
type Parcel = Pick<StaffParcel, 'leg' | 'collectionMode' | 'codAmountMinor' | 'currency'>

/**
 * The cash to collect with a handover: as the parcel says, else as the screen already knows. Nothing is collected on
 * the way back to the sender.
 */
export function findCash(event: ScanEvent, parcel: Parcel | undefined, ofTask: KnownCash | undefined) {
  if (event !== 'delivered' && event !== 'handed_over') return { cash: 'none' as Cash, due: 0, currency: undefined }
  const source = parcel ? readCash(parcel) : ofTask
  const due = source?.amountMinor ?? 0
  const cash: Cash = due > 0 ? 'due' : source ? 'none' : 'unknown'
  return { cash, due, currency: source?.currency }
}

function readCash({ leg, collectionMode, codAmountMinor, currency }: Parcel): KnownCash {
  return { amountMinor: leg === 'outbound' && collectionMode ? codAmountMinor : null, currency }
}
