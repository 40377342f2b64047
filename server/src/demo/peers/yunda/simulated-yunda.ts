/**
 * The simulated Yunda: orders, labels, freight and tracking as its open platform answers them. Never in production
 * (config.ts).
 */
import { createHash } from 'node:crypto'
import type { YundaAccess } from '../../../config.ts'
import { type PeerAnswer, type PeerRequest, simulatedLabel } from '../peer.ts'

export type SimulatedYundaStep = { at: Date; action: string; description: string; city: string; signer?: string }

export type SimulatedYundaOrder = {
  mailno: string
  serial: string
  request: Record<string, unknown>
  bookedAt: Date
  cancelled: boolean
  subscribed: boolean
  steps: SimulatedYundaStep[]
}

const journey: readonly [action: string, description: string, where: 'sender' | 'receiver'][] = [
  ['GOT', '已揽收', 'sender'],
  ['DEPARTURE', '离开始发网点', 'sender'],
  ['ARRIVAL', '到达目的网点', 'receiver'],
  ['SENT', '派件中', 'receiver'],
  ['SIGNED', '已签收', 'receiver'],
]

type Options = { now: () => Date; pace: number | null }

/** Beijing time without a zone, as Yunda writes it. */
const wallClock = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

export class SimulatedYunda {
  readonly access: YundaAccess
  readonly orders: SimulatedYundaOrder[] = []
  /** The field that holds the number: the real platform uses either. */
  numberField: 'mailno' | 'mail_no' = 'mailno'
  readonly #options: Options
  #serial = 0

  constructor(url: string, options: Options) {
    this.#options = options
    this.access = {
      simulated: true,
      baseUrl: url,
      appKey: '999999',
      appSecret: '04d4ad40eeec11e9bad2d962f53dda9d',
      partnerId: '201700101001',
      partnerSecret: 'simulated-partner-secret',
    }
  }

