import type {
  ChoiceKind,
  choiceDetails,
  DeliveryChoice,
  makePublicDeliveryChoice,
  PublicDeliveryChoice,
} from '@waybill/contract/delivery-choices'
import type { BodyOf } from '@waybill/contract/endpoint'
import { percentOf } from '@waybill/contract/money'
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing'
import { failureReasons } from '@waybill/contract/scans'
import type * as z from 'zod/mini'
import { type DbOrTx, type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller } from '../../http/caller.ts'
import { AppError, invalid } from '../../http/errors.ts'
import { addJob } from '../../jobs.ts'
import { dayIn, days, hours, later } from '../../lib/clock.ts'
import { hmacSha256, sameBytes } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import type { OutboxHandler } from '../../outbox.ts'
import { differenceLines, isWorkingDay, nextDay, pricingAccount } from '../pricing/service.ts'
import {
  coveringStation,
  doesFor,
  holidaysOf,
  lookupPostcode,
  nearbyStations,
  stationsById,
  zoneOf,
} from '../stations/service.ts'
import { visibleBy } from './access.ts'
import { dayText, readersOf } from './holding.ts'
import { checkReceiver, collectionModeFor } from './input.ts'
import { lockParcels, moveParcels, transitionForbidden } from './moves.ts'
import { priceColumns } from './prices.ts'
import { type ParcelChanges, type ParcelRow, updateParcel } from './queries.ts'
import {
  abandonedParcels,
  type ChoiceRow,
  choiceAfter,
  type FailedAttempt,
  failedParcels,
  insertChoices,
  lastFailure,
  parcelOfLink,
  writeNote,
} from './queries-choices.ts'
import { parcelsByIds } from './queries-list.ts'
import { trackingStatusOf } from './status.ts'

export type ChoiceDetails = z.output<typeof choiceDetails>
/** Who chooses. A receiver proves it by the link of their mail. */
type Chooser = { by: 'sender' | 'receiver'; userId: string | null }

/** After the last attempt a parcel waits this long for a choice. */
const lastHours = 24
/** Working days that are offered for another attempt, and stations that are named. */
const dayCount = 5
const stationCount = 5

/** The net fee of each choice. Calling back costs the same whichever way it is asked for. */
function netFee({ settings }: Deps, kind: ChoiceKind): number {
  const keys = {
    retry: 'delivery.retryFeeMinor',
    correct: 'delivery.correctFeeMinor',
    divert: 'delivery.divertFeeMinor',
    recall: 'price.recallFeeMinor',
  } as const
  return settings.get(keys[kind])
}

function feeLines(deps: Deps, kind: ChoiceKind): PriceLine[] {
  const net = netFee(deps, kind)
  if (net === 0) return []
  const basisPoints = deps.settings.get('price.taxBasisPoints')
  const tax = percentOf(net, basisPoints)
  const fee: PriceLine = { kind: 'delivery_choice', amountMinor: net, basis: { choice: kind } }
  return tax === 0 ? [fee] : [fee, { kind: 'tax', amountMinor: tax, basis: { basisPoints } }]
}

const sumOf = (lines: readonly PriceLine[]) => lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

function decideUntil(deps: Deps, failure: FailedAttempt): Date {
  const last = failure.attempt >= deps.settings.get('delivery.maxAttempts')
  return later(failure.at, last ? hours(lastHours) : days(deps.settings.get('delivery.decideDays')))
}

/** The next working days of the place where the receiver is. */
async function retryDates(deps: Deps, row: ParcelRow): Promise<string[]> {
  const { postcode = '', country = '' } = row.receiver ?? {}
  const state = lookupPostcode(postcode, country)?.state ?? null
  const holidays = (await holidaysOf(deps.db)).get(country) ?? []
  const found: string[] = []
  for (
    let day = nextDay(dayIn(deps.clock.now(), deps.settings.get('timezone')));
    found.length < dayCount;
    day = nextDay(day)
  ) {
    if (isWorkingDay(day, state, holidays)) found.push(day)
  }
  return found
}

/** The nearest stations that hand such a parcel out; none abroad. */
async function collectionPoints(deps: Deps, row: ParcelRow): Promise<DeliveryChoice['stations']> {
  const { receiver } = row
  if (!receiver || receiver.country !== deps.settings.get('countryCode')) return []
  if (!lookupPostcode(receiver.postcode, receiver.country)) return []
  const { items } = await nearbyStations(deps, receiver.postcode, 'near')
  return items
    .filter(({ serviceCodes }) => doesFor(serviceCodes, 'self_collection', row.service_type))
    .slice(0, stationCount)
    .map(({ id, name, line1, postcode, city, distanceM }) => ({ id, name, line1, postcode, city, distanceM }))
}

