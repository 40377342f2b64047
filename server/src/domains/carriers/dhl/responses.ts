// Responses of the MyDHL API: their schemas and how we read them.
import * as z from 'zod/mini'
import { type Checkpoint, dhlCodes, readCheckpoint } from '../checkpoints.ts'
import { isDhlNumber, parseCarrierTime } from '../rules.ts'
import { type Answer, CarrierError, decodePdf, optionalAnswerText, parseResponse, toCarrierProblem } from '../wire.ts'

const problemJson = z.object({
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  message: z.optional(z.string()),
  additionalDetails: z.optional(z.array(z.string())),
})

const money = z.number().check(z.minimum(0), z.maximum(1e9))
/** The response to `POST /rates`. */
export const ratesResponse = z.object({
  products: z.array(
    z.object({
      productName: z.string().check(z.maxLength(200)),
      productCode: z.string().check(z.minLength(1), z.maxLength(6)),
      totalPrice: z.array(
        z.object({
          currencyType: z.string(),
          priceCurrency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
          price: z.optional(money),
        }),
      ),
      deliveryCapabilities: z.optional(
        z.object({ totalTransitDays: z.optional(z.union([z.number(), z.string().check(z.regex(/^\d+$/))])) }),
      ),
    }),
  ),
})

const waybill = z.string().check(z.refine(isDhlNumber))
const documents = z.optional(
  z.array(z.object({ typeCode: z.optional(z.string()), imageFormat: z.optional(z.string()), content: z.string() })),
)
/** The response to `POST /shipments`. */
export const bookingResponse = z.object({ shipmentTrackingNumber: waybill, documents })
/** The response to `GET /shipments/…/get-image`. */
export const imagesResponse = z.object({ documents })

/** The response to `GET /tracking`. */
export const trackingResponse = z.object({
  shipments: z.array(
    z.object({
      shipmentTrackingNumber: z.string(),
      /** The status of the call, not of the delivery. */
      status: optionalAnswerText,
      events: z.optional(
        z.array(
          z.object({
            date: z.string(),
            time: z.string(),
            GMTOffset: optionalAnswerText,
            typeCode: z.string().check(z.minLength(1), z.maxLength(10)),
            description: optionalAnswerText,
            serviceArea: z.optional(z.array(z.object({ description: optionalAnswerText }))),
            signedBy: optionalAnswerText,
          }),
        ),
      ),
    }),
  ),
})

/** Returns the response if its status is a success. Throws CarrierError with the message of DHL's problem document. */
export function requireSuccess(response: Answer): Answer {
  if (response.status >= 200 && response.status < 300) return response
  throw new CarrierError(toCarrierProblem(response.status), problemText(response.text), response.retryAfterSeconds)
}

function problemText(body: string): string {
  try {
    const { title, detail, message, additionalDetails = [] } = parseResponse(problemJson, body)
    return [...new Set([detail ?? message ?? title, ...additionalDetails])].filter(Boolean).join(' · ')
  } catch {
    return ''
  }
}

/** The label among the documents of a response; null if there is none, or if it is not a PDF. */
export function labelIn(files: z.output<typeof documents>): Buffer | null {
  const label = files?.find(({ typeCode }) => typeCode === 'label' || typeCode === 'waybill') ?? files?.[0]
  return decodePdf(label?.content)
}

type DhlEvent = NonNullable<z.output<typeof trackingResponse>['shipments'][number]['events']>[number]

/** Converts one event of DHL's timeline; null if it is of no interest to the sender. */
export function readDhlEvent(event: DhlEvent, timeZone: string): Checkpoint | null {
  return readCheckpoint(dhlCodes, {
    code: event.typeCode,
    at: parseCarrierTime(`${event.date}T${event.time}${event.GMTOffset ?? ''}`, timeZone),
    // For example `Kuala Lumpur-MALAYSIA`.
    place: event.serviceArea?.[0]?.description?.split('-')[0],
    text: event.description,
    signedBy: event.signedBy,
  })
}
