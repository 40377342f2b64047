// Drafts and the cart: create, edit, put in the cart, take out, remove.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { isDraft } from '@waybill/contract/ground/status/parcel-status'
import type {
  createParcel as createEndpoint,
  Parcel,
  updateParcel as updateEndpoint,
} from '@waybill/contract/parcels/parcels'
import { type ActivityRow, activityWrite, customerActivity, recordActivity, toActivityRow } from '../../../activity.ts'
import { groupCalls } from '../../../db/concurrency/group-calls.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import { runWrites, runWritesInTransaction, type Write } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { type Idempotency, type KeyedResponse, keyedResponsesWrite } from '../../../http/idempotency.ts'
import { minutes } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { claimAttachments, releaseAttachments } from '../../attachments/service.ts'
import { pricingAccount } from '../../pricing/service.ts'
import { presentParcel } from '../present.ts'
import { type ParcelChanges, type ParcelRow, updateParcel } from '../queries.ts'
import { identicalMinutes, missingFields } from '../rules.ts'
import { lockParcel, lockParcels, transitionParcel, transitionParcels } from '../transition.ts'
import { overriddenContradictions, requireNoContradictions } from './contradictions.ts'
import { checkInput, contentColumns } from './input.ts'
import { type PriceBasis, priceColumns } from './prices.ts'
import { deleteParcels, findIdentical } from './queries.ts'
import { parcelsWrite, type StartedParcel, toNewRow } from './queries-create.ts'
import { addCartShares, sharesPickup } from './share-pickup.ts'

/**
 * Puts complete drafts in the cart with today's prices. Throws address_contradiction, and the errors of
 * `priceColumns`.
 */
async function putInCart(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  rows: readonly ParcelRow[],
): Promise<ParcelRow[]> {
  requireNoContradictions(rows)
  const account = await pricingAccount(trx, caller.accountId)
  const columns = new Map<string, ParcelChanges>()
  for (const row of rows) columns.set(row.id, await priceColumns(deps, row, account))
  return transitionParcels(
    deps,
    trx,
    rows,
    'added_to_cart',
    { actorId: caller.userId },
    (row) => columns.get(row.id) ?? {},
  )
}

/**
 * Today's price of a complete draft. It is not stored yet, so the price errors do not name it. Throws
 * address_contradiction, and the errors of `priceColumns`.
 */
async function cartPrice(
  deps: Deps,
  caller: CustomerCaller,
  draft: PriceBasis & Pick<ParcelRow, 'id' | 'sender' | 'receiver' | 'shipped_anyway'>,
): Promise<ParcelChanges> {
  requireNoContradictions([draft])
  const { id: _, ...basis } = draft
  return priceColumns(deps, basis, await pricingAccount(deps.db, caller.accountId))
}

/**
 * Attaches photos to their parcel, and releases removed ones. Throws validation on `photoIds` for photos of another
 * user.
 */
async function updatePhotos(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  parcelId: string,
  photoIds: readonly string[],
  before: readonly string[],
): Promise<void> {
  const subject = { kind: 'parcel', id: parcelId, accountId: caller.accountId, purpose: 'parcel_photo' } as const
  await claimAttachments(deps, trx, photoIds, caller, { ...subject, field: 'photoIds' })
  await releaseAttachments(
    deps,
    trx,
    before.filter((id) => !photoIds.includes(id)),
  )
}

async function present(deps: Deps, trx: Tx, caller: CustomerCaller, row: ParcelRow): Promise<Parcel> {
  const [pricedRow] = await addCartShares(deps, trx, caller, [row])
  return presentParcel(deps, pricedRow as ParcelRow, caller)
}

/** Throws parcel_identical if the user created the same parcel minutes ago, to avoid shipping it twice. */
async function requireNotIdentical(deps: Deps, caller: CustomerCaller, columns: ParcelChanges): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - minutes(identicalMinutes))
  const row = await findIdentical(deps.db, caller, columns, since)
  if (!row) return
  throw new AppError('parcel_identical', {
    details: { parcelId: row.id, status: row.status, createdAt: row.created_at.toISOString() },
  })
}

/** A checked and priced parcel with its log entry, and its row as it will be stored. */
type PlannedDraft = { parcel: StartedParcel; row: ParcelRow; activity: ActivityRow }

