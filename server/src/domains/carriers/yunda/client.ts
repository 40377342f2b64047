/** Yunda's open platform: JSON signed by its bytes. */
import { createHash } from 'node:crypto'
import type { Party } from '@waybill/contract/addresses/addresses'
import * as z from 'zod/mini'
import type { YundaAccess } from '../../../config.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Booked, CarrierClient, Tracked } from '../carrier.ts'
import { type Checkpoint, checkpointMeaning, yundaActions } from '../checkpoints.ts'
import { isYundaNumber, kilograms, majorUnits, minorUnits, parseCarrierTime, type Shipment } from '../rules.ts'
import { CarrierError, decodePdf, parseAnswer, problemOfStatus, send } from '../wire.ts'

/** Times of a carrier in China say nothing of their zone. */
const chinaTime = 'Asia/Shanghai'
const chinaCurrency = 'CNY'

/** Lower-case hex MD5 of the body's bytes, `_`, and the app secret. */
export function yundaSign(body: Buffer, secret: string): string {
  return createHash('md5').update(body).update(`_${secret}`).digest('hex')
}

const text = z.optional(z.nullable(z.string()))
const envelope = z.object({
  result: z.boolean(),
  code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  message: text,
  sub_code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  sub_msg: text,
  data: z.optional(z.unknown()),
})

const mailno = z.optional(z.nullable(z.union([z.string(), z.number()])))
const orders = z.array(
  z.object({
    order_serial_no: text,
    mailno,
    mail_no: mailno,
    pdf_info: text,
    pdfInfo: text,
    status: z.optional(z.nullable(z.union([z.string(), z.number()]))),
    msg: text,
  }),
)
const pdfs = z.union([
  z.array(z.object({ mailno, pdfInfo: text, pdf_info: text })),
  z.object({ pdfInfo: text, pdf_info: text }),
])
const journey = z.nullable(
  z.object({
    mailno,
    status: text,
    steps: z.optional(
      z.nullable(
        z.array(
          z.object({
            time: z.string(),
            action: z.string().check(z.minLength(1), z.maxLength(40)),
            description: text,
            city: text,
            station_name: text,
            signer: text,
          }),
        ),
      ),
    ),
  }),
)

type Order = z.output<typeof orders>[number]

/** A serial number that was used before: the platform says to use the update call. */
const saysRepeated = (said: string) => /更新接口|重复|已存在|update|exist|duplicate/i.test(said)
const saysUnknown = (said: string) => /不存在|未找到|无此|not (exist|found)|no such/i.test(said)

