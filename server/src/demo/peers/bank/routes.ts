/**
 * The simulated bank of the demo. It implements iPay88's protocol, so that a demo payment goes through every step of a
 * real one. Never in production (config.ts).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import {
  answerFields,
  type Merchant,
  parseAmount,
  requestSignature,
  sameText,
} from '../../../domains/payments/gateway/ipay88.ts'
import { requestLocale } from '../../../http/route.ts'
import { continuePage, continueScript, payPage, problemPage } from './page.ts'

type Form = Record<string, string>
type Outcome = 'paid' | 'failed' | 'cancelled'

/** One request for payment, from the entry page to the customer's decision. */
type Order = {
  form: Form
  outcome: Outcome | null
  transactionId: string
}

/** The maximum number of backend posts, until one is answered with RECEIVEOK. */
const backendTries = 4
const backendPauseMs = 2000
const backendTimeoutMs = 10_000
/** If there are more requests than this, the oldest are dropped. */
const maxOrders = 5000

const errorTexts: Record<Exclude<Outcome, 'paid'>, string> = {
  failed: 'Fail(Bank Declined Transaction)',
  cancelled: 'Customer Cancel Transaction',
}

/** The bank's state and logic, without its pages. */
class SimulatedBank {
  readonly #merchant: Merchant
  readonly #portal: string
  readonly #orders = new Map<string, Order>()
  #serial = 0

  /** `portal`: the only address that the bank posts to. */
  constructor(merchant: Merchant, portal: string) {
    this.#merchant = merchant
    this.#portal = portal
  }