/** The writes that create parcels, for one statement. */
export const draftWrites = (drafts: readonly PlannedDraft[]): Write[] => [
  parcelsWrite(drafts.map(({ parcel }) => parcel)),
  activityWrite(...drafts.map(({ activity }) => activity)),
]

/** A parcel to be created by any request, with the response under its idempotency key. */
type NewDraft = { draft: PlannedDraft; keyedResponse: KeyedResponse | null }

/**
 * A function that creates a parcel, complete or not. A complete one goes to the cart if the request says so. One
 * statement writes the parcel and the response under the request's idempotency key, and those of other requests that
 * arrive meanwhile (decision 102), unless photos must be claimed or the response depends on the rest of the cart.
 *
 * The function throws 422 with each field that breaks a rule, and parcel_identical if the request asks for that check.
 */
export function createDrafter(deps: Deps) {
  const writeDrafts = (drafts: readonly NewDraft[]) =>
    runWritesInTransaction(deps.db, [
      ...draftWrites(drafts.map(({ draft }) => draft)),
      keyedResponsesWrite(drafts.map(({ keyedResponse }) => keyedResponse)),
    ])
  const writeTogether = groupCalls(
    async (drafts: readonly NewDraft[]) => {
      await writeDrafts(drafts)
      return drafts.map(() => undefined)
    },
    (draft) => writeDrafts([draft]),
  )
  return async (
    caller: CustomerCaller,
    body: BodyOf<typeof createEndpoint>,
    idempotency: Pick<Idempotency, 'keep' | 'toKeyedResponse'>,
  ): Promise<Parcel> => {
    const draft = await planDraft(deps, caller, body)
    const { row } = draft
    if (body.photoIds.length === 0 && !sharesPickup(row)) {
      const parcel = presentParcel(deps, row, caller)
      await writeTogether({ draft, keyedResponse: idempotency.toKeyedResponse(parcel) })
      return parcel
    }
    return tx(deps.db, async (trx) => {
      await runWrites(trx, draftWrites([draft]))
      await updatePhotos(deps, trx, caller, row.id, body.photoIds, [])
      const parcel = await present(deps, trx, caller, row)
      await idempotency.keep(trx, parcel)
      return parcel
    })
  }
}

/** A new parcel, checked and priced. Throws what the function of `createDrafter` throws. */
export async function planDraft(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof createEndpoint>,
): Promise<PlannedDraft> {
  await checkInput(deps, deps.db, body)
  const input = {
    ...contentColumns(deps, body),
    shipped_anyway: overriddenContradictions(deps, caller, body, body.override, null),
    id: newId(),
  }
  const inCart = body.addToCart && missingFields(input).length === 0
  const at = deps.clock.now()
  if (body.refuseIdentical) await requireNotIdentical(deps, caller, input)
  const columns = inCart ? { ...input, ...(await cartPrice(deps, caller, input)) } : input
  const start = { accountId: caller.accountId, createdBy: caller.userId, at, inCart }
  const parcel = { columns, eventId: newId(), cartEventId: newId(), start }
  const activity = toActivityRow(customerActivity(caller, 'parcels.created', [input.id], at))
  return { parcel, row: toNewRow(parcel), activity }
}

/**
 * Edits a draft or a parcel of the cart. In the cart it gets a new price, or leaves the cart if a field is missing
 * now. An unpaid order loses it. Throws version_conflict, and transition_forbidden once it is paid or in transit.
 */
export async function editDraft(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof updateEndpoint>,
): Promise<Parcel> {
  await checkInput(deps, deps.db, body)
  return tx(deps.db, async (trx) => {
    const row = await lockParcel(trx, caller, body.id)
    if (row.version !== body.version) throw new AppError('version_conflict', { details: { version: row.version } })
    if (!isDraft(row.status)) throw notADraft(row)
    const columns = {
      ...contentColumns(deps, body),
      shipped_anyway: overriddenContradictions(deps, caller, body, body.override, row.shipped_anyway),
    }
    await updatePhotos(deps, trx, caller, row.id, body.photoIds, row.photo_ids ?? [])
    await recordActivity(trx, customerActivity(caller, 'parcels.changed', [row.id], deps.clock.now()))
    await emitLeftCheckout(deps, trx, [row])
    const edited = { ...row, ...columns }
    const complete = missingFields(edited).length === 0
    if (row.status === 'incart' && !complete) {
      const out = await transitionParcel(deps, trx, row, 'taken_out', { actorId: caller.userId }, () => columns)
      return present(deps, trx, caller, out)
    }
    if (row.status === 'incart') requireNoContradictions([edited])
    const price =
      row.status === 'incart' ? await priceColumns(deps, edited, await pricingAccount(trx, caller.accountId)) : {}
    const changes = { ...columns, ...price }
    const updated = await updateParcel(trx, row, changes, deps.clock.now())
    if (!updated) throw new AppError('version_conflict')
    const toCart = body.addToCart && complete && updated.status === 'pending'
    const [parcel] = toCart ? await putInCart(deps, trx, caller, [updated]) : [updated]
    return present(deps, trx, caller, parcel as ParcelRow)
  })
}