type Option = DeliveryChoice['options'][number]

function optionsOf(deps: Deps, failure: FailedAttempt, stations: number, by: Chooser['by']): Option[] {
  const used = failure.attempt >= deps.settings.get('delivery.maxAttempts')
  return (['retry', 'correct', 'divert', 'recall'] as const).map((kind) => {
    const feeMinor = sumOf(feeLines(deps, kind))
    const reason = (): Option['reason'] => {
      if (by === 'receiver' && (kind === 'correct' || kind === 'recall')) return 'not_for_receiver'
      if (by === 'receiver' && feeMinor > 0) return 'receiver_free_only'
      if (used && (kind === 'retry' || kind === 'correct')) return 'attempts_used'
      return kind === 'divert' && stations === 0 ? 'no_station' : null
    }
    const why = reason()
    return { kind, open: why === null, reason: why, feeMinor }
  })
}

/** What both sender and receiver may see. Throws transition_forbidden while no delivery has failed. */
async function sharedView(deps: Deps, db: DbOrTx, row: ParcelRow, by: Chooser['by']) {
  const failure = await lastFailure(db, row)
  if (!failure || row.leg !== 'outbound') throw transitionForbidden(row, 'diverted')
  const accountId = asAccountId(row.account_id) // the parcel is the caller's, or its link was shown
  const [choice, dates, stations] = await Promise.all([
    choiceAfter(db, accountId, row.id, failure.attempt),
    retryDates(deps, row),
    collectionPoints(deps, row),
  ])
  const chosenStation = choice?.station_id ? (await stationsById(db, [choice.station_id])).get(choice.station_id) : null
  const waiting = row.status === 'fail-to-deliver' && choice === null
  return {
    trackingNumber: row.tracking_number ?? '',
    waiting,
    attempt: failure.attempt,
    attemptsAllowed: deps.settings.get('delivery.maxAttempts'),
    failedAt: failure.at.toISOString(),
    failureReason: failureReasons.find((reason) => reason === failure.reason) ?? null,
    decideUntil: decideUntil(deps, failure).toISOString(),
    chosen: choice && {
      kind: choice.kind,
      by: choice.chosen_by,
      at: choice.at.toISOString(),
      date: choice.retry_on,
      station: chosenStation?.name ?? null,
      feeMinor: choice.fee_minor,
    },
    options: optionsOf(deps, failure, stations.length, by),
    dates,
    stations,
    currency: row.currency,
  }
}

async function senderView(deps: Deps, db: DbOrTx, row: ParcelRow): Promise<DeliveryChoice> {
  if (!row.receiver) throw new AppError('not_found')
  return { parcelId: row.id, receiver: row.receiver, ...(await sharedView(deps, db, row, 'sender')) }
}

/** What can be done after a failed delivery. Throws not_found, transition_forbidden. */
export async function deliveryChoiceOf(deps: Deps, caller: CustomerCaller, id: string): Promise<DeliveryChoice> {
  const [row] = await parcelsByIds(deps.db, caller.accountId, [id], visibleBy(caller))
  if (!row) throw new AppError('not_found')
  return senderView(deps, deps.db, row)
}

/** What a choice means for a parcel: what it costs line by line, and what changes. */
type Plan = {
  lines: PriceLine[]
  feeMinor: number
  otherZone: boolean
  changes: ParcelChanges
  /** It has to go to another station first. */
  travels: boolean
}

