import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { createClaim, createTicket, type DocumentKind, type Ticket } from '@waybill/contract/tickets/tickets'
import type { ParcelRow } from '../../../src/domains/parcels/queries.ts'
import type { TestApp } from '../app.ts'
import type { TestCustomer } from './accounts.ts'
import { uploadPhoto } from './attachments.ts'
import { createParcel } from './parcels.ts'

/** A parcel at a station with an insured value of 500.00. */
export function createInsured(
  test: TestApp,
  owner: TestCustomer,
  overrides: Parameters<typeof createParcel>[2] = {},
): Promise<ParcelRow> {
  const values = { declared_value_minor: 60_000, insured_value_minor: 50_000 }
  return createParcel(test, owner, { status: 'inbound', ...values, ...overrides })
}

/** Uploads a document as the customer. */
export async function uploadDocument(test: TestApp, { token }: TestCustomer, kind: DocumentKind) {
  return { kind, attachmentId: (await uploadPhoto(test, token, 'ticket_document')).id }
}

/** A ticket with a question. */
export async function createPlainTicket(
  test: TestApp,
  { token }: TestCustomer,
  overrides: Partial<BodyIn<typeof createTicket>> = {},
): Promise<Ticket> {
  const body = {
    kind: 'enquiry' as const,
    title: 'Opening hours',
    description: 'Are you open on Sunday?',
    ...overrides,
  }
  const answer = await test.call(createTicket, { token, body })
  if (answer.status !== 200) throw new Error(`no ticket: ${JSON.stringify(answer.error)}`)
  return answer.body
}

/** An insurance claim of 400.00 for a lost parcel insured for 500.00, with all documents. */
export async function createClaimTicket(
  test: TestApp,
  owner: TestCustomer,
  overrides: Partial<BodyIn<typeof createClaim>> = {},
): Promise<Ticket> {
  const parcelId = overrides.parcelId ?? (await createInsured(test, owner)).id
  const documents = [await uploadDocument(test, owner, 'proof_of_value')]
  const body = {
    reason: 'lost' as const,
    amountMinor: 40_000,
    description: 'It never came.',
    documents,
    ...overrides,
    parcelId,
  }
  const answer = await test.call(createClaim, { token: owner.token, body })
  if (answer.status !== 200) throw new Error(`no claim: ${JSON.stringify(answer.error)}`)
  return answer.body
}
