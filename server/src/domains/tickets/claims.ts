/** Claims for insured parcels: opened, documented, withdrawn, decided and paid. */
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { type ClaimEvent, claimReasonLabels } from '@waybill/contract/tickets/claims'
import type { decideClaim } from '@waybill/contract/tickets/staff-tickets'
import type { addDocuments, claimOptions, createClaim, Ticket } from '@waybill/contract/tickets/tickets'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller, StaffCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { newId } from '../../lib/ids.ts'
import { findAccountById, lockOpenAccount } from '../accounts/service.ts'
import { fact } from '../notifications/facts.ts'
import { maySeeRecord } from '../parcels/access.ts'
import { markLost } from '../parcels/lost/service.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import { findParcelOfAnyAccount } from '../parcels/service.ts'
import { lockParcels } from '../parcels/transition.ts'
import { postEntry } from '../wallet/ledger/service.ts'
import { notifyCustomer, notifyStaff } from './notices.ts'
import { insertTicket, type TicketRow, updateTicket } from './queries.ts'
import {
  type ClaimRow,
  findClaim,
  findClaimOfParcel,
  insertClaim,
  listDocuments,
  updateClaim,
} from './queries-claims.ts'
import { checklist, claimDeadline, claimReasons, deadlineFor, isComplete, whyNoClaim } from './rules.ts'
import { getAccountId, lockVisible, recordTicket, showTicket, storeDocuments, ticketState } from './service.ts'
import { nextClaimState } from './status.ts'

/** A parcel with a number that the caller may see. Throws not_found. */
async function requireParcel(db: DbOrTx, caller: CustomerCaller, id: string): Promise<ParcelRow> {
  const parcel = await findParcelOfAnyAccount(db, id)
  if (!parcel?.tracking_number || !maySeeRecord(parcel, caller)) throw new AppError('not_found')
  return parcel
}

const readFacts = (parcel: ParcelRow) => ({
  status: parcel.status,
  handedOver: parcel.handed_over,
  insuredMinor: parcel.insured_value_minor,
  since: parcel.last_event_at ?? parcel.updated_at,
})

const getWindow = ({ clock, settings }: Deps) => ({ now: clock.now(), days: settings.get('claims.windowDays') })

/** Whether a parcel can be claimed for, and for which reasons. Throws not_found. */
export async function readClaimOptions(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
): Promise<ResponseOf<typeof claimOptions>> {
  const parcel = await requireParcel(deps.db, caller, parcelId)
  const claim = await findClaimOfParcel(deps.db, parcelId)
  return {
    insuredMinor: parcel.insured_value_minor,
    currency: parcel.currency,
    closed: claim ? 'claimed' : whyNoClaim(readFacts(parcel), getWindow(deps)),
    ticketId: claim?.ticket_id ?? null,
    reasons: claimReasons(readFacts(parcel)).map((reason) => ({ reason, documents: [...checklist('claim', reason)] })),
  }
}

/** Throws the error for a claim that the rules do not allow. */
function checkClaim(deps: Deps, parcel: ParcelRow, { reason, amountMinor }: BodyOf<typeof createClaim>): number {
  const facts = readFacts(parcel)
  const closed = whyNoClaim(facts, getWindow(deps))
  if (closed === 'not_insured')
    throw new AppError('claim_not_insured', { fields: [{ field: 'parcelId', rule: 'notInsured' }] })
  if (closed === 'window_over') throw new AppError('claim_window_over')
  if (closed === 'state' || !claimReasons(facts).includes(reason)) {
    throw new AppError('claim_state', {
      labels: { status: parcelStatusLabels[parcel.status], reason: claimReasonLabels[reason] },
      details: { status: parcel.status },
    })
  }
  const insured = parcel.insured_value_minor ?? 0
  if (amountMinor > insured) {
    throw validationError({ field: 'amountMinor', rule: 'overInsured', vars: { max: insured } })
  }
  return insured
}

/**
 * Opens a claim for a parcel. Without all required documents the claim waits for them. Throws account_closed,
 * not_found, claim_not_insured, claim_state, claim_window_over, claim_made, validation (an amount above the insured
 * value; documents).
 */