/** Holds what was chosen against what is offered. Throws validation, choice_closed (`details.reason`), and for an address what a draft's would. */
async function planOf(
  deps: Deps,
  row: ParcelRow,
  failure: FailedAttempt,
  details: ChoiceDetails,
  by: Chooser['by'],
): Promise<Plan> {
  const { kind } = details
  const stations = kind === 'divert' ? await collectionPoints(deps, row) : []
  const option = optionsOf(deps, failure, kind === 'divert' ? stations.length : 1, by).find(
    (each) => each.kind === kind,
  )
  if (option?.reason) throw new AppError('choice_closed', { details: { kind, reason: option.reason } })
  const lines = feeLines(deps, kind)
  const plan = (more: Partial<Plan>): Plan => {
    const all = [...lines, ...(more.lines ?? [])]
    return { otherZone: false, changes: {}, travels: false, ...more, lines: all, feeMinor: sumOf(all) }
  }
  switch (kind) {
    case 'retry': {
      if (!details.date) throw invalid({ field: 'date', rule: 'required' })
      if (!(await retryDates(deps, row)).includes(details.date)) throw invalid({ field: 'date', rule: 'enum' })
      return plan({ changes: { expected_date: details.date } })
    }
    case 'divert': {
      if (!details.stationId) throw invalid({ field: 'stationId', rule: 'required' })
      const station = (await stationsById(deps.db, [details.stationId])).get(details.stationId)
      if (!station?.active || !doesFor(station.serviceCodes, 'self_collection', row.service_type)) {
        throw invalid({ field: 'stationId', rule: 'stationCannot' })
      }
      const mode = row.delivery_mode?.[0] === 'D' ? ('D2P' as const) : ('P2P' as const)
      return plan({
        travels: true,
        changes: {
          delivery_mode: mode,
          self_collection_station_id: station.id,
          station_id: null,
          ...(row.collection_mode ? { collection_mode: collectionModeFor(mode) } : {}),
        },
      })
    }
    case 'correct':
      return plan(await correction(deps, row, details))
    case 'recall':
      return plan({ changes: { station_id: row.station_id } })
  }
}

/** A corrected address: free in the same zone, the difference in another one. It is never sent cheaper than it was paid. */
async function correction(deps: Deps, row: ParcelRow, { receiver }: ChoiceDetails): Promise<Partial<Plan>> {
  if (!receiver) throw invalid({ field: 'receiver', rule: 'required' })
  if (receiver.country !== row.receiver?.country) throw invalid({ field: 'receiver.country', rule: 'enum' })
  checkReceiver(deps, receiver, row.scope)
  const { db } = deps
  const [zone, before, after] = await Promise.all([
    zoneOf(db, row.scope, receiver),
    coveringStation(db, row.receiver.country, row.receiver.postcode),
    coveringStation(db, receiver.country, receiver.postcode),
  ])
  if (!zone || (row.scope === 'domestic' && !after)) {
    throw new AppError('not_covered', { fields: [{ field: 'receiver.postcode', rule: 'noService' }] })
  }
  const otherZone = row.price !== null && zone.zone !== row.price.destinationZone
  const moved = { travels: before?.station.id !== after?.station.id, otherZone }
  if (!otherZone || !row.price) return { ...moved, changes: { receiver } }
  // What the scale said counts, not what was declared.
  const weighed = { ...row, receiver, weight_grams: row.price.weightGrams }
  const columns = await priceColumns(deps, weighed, await pricingAccount(db, asAccountId(row.account_id)))
  const dearer = columns.price.totalMinor > row.price.totalMinor
  const price: PriceBreakdown = dearer
    ? columns.price
    : { ...row.price, destinationZone: columns.price.destinationZone }
  return {
    ...moved,
    lines: dearer ? differenceLines(row.price, columns.price) : [],
    changes: {
      receiver,
      price,
      price_minor: price.totalMinor,
      expected_date: columns.expected_date,
      ...(dearer ? { chargeable_grams: price.chargeableGrams, volumetric_grams: price.volumetricGrams } : {}),
    },
  }
}

/** What a choice costs before it is made. Throws what making it would. */
export async function quoteChoice(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  details: ChoiceDetails,
): Promise<{ feeMinor: number; lines: PriceLine[]; otherZone: boolean; currency: string }> {
  const [row] = await parcelsByIds(deps.db, caller.accountId, [id], visibleBy(caller))
  if (!row) throw new AppError('not_found')
  const failure = await failureToAnswer(deps.db, row)
  const { feeMinor, lines, otherZone } = await planOf(deps, row, failure, details, 'sender')
  return { feeMinor, lines, otherZone, currency: row.currency }
}

/** The failure that waits for an answer. Throws transition_forbidden (the rider is out, it is on its way back, …), already_chosen. */
async function failureToAnswer(db: DbOrTx, row: ParcelRow): Promise<FailedAttempt> {
  const failure = row.status === 'fail-to-deliver' && row.leg === 'outbound' ? await lastFailure(db, row) : null
  if (!failure) throw transitionForbidden(row, 'diverted')
  const made = await choiceAfter(db, asAccountId(row.account_id), row.id, failure.attempt)
  if (made) throw new AppError('already_chosen', { details: { kind: made.kind, by: made.chosen_by } })
  return failure
}