  /** Checks a payment request. Null if it is valid, else the real gateway's error text (ErrDesc). */
  open(form: Form): string | null {
    const required = ['MerchantCode', 'RefNo', 'Amount', 'Currency', 'ProdDesc', 'UserName', 'UserEmail', 'Signature']
    if (required.some((name) => !form[name])) return 'Invalid parameters'
    if (form.MerchantCode !== this.#merchant.merchantCode) return 'Invalid merchant'
    if (!parseAmount(form.Amount ?? '') || !/^\d+$/.test(form.PaymentId ?? '')) return 'Invalid parameters'
    if (!this.ours(form.ResponseURL) || !this.ours(form.BackendURL)) {
      return 'Permission not allow (referrer not registered)'
    }
    const type = form.SignatureType ?? 'SHA1'
    const right = requestSignature(this.#merchant, form.RefNo ?? '', form.Amount ?? '', form.Currency ?? '')
    if (type !== this.#merchant.signatureType || !sameText(right, form.Signature ?? '')) return 'Signature not match'
    const order = this.#orders.get(form.RefNo ?? '')
    if (order?.outcome) return 'Duplicate reference number'
    if (!order) this.#remember(form)
    return null
  }

  #remember(form: Form): void {
    this.#serial += 1
    const transactionId = `T${Date.now().toString(36).toUpperCase()}${this.#serial}`
    this.#orders.set(form.RefNo ?? '', { form, outcome: null, transactionId })
    if (this.#orders.size <= maxOrders) return
    const [oldest] = this.#orders.keys()
    if (oldest !== undefined) this.#orders.delete(oldest)
  }

  ours(url: string | undefined): boolean {
    return url?.startsWith(`${this.#portal}/`) ?? false
  }

  /** Records the customer's decision; only the first one counts. Null for an unknown reference. */
  decide(reference: string, outcome: Outcome): { answer: Form; form: Form; first: boolean } | null {
    const order = this.#orders.get(reference)
    if (!order) return null
    const first = order.outcome === null
    order.outcome ??= outcome
    const { form, transactionId } = order
    const answer = answerFields(this.#merchant, {
      merchantCode: form.MerchantCode ?? '',
      paymentId: form.PaymentId ?? '',
      reference,
      amount: form.Amount ?? '',
      currency: form.Currency ?? '',
      remark: form.Remark ?? '',
      transactionId,
      authCode: order.outcome === 'paid' ? transactionId.slice(-6) : '',
      status: order.outcome === 'paid' ? '1' : '0',
      errorText: order.outcome === 'paid' ? '' : errorTexts[order.outcome],
    })
    return { answer, form, first }
  }

  /** The plain-text answer to a re-query. */
  enquire(form: Form): string {
    if (!form.MerchantCode || !form.RefNo || !form.Amount) return 'Invalid parameters'
    const order = this.#orders.get(form.RefNo)
    if (form.MerchantCode !== this.#merchant.merchantCode || !order?.outcome) return 'Record not found'
    if (parseAmount(form.Amount) !== parseAmount(order.form.Amount ?? '')) return 'Incorrect amount'
    return order.outcome === 'paid' ? '00' : 'Payment fail'
  }
}

/** Serves the bank at the paths that a demo's configuration uses by default. */
export function simulatedBankRoutes(app: FastifyInstance, deps: Deps): void {
  const { demo, env, ipay88, http } = deps.config
  if (!demo || env === 'production') throw new Error('the simulated bank is for the demo only')
  const bank = new SimulatedBank(ipay88, http.apiHost ?? http.publicUrl)
  const base = '/simulated-bank'
  const options = { schema: { hide: true } }
  const words = (request: FastifyRequest) => {
    const locale = requestLocale(request)
    return { locale, t: deps.translations(locale) }
  }
  const html = (reply: FastifyReply, page: string, status = 200) =>
    reply.status(status).type('text/html; charset=utf-8').send(page)

  app.post(`${base}/entry.asp`, options, async (request, reply) => {
    const form = parseForm(request.body)
    const problem = bank.open(form)
    if (problem === null) return html(reply, payPage(words(request), form, `${base}/decide.asp`))
    // The real gateway sends its unsigned errors through the browser, too.
    const back = bank.ours(form.ResponseURL) ? { action: form.ResponseURL ?? '', fields: refusal(form, problem) } : null
    return html(reply, problemPage(words(request), problem, back), 400)
  })

  app.post(`${base}/decide.asp`, options, async (request, reply) => {
    const { RefNo = '', choice = '' } = parseForm(request.body)
    const outcome = ({ pay: 'paid', fail: 'failed', cancel: 'cancelled' } as const)[choice]
    const decision = outcome ? bank.decide(RefNo, outcome) : null
    if (!decision) return html(reply, problemPage(words(request), 'Invalid parameters', null), 400)
    const { answer, form, first } = decision
    if (first && answer.Status === '1') void notifyMerchant(deps, form.BackendURL ?? '', answer)
    return html(reply, continuePage(words(request), answer, form.ResponseURL ?? '', `${base}/continue.js`))
  })

  const enquiry = async (form: Form, reply: FastifyReply) => reply.type('text/plain').send(bank.enquire(form))
  app.get(`${base}/enquiry.asp`, options, async (request, reply) => enquiry(parseForm(request.query), reply))
  app.post(`${base}/enquiry.asp`, options, async (request, reply) => enquiry(parseForm(request.body), reply))
  app.get(`${base}/continue.js`, options, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(continueScript),
  )
}

function parseForm(fields: unknown): Form {
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}

function refusal(form: Form, problem: string): Form {
  const { MerchantCode = '', PaymentId = '', RefNo = '', Amount = '', Currency = '', Remark = '' } = form
  return {
    MerchantCode,
    PaymentId,
    RefNo,
    Amount,
    Currency,
    Remark,
    TransId: '',
    AuthCode: '',
    Status: '0',
    ErrDesc: problem,
  }
}

/** The backend post from server to server, repeated until it is acknowledged or the attempts run out. */
async function notifyMerchant(deps: Deps, url: string, answer: Form): Promise<void> {
  for (let attempt = 1; attempt <= backendTries; attempt += 1) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams(answer),
        signal: AbortSignal.timeout(backendTimeoutMs),
      })
      if ((await response.text()) === 'RECEIVEOK') return
    } catch (error) {
      deps.log.debug({ err: error }, 'simulated bank: the backend post was not received')
    }
    if (attempt < backendTries) await new Promise((resolve) => setTimeout(resolve, backendPauseMs).unref())
  }
  deps.log.warn(`simulated bank: ${answer.RefNo} was paid, but ${url} never answered RECEIVEOK`)
}