export async function makeClaim(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof createClaim>,
  idempotency: Idempotency,
): Promise<Ticket> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    await lockOpenAccount(trx, caller.accountId)
    const parcel = await requireParcel(trx, caller, body.parcelId)
    const insured = checkClaim(deps, parcel, body)
    const kinds = new Set(body.documents.map(({ kind }) => kind))
    const state = isComplete(checklist('claim', body.reason), kinds) ? 'submitted' : 'documents'
    const row = await insertTicket(trx, {
      id: newId(),
      account_id: caller.accountId,
      kind: 'claim',
      status: 'open',
      title: '',
      description: body.description,
      about: { subject: 'parcel', id: parcel.id, number: parcel.tracking_number ?? '' },
      deadline: claimDeadline(state, at),
      // Everyone who may see the parcel may see its claim.
      created_by: parcel.created_by,
      opened_by: caller.userId,
      at,
    })
    await insertClaim(trx, {
      account_id: caller.accountId,
      ticket_id: row.id,
      parcel_id: parcel.id,
      reason: body.reason,
      state,
      insured_minor: insured,
      claimed_minor: body.amountMinor,
      currency: parcel.currency,
    })
    await storeDocuments(deps, trx, caller, row, body.documents)
    await recordTicket(deps, trx, caller, row, 'claims.made', { amountMinor: body.amountMinor, reason: body.reason })
    if (state === 'submitted') await notifyStaff(deps, trx, row)
    const ticket = await showTicket(deps, trx, row, caller)
    await idempotency.keep(trx, ticket)
    return ticket
  })
}

/** The claim of a locked ticket. Throws ticket_state for another kind of ticket. */
async function requireClaim(trx: DbOrTx, row: TicketRow): Promise<ClaimRow> {
  const claim = await findClaim(trx, row.id)
  if (!claim) throw ticketState(row)
  return claim
}

type Step = { event: ClaimEvent; userId: string | null; changes?: Parameters<typeof updateClaim>[2] }

/**
 * Moves the claim of a locked ticket along its transition table. Throws claim_decided if there is no such transition.
 */
export async function transitionClaim(
  deps: Deps,
  trx: Tx,
  row: TicketRow,
  claim: ClaimRow,
  { event, userId, changes = {} }: Step,
): Promise<TicketRow> {
  const state = nextClaimState(claim.state, event)
  if (!state) throw new AppError('claim_decided', { details: { state: claim.state } })
  const at = deps.clock.now()
  await updateClaim(trx, claim, { ...changes, state })
  const status = state === 'documents' || state === 'submitted' ? 'open' : 'closed'
  const changed = await updateTicket(trx, row, { status, deadline: claimDeadline(state, at), at })
  await recordTicket(deps, trx, { userId }, changed, `claims.${event}`, { from: claim.state, to: state })
  if (event === 'completed') await notifyStaff(deps, trx, changed)
  if (event === 'lapsed') await notifyCustomer(deps, trx, changed, 'claim_lapsed')
  return changed
}

/**
 * Adds documents. A claim whose checklist is complete goes to staff. Throws not_found, version_conflict, ticket_state.
 */
export async function documentTicket(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, documents }: BodyOf<typeof addDocuments>,
): Promise<Ticket> {
  return tx(deps.db, async (trx) => {
    const row = await lockVisible(trx, caller, id, version)
    const claim = await findClaim(trx, id)
    const isOpen = row.status === 'open' && row.kind !== 'branding'
    if (!isOpen) throw ticketState(row)
    await storeDocuments(deps, trx, caller, row, documents)
    const changed = await followDocuments(deps, trx, caller, row, claim)
    return showTicket(deps, trx, changed, caller)
  })
}

async function followDocuments(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  row: TicketRow,
  claim: ClaimRow | null,
): Promise<TicketRow> {
  const kinds = new Set((await listDocuments(trx, row.id)).map(({ kind }) => kind))
  if (claim?.state === 'documents' && isComplete(checklist('claim', claim.reason), kinds)) {
    return transitionClaim(deps, trx, row, claim, { event: 'completed', userId: caller.userId })
  }
  const at = deps.clock.now()
  const deadline = claim ? claimDeadline(claim.state, at) : deadlineFor(row.kind, 'staff', at)
  // Another document does not extend the deadline.
  const isSameTurn = row.due_at !== null && row.waits_for === deadline?.waitsFor
  const changed = await updateTicket(trx, row, {
    deadline: isSameTurn && row.waits_for && row.due_at ? { waitsFor: row.waits_for, at: row.due_at } : deadline,
    at,
  })
  await recordTicket(deps, trx, caller, changed, 'tickets.documents')
  return changed
}