const events = { retry: 'retry_chosen', correct: 'address_corrected' } as const

/** Writes a choice for a locked parcel: it moves, or a line of its timeline says what was agreed. */
async function apply(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  failure: FailedAttempt,
  details: ChoiceDetails,
  plan: Plan,
  { by, userId }: Chooser,
): Promise<ParcelRow> {
  const at = deps.clock.now()
  const { kind } = details
  const made: ChoiceRow = {
    account_id: asAccountId(row.account_id),
    parcel_id: row.id,
    attempt: failure.attempt,
    id: newId(),
    kind,
    chosen_by: by,
    user_id: userId,
    retry_on: kind === 'retry' ? details.date : null,
    station_id: kind === 'divert' ? details.stationId : null,
    receiver_before: kind === 'correct' ? row.receiver : null,
    fee_minor: plan.feeMinor,
    currency: row.currency,
    at,
  }
  if (!(await insertChoices(trx, [made]))) throw new AppError('already_chosen')
  const detail = { choiceId: made.id, by, ...(made.retry_on ? { date: made.retry_on } : {}) }
  if (kind === 'recall' || plan.travels) {
    const event = kind === 'recall' ? 'recalled' : kind === 'divert' ? 'diverted' : 'redirected'
    const [moved] = await moveParcels(deps, trx, [row], event, { actorId: userId, detail }, () => plan.changes)
    return moved as ParcelRow
  }
  const changed = await updateParcel(trx, row, { ...plan.changes, choice_made: true }, at)
  if (!changed) throw new AppError('version_conflict')
  const event = kind === 'correct' ? events.correct : events.retry
  const note = { id: newId(), event, at, actorId: userId, detail }
  await writeNote(trx, changed, trackingStatusOf(changed.status, changed.handed_over), note)
  return changed
}

/**
 * The sender's choice, in a transaction that pays its fee. Answers the parcel as it is then and what is to be paid. Throws not_found, transition_forbidden,
 * already_chosen, choice_closed, price_changed (`details.expectedTotalMinor`, `details.totalMinor`), validation.
 */
export async function chooseAsSender(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  id: string,
  { expectedFeeMinor, ...details }: ChoiceDetails & { expectedFeeMinor: number },
): Promise<{ row: ParcelRow; lines: PriceLine[]; feeMinor: number; view: () => Promise<DeliveryChoice> }> {
  const [row] = await lockParcels(trx, caller.accountId, [id], caller)
  if (!row) throw new AppError('not_found')
  const failure = await failureToAnswer(trx, row)
  const plan = await planOf(deps, row, failure, details, 'sender')
  if (plan.feeMinor !== expectedFeeMinor) {
    throw new AppError('price_changed', {
      details: { expectedTotalMinor: expectedFeeMinor, totalMinor: plan.feeMinor },
    })
  }
  const after = await apply(deps, trx, row, failure, details, plan, { by: 'sender', userId: caller.userId })
  return { row: after, lines: plan.lines, feeMinor: plan.feeMinor, view: () => senderView(deps, trx, after) }
}

const purpose = 'delivery links'

/** The link of a receiver's mail: good for this parcel and this attempt, until its time is over. */
export function linkToken({ keys }: Deps, parcelId: string, attempt: number, until: Date): string {
  const said = `${parcelId}.${attempt}.${Math.floor(until.getTime() / 1000).toString(36)}`
  return `${said}.${hmacSha256(keys.derive(purpose), said).subarray(0, 18).toString('base64url')}`
}

/** What a link says. Throws link_invalid for one that is not ours, of another attempt or too old: nobody is told which. */
function readToken({ keys, clock }: Deps, token: string): { parcelId: string; attempt: number } {
  const [parcelId = '', attempt = '', until = '', mac = ''] = token.split('.')
  const right = hmacSha256(keys.derive(purpose), `${parcelId}.${attempt}.${until}`).subarray(0, 18)
  const genuine = sameBytes(Buffer.from(mac, 'base64url'), right)
  if (!genuine || Number.parseInt(until, 36) * 1000 <= clock.now().getTime()) throw new AppError('link_invalid')
  return { parcelId, attempt: Number(attempt) }
}

async function receiverView(deps: Deps, db: DbOrTx, row: ParcelRow): Promise<PublicDeliveryChoice> {
  const shared = await sharedView(deps, db, row, 'receiver')
  return { ...shared, city: row.receiver?.city ?? '', timezone: deps.settings.get('timezone') }
}

