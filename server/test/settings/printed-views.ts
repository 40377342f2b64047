/** The effects of settings on documents, spreadsheets and emails. */

import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { printInvoice } from '@waybill/contract/orders/orders'
import { listCreditNotes, printCreditNote } from '@waybill/contract/orders/refunds'
import { bulkTemplate } from '@waybill/contract/parcels/bulk'
import { generateNotes, pickupList } from '@waybill/contract/parcels/labels'
import { walletStatement } from '@waybill/contract/wallet/preferences'
import { readXlsx } from 'hucre'
import { sendMail } from '../../src/jobs/send-mail.ts'
import { fillPath, type TestApp } from '../testing/app.ts'
import type { TestCustomer } from '../testing/factories/accounts.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { openPaper } from '../testing/paper.ts'

/** Views of a customer who has a wallet with credits and a PIN. */
export function createPrintedViews(test: TestApp, owner: TestCustomer) {
  const { token } = owner
  const download = async (endpoint: EndpointShape, params = {}, query = {}) => {
    const url = fillPath(endpoint, params, query)
    const answer = await test.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.payload}`)
    return answer.rawPayload
  }
  const firstPage = async (pdf: Buffer) => {
    const [page] = (await openPaper(pdf)).pages
    if (!page) throw new Error('the document has no page')
    return page
  }

  /** The consignment note of a new parcel. */
  const note = async () => {
    const parcel = await createParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    return firstPage(await download(generateNotes, {}, { ids: parcel.id }))
  }
  /** The invoice of a new order. */
  const invoice = async () => {
    const order = await placeOrder(test, owner)
    await payCredits(test, owner, order)
    return firstPage(await download(printInvoice, { id: order.id }))
  }
  return {
    note,
    invoice,
    noteText: async () => (await note()).text,
    invoiceText: async () => (await invoice()).text,
    /** The first credit note of an order with one. */
    creditNote: async (orderId: string) => {
      const [first] = (await test.call(listCreditNotes, { token, params: { id: orderId } })).body.items
      return firstPage(await download(printCreditNote, { id: orderId, creditNoteId: first?.id ?? '' }))
    },
    /** The manifest that a rider signs, with the time of printing. */
    pickupListText: async () => {
      await createParcel(test, owner, { status: 'pending_pickup' })
      return (await firstPage(await download(pickupList, {}, { format: 'pdf' }))).text
    },
    /** The headers of the spreadsheet for bulk upload. */
    templateHeaders: async () => {
      const [sheet] = (await readXlsx(await download(bulkTemplate))).sheets
      return sheet?.rows[0]?.join(' ') ?? ''
    },
    /** The headers of a wallet's statement. */
    statementHeaders: async () => (await download(walletStatement, {}, { month: '2026-01', format: 'csv' })).toString(),
    mailHtml: async () => {
      const to = `views-${Math.random()}@example.test`
      await sendMail(test.deps, { to, template: 'register_code', locale: 'en', vars: { code: '012345', minutes: 15 } })
      return test.mailbox.mails().find((mail) => mail.to.includes(to))?.html ?? ''
    },
  }
}