/** Withdraws a claim that is not decided. Throws not_found, version_conflict, claim_decided. */
export async function withdrawOwnClaim(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  version: number,
): Promise<Ticket> {
  return tx(deps.db, async (trx) => {
    const row = await lockVisible(trx, caller, id, version)
    const claim = await requireClaim(trx, row)
    const changed = await transitionClaim(deps, trx, row, claim, { event: 'withdrawn', userId: caller.userId })
    return showTicket(deps, trx, changed, caller)
  })
}

/** The customer's notification for each decision. A reopened claim sends none. */
const decisionNotices = {
  accepted: 'claim_paid',
  refused: 'claim_refused',
  documents_requested: 'claim_documents',
  reconsidered: null,
} as const

/** The amount that an accepted claim pays. Throws validation without an amount or if it exceeds the claim. */
function getAmount(claim: ClaimRow, amountMinor: number | null): number {
  if (amountMinor === null) throw validationError({ field: 'amountMinor', rule: 'required' })
  if (amountMinor > claim.claimed_minor) {
    throw validationError({ field: 'amountMinor', rule: 'overClaimed', vars: { max: claim.claimed_minor } })
  }
  return amountMinor
}

/**
 * Decides a claim under the lock of its ticket, and pays an accepted one to the wallet in the same transaction: of two
 * clerks who accept at once, one pays and the other gets version_conflict. A claim of a deleted account can only be
 * refused, because its wallet is closed. Throws not_found, version_conflict, claim_decided, account_closed,
 * claim_arrived (claimed as lost, and delivered since), validation (amount or note).
 */
export async function decideTicketClaim(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, decision, amountMinor, note }: BodyOf<typeof decideClaim>,
): Promise<TicketRow> {
  return tx(deps.db, async (trx) => {
    const row = await lockVisible(trx, caller, id, version)
    const claim = await requireClaim(trx, row)
    if (!nextClaimState(claim.state, decision)) {
      throw new AppError('claim_decided', { details: { state: claim.state } })
    }
    const account = await findAccountById(trx, getAccountId(row))
    if (account?.closed_at && decision !== 'refused') throw new AppError('account_closed')
    const paid = decision === 'accepted' ? getAmount(claim, amountMinor) : null
    if (note === null && (paid === null || paid < claim.claimed_minor)) {
      throw validationError({ field: 'note', rule: 'required' })
    }
    if (paid !== null) await pay(deps, trx, caller, row, claim, paid)
    const changes = { paid_minor: paid, decision_note: note, decided_by: caller.userId, decided_at: deps.clock.now() }
    const changed = await transitionClaim(deps, trx, row, claim, { event: decision, userId: caller.userId, changes })
    const kind = decisionNotices[decision]
    const amount = fact.money(paid ?? 0, claim.currency)
    if (kind) await notifyCustomer(deps, trx, changed, kind, { note: note ?? '', amount })
    return changed
  })
}

/** The parcel of a paid claim is lost, unless staff have declared it before. Throws claim_arrived. */
async function endLostJourney(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  accountId: AccountId,
  claim: ClaimRow,
): Promise<void> {
  const [parcel] = await lockParcels(trx, accountId, [claim.parcel_id])
  if (!parcel || parcel.status === 'lost') return
  if (!claimReasons(readFacts(parcel)).includes('lost')) {
    throw new AppError('claim_arrived', { labels: { status: parcelStatusLabels[parcel.status] } })
  }
  await markLost(deps, trx, parcel, { actorId: caller.userId, note: null })
}

async function pay(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: TicketRow,
  claim: ClaimRow,
  amountMinor: number,
): Promise<void> {
  const accountId = getAccountId(row)
  if (claim.reason === 'lost') await endLostJourney(deps, trx, caller, accountId, claim)
  await postEntry(deps, trx, {
    kind: 'claim',
    accountId,
    reference: row.number,
    actorId: caller.userId,
    log: null,
    currency: claim.currency,
    postings: [
      { book: 'claims', amountMinor: -amountMinor },
      { book: 'customer_wallet', accountId, amountMinor },
    ],
  })
}