/** What the receiver may choose by their link. Throws link_invalid. */
export async function choiceByLink(deps: Deps, token: string): Promise<PublicDeliveryChoice> {
  const { parcelId, attempt } = readToken(deps, token)
  const row = await parcelOfLink(deps.db, parcelId, false)
  const failure = row && (await lastFailure(deps.db, row))
  if (failure?.attempt !== attempt) throw new AppError('link_invalid')
  return receiverView(deps, deps.db, row as ParcelRow)
}

/** The receiver's choice. Throws link_invalid, transition_forbidden, already_chosen, choice_closed, validation. */
export async function chooseByLink(
  deps: Deps,
  token: string,
  body: BodyOf<typeof makePublicDeliveryChoice>,
): Promise<PublicDeliveryChoice> {
  const { parcelId, attempt } = readToken(deps, token)
  return tx(deps.db, async (trx) => {
    const row = await parcelOfLink(trx, parcelId, true)
    const latest = row && (await lastFailure(trx, row))
    if (!row || latest?.attempt !== attempt) throw new AppError('link_invalid')
    const failure = await failureToAnswer(trx, row)
    const details = { ...body, receiver: null }
    const plan = await planOf(deps, row, failure, details, 'receiver')
    const after = await apply(deps, trx, row, failure, details, plan, { by: 'receiver', userId: null })
    return receiverView(deps, trx, after)
  })
}

/** A delivery failed: its sender is asked what next, and its receiver by a link. */
export const askAfterFailure: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const failed = moves.filter(({ event }) => event === 'attempt_failed').map(({ parcelId }) => parcelId)
  if (failed.length === 0) return
  for (const row of await failedParcels(trx, failed)) {
    const failure = await lastFailure(trx, row)
    if (!failure) continue
    const until = decideUntil(deps, failure)
    const day = dayIn(until, deps.settings.get('timezone'))
    const { sender, receiver } = await readersOf(deps, trx as Tx, row)
    const link = `${deps.config.http.publicUrl}/public/delivery/${linkToken(deps, row.id, failure.attempt, until)}`
    for (const [reader, template, url] of [
      [sender, 'delivery_failed', sender?.url],
      [receiver, 'delivery_failed_receiver', link],
    ] as const) {
      if (!reader) continue
      const t = deps.translations(reader.locale)
      await addJob(trx, 'mail:send', {
        to: reader.to,
        template,
        locale: reader.locale,
        vars: {
          name: reader.name,
          receiver: row.receiver?.contactName ?? '',
          number: row.tracking_number,
          reason: t(`failureReason.${failure.reason ?? 'other'}`),
          until: dayText(deps, day, reader.locale),
          url,
        },
      })
    }
  }
}

const batch = 200

/** The job behind the clock: what nobody decided about in time goes back to its sender. */
export async function recallAbandoned(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const { settings } = deps
  const by = {
    lastAttempt: settings.get('delivery.maxAttempts'),
    failedBefore: later(now, -days(settings.get('delivery.decideDays'))),
    lastFailedBefore: later(now, -hours(lastHours)),
  }
  for (let more = true; more; ) {
    more = await tx(deps.db, async (trx) => {
      const rows = await abandonedParcels(trx, by, batch)
      if (rows.length === 0) return false
      await insertChoices(
        trx,
        rows.map((row) => systemRecall(row, now)),
      )
      await moveParcels(deps, trx, rows, 'recalled', { actorId: null, detail: { recallReason: 'undelivered' } })
      for (const row of rows) {
        const { sender } = await readersOf(deps, trx, row)
        if (!sender) continue
        const { to, name, locale, url } = sender
        const vars = { name, receiver: row.receiver?.contactName ?? '', number: row.tracking_number, url }
        await addJob(trx, 'mail:send', { to, template: 'delivery_given_up', locale, vars })
      }
      return rows.length === batch
    })
  }
}

function systemRecall(row: ParcelRow & { attempts: number }, at: Date): ChoiceRow {
  return {
    account_id: asAccountId(row.account_id) as AccountId, // a job serves every account
    parcel_id: row.id,
    attempt: row.attempts,
    id: newId(),
    kind: 'recall',
    chosen_by: 'system',
    user_id: null,
    retry_on: null,
    station_id: null,
    receiver_before: null,
    fee_minor: 0,
    currency: row.currency,
    at,
  }
}