/**
 * Emits `checkout.parcel_left` for the unpaid orders of these rows, which orders then ends because a parcel is
 * missing.
 */
export async function emitLeftCheckout(deps: Deps, trx: Tx, rows: readonly ParcelRow[]): Promise<void> {
  const orders = new Map(rows.flatMap(({ order_id, account_id }) => (order_id ? [[order_id, account_id]] : [])))
  const payloads = [...orders].map(([orderId, accountId]) => ({ orderId, accountId }))
  await deps.outbox.emit(trx, 'checkout.parcel_left', ...payloads)
}

/** The error for an edit of a parcel that is paid or in transit. */
export function notADraft(row: ParcelRow): AppError {
  return new AppError('transition_forbidden', {
    text: 'transition_forbidden_status',
    labels: { status: parcelStatusLabels[row.status] },
    details: { status: row.status, parcelId: row.id, trackingNumber: row.tracking_number },
  })
}

/** Puts drafts in the cart, all or none. Throws parcel_incomplete with the missing fields of each. */
export async function addDraftsToCart(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<Parcel[]> {
  return tx(deps.db, async (trx) => {
    const rows = await lockParcels(trx, caller.accountId, ids, caller)
    const incomplete = rows
      .filter(({ status }) => status === 'pending')
      .map((row) => ({ id: row.id, missing: missingFields(row) }))
      .filter(({ missing }) => missing.length > 0)
    if (incomplete.length > 0) {
      const fields = [...new Set(incomplete.flatMap(({ missing }) => missing))]
      throw new AppError('parcel_incomplete', {
        fields: fields.map((field) => ({ field, rule: 'required' })),
        details: { parcels: incomplete },
      })
    }
    const parcels = await addCartShares(deps, trx, caller, await putInCart(deps, trx, caller, rows))
    return parcels.map((row) => presentParcel(deps, row, caller))
  })
}

/** A draft has neither price nor order. */
const unpriced = {
  price: null,
  price_minor: null,
  pickup_fee_minor: null,
  pickup_tax_minor: null,
  expected_date: null,
  order_id: null,
} satisfies ParcelChanges

/** Turns parcels of the cart into drafts; their unpaid orders lose them. */
export async function removeFromCart(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<Parcel[]> {
  return tx(deps.db, async (trx) => {
    const rows = await lockParcels(trx, caller.accountId, ids, caller)
    const out = await transitionParcels(deps, trx, rows, 'taken_out', { actorId: caller.userId }, () => unpriced)
    await emitLeftCheckout(deps, trx, rows)
    return out.map((row) => presentParcel(deps, row, caller))
  })
}

/** Deletes drafts and parcels of the cart with their timelines. Throws transition_forbidden for any other parcel. */
export async function removeDrafts(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<void> {
  await tx(deps.db, async (trx) => {
    const rows = await lockParcels(trx, caller.accountId, ids, caller)
    const other = rows.find((row) => !isDraft(row.status))
    if (other) throw notADraft(other)
    await releaseAttachments(
      deps,
      trx,
      rows.flatMap(({ photo_ids }) => photo_ids ?? []),
    )
    await deleteParcels(trx, caller.accountId, rows)
    const payloads = rows.flatMap(({ id, account_id, batch_id }) =>
      batch_id ? [{ accountId: account_id, parcelId: id, batchId: batch_id }] : [],
    )
    await deps.outbox.emit(trx, 'parcel.deleted', ...payloads)
    const subjects = rows.map(({ id }) => id)
    await recordActivity(trx, customerActivity(caller, 'parcels.removed', subjects, deps.clock.now()))
    await emitLeftCheckout(deps, trx, rows)
  })
}
