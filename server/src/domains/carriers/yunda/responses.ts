// Responses of Yunda's open platform: their schemas and how we read them.
import * as z from 'zod/mini'
import type { BookingResult } from '../carrier.ts'
import { type Checkpoint, readCheckpoint, yundaActions } from '../checkpoints.ts'
import { isYundaNumber, parseCarrierTime, type Shipment } from '../rules.ts'
import { CarrierError, decodePdf, optionalAnswerText } from '../wire.ts'

/** The platform's times have no zone. */
const chinaTime = 'Asia/Shanghai'

/** The envelope of every response. */
export const envelope = z.object({
  result: z.boolean(),
  code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  message: optionalAnswerText,
  sub_code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  sub_msg: optionalAnswerText,
  data: z.optional(z.unknown()),
})

const mailno = z.optional(z.nullable(z.union([z.string(), z.number()])))
export const ordersResponse = z.array(
  z.object({
    order_serial_no: optionalAnswerText,
    mailno,
    mail_no: mailno,
    pdf_info: optionalAnswerText,
    pdfInfo: optionalAnswerText,
    status: z.optional(z.nullable(z.union([z.string(), z.number()]))),
    msg: optionalAnswerText,
  }),
)
export const labelsResponse = z.union([
  z.array(z.object({ mailno, pdfInfo: optionalAnswerText, pdf_info: optionalAnswerText })),
  z.object({ pdfInfo: optionalAnswerText, pdf_info: optionalAnswerText }),
])
export const trackingResponse = z.nullable(
  z.object({
    mailno,
    status: optionalAnswerText,
    steps: z.optional(
      z.nullable(
        z.array(
          z.object({
            time: z.string(),
            action: z.string().check(z.minLength(1), z.maxLength(40)),
            description: optionalAnswerText,
            city: optionalAnswerText,
            station_name: optionalAnswerText,
            signer: optionalAnswerText,
          }),
        ),
      ),
    ),
  }),
)

/** Finds our order in a response. Throws CarrierError if it was refused, or if the response is about another one. */
export function bookingIn(orders: z.output<typeof ordersResponse>, shipment: Shipment): BookingResult {
  const order = orders.find(({ order_serial_no: serial }) => serial === shipment.reference)
  if (!order) throw new CarrierError('nonsense', 'an answer about another order')
  const number = String(order.mailno ?? order.mail_no ?? '')
  if (String(order.status ?? '1') !== '1') throw new CarrierError('refused', order.msg ?? '')
  if (!isYundaNumber(number)) throw new CarrierError('nonsense', `mailno ${number}`)
  return { carrierNumber: number, label: decodePdf(order.pdf_info ?? order.pdfInfo) }
}

/** The label of a waybill in a response; null if there is none. */
export function labelIn(response: z.output<typeof labelsResponse>, carrierNumber: string): Buffer | null {
  const entry = Array.isArray(response)
    ? response.find(({ mailno: number }) => String(number ?? carrierNumber) === carrierNumber)
    : response
  return decodePdf(entry?.pdfInfo ?? entry?.pdf_info)
}

/** The checkpoints of a waybill, oldest first; null if the response is about another one, or none. */
export function checkpointsIn(response: z.output<typeof trackingResponse>, carrierNumber: string): Checkpoint[] | null {
  if (!response || String(response.mailno ?? carrierNumber) !== carrierNumber) return null
  return (response.steps ?? [])
    .flatMap(
      (step) =>
        readCheckpoint(yundaActions, {
          code: step.action,
          at: parseCarrierTime(step.time, chinaTime),
          place: step.city,
          text: step.description,
          signedBy: step.signer,
        }) ?? [],
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}
