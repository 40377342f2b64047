import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ipay88Backend, ipay88Response } from '@waybill/contract/payments/payments'
import { answerFields, type Merchant } from '../../../src/domains/payments/gateway/ipay88.ts'
import { afterUse } from '../after-use.ts'
import type { TestApp } from '../app.ts'

type Form = Record<string, string>

/** The answer to a re-query: a text of the gateway, no response, or a redirect to an address that returns `00`. */
type EnquiryAnswer =
  | '00'
  | 'Payment fail'
  | 'Record not found'
  | 'Incorrect amount'
  | 'silence'
  | 'redirect'
  | (string & {})

/** A simulated gateway: answers re-queries, signs posts, and misbehaves on request. */
export type BankPeer = {
  /** Environment variables for the app. */
  environment: Record<string, string>
  /** Sets the gateway's answer for a reference from now on. The default is `Record not found`. */
  says(reference: string | undefined, answer: EnquiryAnswer): void
  /** The references of all re-queries, in order. */
  requeries: string[]
  /** A signed answer to a request form. `changed` fields are signed too; `forged` ones are replaced after signing. */
  answer(form: Form, status: '0' | '1' | '6', changed?: Form, forged?: Form): Form
  /** Posts an answer to the server, as the browser (`response`) or the gateway itself (`backend`). */
  post(
    test: TestApp,
    to: 'response' | 'backend',
    fields: Form,
  ): Promise<{ status: number; body: string; location: string }>
  /** Simulates a payment by the customer: re-queries confirm it, and the backend post is sent. */
  pay(test: TestApp, form: Form): Promise<{ status: number; body: string; location: string }>
}

const merchant: Merchant = { merchantCode: 'M00003', merchantKey: 'apple', signatureType: 'HMACSHA512' }

/** Starts the peer on a free port; stopped with its test or its file. */
export async function startBankPeer(): Promise<BankPeer> {
  const answers = new Map<string, EnquiryAnswer>()
  const requeries: string[] = []
  const server: Server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      if (request.url === '/elsewhere') return void reply.setHeader('content-type', 'text/plain').end('00')
      const reference = new URLSearchParams(body).get('RefNo') ?? ''
      requeries.push(reference)
      const answer = answers.get(reference) ?? 'Record not found'
      if (answer === 'silence') request.socket.destroy()
      else if (answer === 'redirect') reply.writeHead(302, { location: '/elsewhere' }).end()
      else reply.setHeader('content-type', 'text/plain').end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterUse(() => new Promise((resolve) => server.close(resolve)))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const peer: BankPeer = {
    environment: { IPAY88_ENTRY_URL: `${url}/entry.asp`, IPAY88_ENQUIRY_URL: `${url}/enquiry.asp` },
    requeries,
    says(reference, answer) {
      answers.set(reference ?? '', answer)
    },
    answer(form, status, changed = {}, forged = {}) {
      const signed = { ...form, ...changed }
      const fields = answerFields(merchant, {
        merchantCode: signed.MerchantCode ?? '',
        paymentId: signed.PaymentId ?? '',
        reference: signed.RefNo ?? '',
        amount: signed.Amount ?? '',
        currency: signed.Currency ?? '',
        remark: '',
        transactionId: `T${form.RefNo}`,
        authCode: '',
        status,
        errorText: status === '1' ? '' : (changed.ErrDesc ?? 'Fail(Bank Declined Transaction)'),
      })
      return { ...fields, ...forged }
    },
    async post(test, to, fields) {
      const answer = await test.app.inject({
        method: 'POST',
        url: to === 'response' ? ipay88Response.path : ipay88Backend.path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      })
      return { status: answer.statusCode, body: answer.body, location: String(answer.headers.location ?? '') }
    },
    async pay(test, form) {
      peer.says(form.RefNo, '00')
      return peer.post(test, 'backend', peer.answer(form, '1'))
    },
  }
  return peer
}
