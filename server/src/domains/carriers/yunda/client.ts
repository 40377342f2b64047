// The client of Yunda's open platform: JSON, signed over its bytes.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { YundaAccess } from '../../../config.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { CarrierClient } from '../carrier.ts'
import { callForEach, callInParts } from '../in-parts.ts'
import { kilograms, minorUnits, type Shipment } from '../rules.ts'
import { CarrierError, parseResponse, send, toCarrierProblem } from '../wire.ts'
import { toOrder } from './requests.ts'
import {
  bookingIn,
  checkpointsIn,
  envelope,
  labelIn,
  labelsResponse,
  ordersResponse,
  trackingResponse,
} from './responses.ts'

const chinaCurrency = 'CNY'

/** The signature of a request: lower-case hex MD5 of the body's bytes, `_` and the app secret. */
export function yundaSign(body: Buffer, secret: string): string {
  return createHash('md5').update(body).update(`_${secret}`).digest('hex')
}

type Call = <S extends z.ZodMiniType>(path: string, body: object, schema: S) => Promise<z.output<S>>

/** Calls of the platform; each resolves to the data of the response, and throws CarrierError for anything else. */
function yundaCalls(access: YundaAccess, timeoutMs: number, clock: Clock): Call {
  return async (path, body, schema) => {
    // The signature covers the exact bytes that are sent, so they are serialised once.
    const bytes = Buffer.from(JSON.stringify(body))
    const response = await send(
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
    if (response.status !== 200) {
      throw new CarrierError(toCarrierProblem(response.status), '', response.retryAfterSeconds)
    }
    const outer = parseResponse(envelope, response.text)
    if (outer.result !== true) {
      const message = outer.sub_msg ?? outer.message ?? String(outer.sub_code ?? outer.code ?? '')
      throw new CarrierError(/签名|sign|app-?key|授权|权限/i.test(message) ? 'credentials' : 'refused', message)
    }
    return parseResponse(schema, JSON.stringify(outer.data ?? null))
  }
}

const isRefusal = (error: unknown): error is CarrierError =>
  error instanceof CarrierError && error.problem === 'refused'

/** The platform's message means that it has an order with this serial number. */
const saysExists = (message: string) => /更新接口|重复|已存在|update|exist|duplicate/i.test(message)
/** The platform's message means that it has no such order. */
const saysUnknown = (message: string) => /不存在|未找到|无此|not (exist|found)|no such/i.test(message)

const freight = z.union([z.number().check(z.minimum(0), z.maximum(1e7)), z.string().check(z.regex(/^\d+(\.\d+)?$/))])

/** A client of Yunda with these credentials. */
export function yundaClient(access: YundaAccess, timeoutMs: number, clock: Clock): CarrierClient {
  const call = yundaCalls(access, timeoutMs, clock)
  const partner = { appid: access.appKey, partner_id: access.partnerId, secret: access.partnerSecret }
  const sendOrder = async (action: 'createBmOrder' | 'updateBmOrder', shipment: Shipment) => {
    const body = { ...partner, orders: [toOrder(shipment)] }
    return bookingIn(await call(`/openapi-api/v1/accountOrder/${action}`, body, ordersResponse), shipment)
  }

  return {
    trackAtOnce: 50,

    async rate({ sender, receiver, weightGrams }) {
      const body = { startCity: sender.city, endCity: receiver.city, weight: kilograms(weightGrams) }
      const price = await call('/openapi-api/v1/order/getFreightInfo', body, freight)
      const priceMinor = minorUnits(Number(price), chinaCurrency)
      return [{ product: 'common', name: 'Yunda', priceMinor, currency: chinaCurrency, days: null }]
    },

    async book(shipment) {
      try {
        return await sendOrder('createBmOrder', shipment)
      } catch (error) {
        // An earlier attempt was booked, but its response was lost: the update returns its number.
        if (isRefusal(error) && saysExists(error.detail)) return sendOrder('updateBmOrder', shipment)
        throw error
      }
    },

    // The update returns the number of an existing order, and refuses an unknown one.
    async find(shipment) {
      try {
        return await sendOrder('updateBmOrder', shipment)
      } catch (error) {
        if (isRefusal(error)) return null
        throw error
      }
    },

    async label(carrierNumber) {
      const body = { ...partner, orders: [{ mailno: carrierNumber }] }
      return labelIn(await call('/openapi/outer/v1/bm/getPdfInfo', body, labelsResponse), carrierNumber)
    },

    async cancel(carrierNumber, reference) {
      const body = { ...partner, orders: [{ order_serial_no: reference, mailno: carrierNumber }] }
      try {
        const [order] = await call('/openapi-api/v1/accountOrder/cancelBmOrder', body, ordersResponse)
        if (order && String(order.status ?? '1') !== '1') throw new CarrierError('refused', order.msg ?? '')
      } catch (error) {
        if (!isRefusal(error) || !saysUnknown(error.detail)) throw error
      }
    },

    async subscribe(parcels) {
      const parts = await callInParts(parcels, async (part) => {
        const orders = part.map(({ carrierNumber, reference }) => ({ orderid: reference, mailno: carrierNumber }))
        await call('/openapi/outer/logictis/subscribe', { orders }, z.unknown())
        return part.map(({ carrierNumber }) => carrierNumber)
      })
      return parts.flat()
    },

    track: (numbers) =>
      callForEach(numbers, async (number) =>
        checkpointsIn(await call('/openapi/outer/logictis/query', { mailno: number }, trackingResponse), number),
      ),
  }
}