export function yundaClient(access: YundaAccess, timeoutMs: number, clock: Clock): CarrierClient {
  const call = async <S extends z.ZodMiniType>(path: string, body: object, schema: S): Promise<z.output<S>> => {
    // Signed are the bytes that are sent, so they are made once.
    const bytes = Buffer.from(JSON.stringify(body))
    const answer = await send(
      `${access.baseUrl}${path}`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json;charset=utf-8',
          'app-key': access.appKey,
          sign: yundaSign(bytes, access.appSecret),
          'req-time': String(clock.now().getTime()),
        },
        body: bytes,
      },
      timeoutMs,
    )
    if (answer.status !== 200) throw new CarrierError(problemOfStatus(answer.status), '', answer.retryAfterSeconds)
    const outer = parseAnswer(envelope, answer.text)
    if (outer.result !== true) {
      const said = outer.sub_msg ?? outer.message ?? String(outer.sub_code ?? outer.code ?? '')
      throw new CarrierError(/签名|sign|app-?key|授权|权限/i.test(said) ? 'credentials' : 'refused', said)
    }
    return parseAnswer(schema, JSON.stringify(outer.data ?? null))
  }

  const partner = { appid: access.appKey, partner_id: access.partnerId, secret: access.partnerSecret }

  /** The platform's answer about our one order; throws what it refused. */
  const ordered = (answers: Order[], shipment: Shipment): Booked => {
    const order = answers.find(({ order_serial_no: no }) => no === shipment.reference) ?? null
    if (!order) throw new CarrierError('nonsense', 'an answer about another order')
    const number = String(order.mailno ?? order.mail_no ?? '')
    if (String(order.status ?? '1') !== '1') throw new CarrierError('refused', order.msg ?? '')
    if (!isYundaNumber(number)) throw new CarrierError('nonsense', `mailno ${number}`)
    return { carrierNumber: number, label: decodePdf(order.pdf_info ?? order.pdfInfo) }
  }

  const create = async (shipment: Shipment) =>
    ordered(
      await call('/openapi-api/v1/accountOrder/createBmOrder', { ...partner, orders: [orderOf(shipment)] }, orders),
      shipment,
    )
  const update = async (shipment: Shipment) =>
    ordered(
      await call('/openapi-api/v1/accountOrder/updateBmOrder', { ...partner, orders: [orderOf(shipment)] }, orders),
      shipment,
    )

  return {
    trackAtOnce: 50,

    async rate(shipment) {
      const price = await call(
        '/openapi-api/v1/order/getFreightInfo',
        { startCity: shipment.sender.city, endCity: shipment.receiver.city, weight: kilograms(shipment.weightGrams) },
        z.union([z.number().check(z.minimum(0), z.maximum(1e7)), z.string().check(z.regex(/^\d+(\.\d+)?$/))]),
      )
      return [
        {
          product: 'common',
          name: 'Yunda',
          priceMinor: minorUnits(Number(price), chinaCurrency),
          currency: chinaCurrency,
          days: null,
        },
      ]
    },

    async book(shipment) {
      try {
        return await create(shipment)
      } catch (error) {
        // Booked before, by a try whose answer was lost: the update call says under which number.
        if (error instanceof CarrierError && error.problem === 'refused' && saysRepeated(error.said)) {
          return update(shipment)
        }
        throw error
      }
    },

    // The update call answers an order that there is with its number, and refuses one that there is not.
    async find(shipment) {
      try {
        return await update(shipment)
      } catch (error) {
        if (error instanceof CarrierError && error.problem === 'refused') return null
        throw error
      }
    },

    async label(carrierNumber) {
      const answer = await call(
        '/openapi/outer/v1/bm/getPdfInfo',
        { ...partner, orders: [{ mailno: carrierNumber }] },
        pdfs,
      )
      const found = Array.isArray(answer)
        ? answer.find(({ mailno: no }) => no === undefined || no === null || String(no) === carrierNumber)
        : answer
      return decodePdf(found?.pdfInfo ?? found?.pdf_info)
    },

    async cancel(carrierNumber, reference) {
      const body = { ...partner, orders: [{ order_serial_no: reference, mailno: carrierNumber }] }
      try {
        const [order] = await call('/openapi-api/v1/accountOrder/cancelBmOrder', body, orders)
        const refused = order && String(order.status ?? '1') !== '1'
        if (refused) throw new CarrierError('refused', order.msg ?? '')
      } catch (error) {
        if (!(error instanceof CarrierError && error.problem === 'refused' && saysUnknown(error.said))) throw error
      }
    },

    async subscribe(parcels) {
      await call(
        '/openapi/outer/logictis/subscribe',
        { orders: parcels.map(({ carrierNumber, reference }) => ({ orderid: reference, mailno: carrierNumber })) },
        z.unknown(),
      )
      return parcels.map(({ carrierNumber }) => carrierNumber)
    },

    async track(numbers) {
      const found: Tracked = new Map()
      for (const number of numbers) {
        try {
          const data = await call('/openapi/outer/logictis/query', { mailno: number }, journey)
          if (!data || String(data.mailno ?? number) !== number) continue
          const checkpoints = (data.steps ?? []).flatMap((step) => checkpointOf(step) ?? [])
          found.set(
            number,
            checkpoints.sort((a, b) => a.at.getTime() - b.at.getTime()),
          )
        } catch (error) {
          // One number that is not known stops nobody; a carrier that is down stops all.
          if (error instanceof CarrierError && error.problem === 'refused') continue
          if (found.size === 0) throw error
          break
        }
      }
      return found
    },
  }
}

type Step = NonNullable<NonNullable<NonNullable<z.output<typeof journey>>['steps']>>[number]

function checkpointOf(step: Step): Checkpoint | null {
  const meaning = checkpointMeaning(yundaActions, step.action)
  const at = parseCarrierTime(step.time, chinaTime)
  if (!meaning || !at) return null
  return {
    at,
    code: step.action,
    milestone: meaning.milestone,
    reason: meaning.reason ?? null,
    place: (step.city ?? '').trim().slice(0, 80) || null,
    said: step.description?.trim().slice(0, 200) || null,
    signedBy: step.signer?.trim().slice(0, 120) || null,
  }
}

function partyOf(party: Party) {
  return {
    name: party.contactName,
    company: party.company ?? '',
    province: party.state,
    city: party.city,
    // Outside China there is no third level; the platform wants one.
    county: party.city,
    address: [party.line1, party.line2, party.postcode].filter(Boolean).join(' '),
    phone: party.phone,
    mobile: party.phone,
  }
}

function orderOf(shipment: Shipment) {
  const { dimensions, customs, currency } = shipment
  const metres = (mm: number) => (mm / 1000).toFixed(2)
  const items = customs
    ? customs.items.map(({ description, quantity }) => ({ name: description, number: quantity, remark: '' }))
    : [{ name: shipment.contentDescription, number: 1, remark: '' }]
  return {
    order_serial_no: shipment.reference,
    khddh: shipment.trackingNumber,
    order_type: 'common',
    node_id: '350',
    sender: partyOf(shipment.sender),
    receiver: partyOf(shipment.receiver),
    items,
    weight: kilograms(shipment.weightGrams),
    ...(dimensions
      ? { size: [dimensions.lengthMm, dimensions.widthMm, dimensions.heightMm].map(metres).join(',') }
      : {}),
    ...(shipment.declaredValueMinor ? { value: majorUnits(shipment.declaredValueMinor, currency) } : {}),
    ...(shipment.codAmountMinor ? { collection_value: majorUnits(shipment.codAmountMinor, currency) } : {}),
    remark: shipment.trackingNumber,
  }
}