  handle(request: PeerRequest): PeerAnswer {
    const { appKey, appSecret } = this.access
    const sign = createHash('md5').update(request.body).update(`_${appSecret}`).digest('hex')
    if (request.method !== 'POST') return failure('9999', 'POST')
    if (request.headers['app-key'] !== appKey || request.headers.sign !== sign) return failure('0002', '签名验证失败')
    if (!/^\d{13}$/.test(request.headers['req-time'] ?? '')) return failure('0003', 'req-time')
    let body: Record<string, unknown>
    try {
      body = JSON.parse(request.body.toString('utf8')) as Record<string, unknown>
    } catch {
      return failure('0001', '报文格式错误')
    }
    switch (request.path) {
      case '/openapi-api/v1/accountOrder/createBmOrder':
        return this.#ofPartner(body, (order) => this.#create(order))
      case '/openapi-api/v1/accountOrder/updateBmOrder':
        return this.#ofPartner(body, (order) => this.#update(order))
      case '/openapi-api/v1/accountOrder/cancelBmOrder':
        return this.#ofPartner(body, (order) => this.#cancel(order))
      case '/openapi/outer/v1/bm/getPdfInfo':
        return this.#ofPartner(body, (request) => {
          const order = this.#byNumber(request.mailno)
          return { mailno: request.mailno, pdfInfo: order ? this.#label(order) : null }
        })
      case '/openapi-api/v1/order/getFreightInfo':
        return body.startCity && body.endCity
          ? success(Math.round((6 + Math.max(0, Number(body.weight) - 1) * 2.5) * 100) / 100)
          : failure('0004', '城市不能为空')
      case '/openapi/outer/logictis/subscribe':
        return this.#subscribe(body)
      case '/openapi/outer/logictis/query':
        return this.#query(body)
      default:
        return failure('0404', '接口不存在')
    }
  }

  #ofPartner(body: Record<string, unknown>, each: (order: Record<string, unknown>) => unknown): PeerAnswer {
    const { appKey, partnerId, partnerSecret } = this.access
    if (body.appid !== appKey || body.partner_id !== partnerId || body.secret !== partnerSecret)
      return failure('0005', '合作商授权失败')
    return success(list(body.orders).map(each))
  }

  #create(request: Record<string, unknown>): unknown {
    const serial = String(request.order_serial_no)
    const missing = ['khddh', 'order_type', 'node_id', 'sender', 'receiver', 'items', 'weight'].find(
      (name) => request[name] === undefined,
    )
    if (missing) return { order_serial_no: serial, status: '0', msg: `${missing}不能为空` }
    if (this.orders.some((order) => order.serial === serial))
      return { order_serial_no: serial, status: '0', msg: '订单号重复，更新订单请使用更新接口' }
    this.#serial += 1
    const order: SimulatedYundaOrder = {
      mailno: `312${String(5_222_879_000 + this.#serial)}`,
      serial,
      request: request,
      bookedAt: this.#options.now(),
      cancelled: false,
      subscribed: false,
      steps: [],
    }
    this.orders.push(order)
    return this.#buildResponse(order)
  }

  #update(request: Record<string, unknown>): unknown {
    const serial = String(request.order_serial_no)
    const order = this.orders.find((each) => each.serial === serial && !each.cancelled)
    return order ? this.#buildResponse(order) : { order_serial_no: serial, status: '0', msg: '订单不存在' }
  }

  #buildResponse(order: SimulatedYundaOrder): unknown {
    const { serial, mailno } = order
    return {
      order_serial_no: serial,
      [this.numberField]: mailno,
      pdf_info: this.#label(order),
      status: '1',
      msg: '创建成功',
    }
  }

  #cancel(request: Record<string, unknown>): unknown {
    const order = this.orders.find(
      ({ serial, mailno }) => serial === request.order_serial_no && mailno === request.mailno,
    )
    if (!order) return { order_serial_no: request.order_serial_no, status: '0', msg: '订单不存在' }
    order.cancelled = true
    return { order_serial_no: request.order_serial_no, mailno: request.mailno, status: '1', msg: '取消成功' }
  }

  #subscribe(body: Record<string, unknown>): PeerAnswer {
    for (const { mailno } of list(body.orders)) {
      const order = this.#byNumber(mailno)
      if (order) order.subscribed = true
    }
    return success(
      list(body.orders).map(({ orderid, mailno }) => ({ orderid, mailno, status: '1', remark: '订阅成功' })),
    )
  }

  #query({ mailno }: Record<string, unknown>): PeerAnswer {
    const order = this.#byNumber(mailno)
    if (!order?.subscribed) return failure('S02', '运单号不存在或未订阅')
    const steps = this.listSteps(order)
    return success({
      mailno,
      status: steps.at(-1)?.action ?? 'GOT',
      steps: steps.map(({ at, action, description, city, signer }) => ({
        time: wallClock(at),
        station: 350,
        station_name: city,
        station_type: 1,
        action,
        description,
        city,
        signer: signer ?? null,
      })),
    })
  }

  /** The steps so far: those due by the pace, then those that were added. */
  listSteps(order: SimulatedYundaOrder): SimulatedYundaStep[] {
    const { pace, now } = this.#options
    if (pace === null) return order.steps
    const events = journey.flatMap(([action, description, where], index) => {
      const at = new Date(order.bookedAt.getTime() + (index + 1) * pace * 60_000)
      const city = (order.request[where] as { city: string }).city
      return at <= now() ? [{ at, action, description, city }] : []
    })
    return [...events, ...order.steps]
  }

  addEvent(mailno: string, step: SimulatedYundaStep): void {
    this.#byNumber(mailno)?.steps.push(step)
  }

  #byNumber(mailno: unknown): SimulatedYundaOrder | undefined {
    return this.orders.find((order) => order.mailno === String(mailno))
  }

  #label({ mailno, request }: SimulatedYundaOrder): string {
    const { name = '', address = '', city = '' } = (request.receiver ?? {}) as Record<string, string>
    return simulatedLabel('YUNDA', mailno, [name, address, city])
  }
}

const list = (value: unknown) => (Array.isArray(value) ? (value as Record<string, unknown>[]) : [])

const success = (data: unknown): PeerAnswer => ({
  status: 200,
  body: { result: true, code: '0000', message: '请求成功', sub_code: '', sub_msg: '', data },
})

const failure = (code: string, message: string): PeerAnswer => ({
  status: 200,
  body: { result: false, code, message, sub_code: code, sub_msg: message, data: null },
})
