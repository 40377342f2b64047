/**
 * Simulates the demo's past: ninety days in which customers, riders and clerks call the services. The simulation has
 * its own clock. Its events are plain data in story/ and network/.
 */

import { legalKinds } from '@waybill/contract/legal/legal'
import { sql } from 'kysely'
import { type Tx, tx, withoutTimeLimit } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { hashPassword } from '../domains/accounts/sign-in/passwords.ts'
import { addAddress } from '../domains/addresses/service.ts'
import { changeLogo } from '../domains/attachments/company-logo.ts'
import { addOwnWidget } from '../domains/dashboard/arrangement.ts'
import { publishVersion } from '../domains/legal/service.ts'
import { writeSettings } from '../domains/settings/service.ts'
import { confirmMail, confirmStep } from '../domains/setup/service.ts'
import { insertPin } from '../domains/wallet/queries.ts'
import { newPin } from '../domains/wallet/service.ts'
import { asAccountId } from '../http/caller.ts'
import { days, hours, later } from '../lib/clock.ts'
import { withIds } from '../lib/ids.ts'
import { isEmpty } from './empty.ts'
import { insertRows } from './insert-rows.ts'
import { companySettings } from './network/company.ts'
import { legalTexts } from './network/legal.ts'
import { seedNetwork } from './network/network.ts'
import { uploadSpreadsheets, useAddressBook } from './play/addresses.ts'
import { failMail, writeMessages } from './play/messages.ts'
import { officeActs, postWrongAnswers } from './play/offices.ts'
import { orderActs } from './play/orders.ts'
import { looseActs, printNotes } from './play/parcels.ts'
import { visitActs } from './play/pickups.ts'
import { designLabels, dressUp, putLogo } from './play/pictures.ts'
import { connectPrograms } from './play/programs.ts'
import { answerFailures, answerWeighings, journeyActs } from './play/scans.ts'
import { shopActs } from './play/shop.ts'
import {
  createCaller,
  dispatchEvents,
  PlayClock,
  playActs,
  playDeps,
  playIds,
  type Stage,
  staffCaller,
} from './play/stage.ts'
import { changeTeam, endAccounts, inviteClerk, lookAfterCompany } from './play/team.ts'
import { loseParcel, openTickets } from './play/tickets.ts'
import { findGunnyParcels, gunnyActs } from './play/transport/gunnies.ts'
import { planTrips, tripActs } from './play/transport/trips.ts'
import { watchBalance } from './play/wallets.ts'
import type { Entry } from './story/books.ts'
import { demoPassword, demoPin, demoStaff } from './story/logins.ts'
import { loadMap } from './story/map.ts'
import { demoAccounts, nearestOperator, peopleRows, staffId } from './story/people.ts'
import { historyDays, planDemo } from './story/plan.ts'
import { createLooseStory, createOrderStory } from './story/story.ts'
import { createWorld } from './world.ts'

/**
 * Fills an empty demo database once; returns whether it did. The same start time gives the same data, all of it in the
 * past. It runs in one transaction, so a server that is stopped midway leaves nothing behind.
 */
export async function seedDemo(deps: Deps): Promise<boolean> {
  if (!deps.config.demo || deps.config.env === 'production' || !(await isEmpty(deps.db))) return false
  const passwordHash = await hashPassword(demoPassword)
  const filled = await tx(deps.db, async (trx) => {
    await withoutTimeLimit(trx)
    // Query plans are made for empty tables and cached: only nested lookups in indexes stay fast as the tables grow.
    await sql`
      select set_config('lock_timeout', '0', true), set_config('enable_seqscan', 'off', true),
        set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(trx)
    // If two processes start together, one waits until the other is done.
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(trx)
    if (!(await isEmpty(trx))) return false
    const clock = new PlayClock()
    await withIds(playIds(clock), () => play(deps, trx, clock, passwordHash))
    return true
  })
  await deps.settings.reload()
  // Refreshes the planner's statistics for lists and searches.
  await sql`analyze`.execute(deps.db)
  return filled
}

/** The simulated past ends a minute ago: the last services, including a top-up, take a moment of their own. */
const pauseMs = 60_000

async function play(real: Deps, trx: Tx, clock: PlayClock, passwordHash: string): Promise<void> {
  const now = new Date(Math.floor(real.clock.now().getTime() / 1000) * 1000 - pauseMs)
  await ensureMonths(trx, now)
  await seedNetwork(trx, now)
  const people = peopleRows(now, passwordHash)
  await insertRows(trx, 'accounts', people.accounts)
  await insertRows(trx, 'users', people.users)
  clock.advanceTo(people.since)
  const deps = await playDeps(real, trx, clock)
  const map = await loadMap(trx)
  const stage: Stage = {
    deps,
    trx,
    clock,
    map,
    operatorAt: nearestOperator(map.stops),
    parcels: new Map(),
    dispatchEvents: () => dispatchEvents(deps, trx),
  }
  const superadmin = staffCaller('superadmin@waybill.example', null)
  await writeSettings(deps, superadmin, { values: companySettings }, '203.0.113.8', { changeLogo, checks: [] })
  await putLogo(stage)
  for (const kind of legalKinds) await publishVersion(deps, superadmin, kind, { after: null, text: legalTexts[kind] })
  await confirmStep(deps, superadmin, 'company')
  await confirmStep(deps, superadmin, 'money')
  await confirmMail(deps, superadmin, 'superadmin@waybill.example', clock.now())
  for (const { id, owner } of demoAccounts)
    await insertPin(trx, newPin(deps, { accountId: asAccountId(id), userId: owner.id }, demoPin))

  const { world, entries } = createWorld(now, map)
  const plan = planDemo()
  const stories = plan.orders.map((order) => createOrderStory(world, order))
  const loose = plan.loose.map((parcel) => createLooseStory(world, parcel))
  const tripPlan = planTrips(stage, stories, now)
  const inGunny = new Set(findGunnyParcels(stories).slice(0, -1))
  await playActs(stage, [
    ...entries.map((entry) => ({ at: entry.at, run: () => enterAddress(stage, entry) })),
    ...loose.flatMap((parcel) => looseActs(stage, parcel)),
    ...stories.flatMap((story) => orderActs(stage, story)),
    ...visitActs(stage, stories, now),
    ...gunnyActs(stage, stories, now),
    ...stories.flatMap(({ parcels }) =>
      parcels.flatMap((parcel) =>
        journeyActs(stage, parcel, inGunny.has(parcel) ? 'accepted' : null, tripPlan.replaced),
      ),
    ),
    ...tripActs(stage, tripPlan, now),
    ...officeActs(stage, world),
    ...demoAccounts.map((account) => ({
      at: later(now, -days(60)),
      run: () => watchBalance(stage, account, account.key === 'kinabalu' ? 20_000 : 3_000),
    })),
    ...shopActs(stage, now),
    { at: later(now, -days(30)), run: () => designLabels(stage) },
    { at: later(now, -days(25)), run: () => dressUp(stage) },
    { at: later(now, -days(20)), run: () => changeTeam(stage) },
    { at: later(now, -days(12)), run: () => endAccounts(stage) },
    { at: later(now, -days(2)), run: () => connectPrograms(stage) },
    { at: later(now, -days(1)), run: () => inviteClerk(stage) },
    { at: later(now, -days(2)), run: () => lookAfterCompany(stage) },
    { at: later(now, -days(1)), run: () => uploadSpreadsheets(stage) },
    { at: later(now, -days(1)), run: () => useAddressBook(stage) },
    { at: later(now, -days(1)), run: () => arrangeHomePage(stage) },
    { at: later(now, -hours(3)), run: () => loseParcel(stage) },
    { at: later(now, -hours(3)), run: () => writeMessages(stage) },
    { at: later(now, -hours(2)), run: () => openTickets(stage) },
    { at: now, run: () => postWrongAnswers(stage) },
    { at: now, run: () => failMail(stage) },
    ...demoAccounts.slice(0, 1).map((account) => ({ at: now, run: () => printNotes(stage, account) })),
    {
      at: now,
      run: () =>
        answerFailures(
          stage,
          stories.flatMap(({ parcels }) => parcels),
        ),
    },
    {
      at: now,
      run: () =>
        answerWeighings(
          stage,
          stories.flatMap(({ parcels }) => parcels),
        ),
    },
  ])
  await endPlay(trx, map.stops)
  await readOldNotifications(trx, now)
}

const enterAddress = ({ deps }: Stage, { account, by, address }: Entry) =>
  addAddress(deps, createCaller(account, by), address)

/** The company's owner adds the two widgets that are not there by default, so that every kind can be seen. */
async function arrangeHomePage({ deps }: Stage): Promise<void> {
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  if (!company) return
  const owner = createCaller(company, company.owner)
  await addOwnWidget(deps, owner, { kind: 'failed_deliveries', order: 3 })
  await addOwnWidget(deps, owner, { kind: 'outstanding', order: 4 })
}

/**
 * Moves staff back to their own stations, clears the finished jobs of the past, and continues the number sequences.
 */
async function endPlay(trx: Tx, stops: readonly { id: string; code: string }[]): Promise<void> {
  for (const { email, station } of demoStaff) {
    const stop = stops.find(({ code }) => code === station)
    if (stop) await trx.updateTable('users').set({ station_id: stop.id }).where('id', '=', staffId(email)).execute()
  }
  // Mails of the past would otherwise be sent today. Bookings, payments in progress and failed work are kept.
  await sql`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id
      and t.identifier <> 'parcels:book-carrier'
      and j.attempts < j.max_attempts
      and not (t.identifier = 'payments:expire' and exists (
        select 1 from payments p where p.id::text = j.payload ->> 'paymentId' and p.status = 'pending'))`.execute(trx)
  await sql`select setval('tracking_serial', (select count(*) from parcels where tracking_number is not null))`.execute(
    trx,
  )
}

/** Days whose notifications nobody has read yet. */
const unreadDays = 2

/** Marks old notifications as read, and hides all pop-ups at the first sign-in: those are for new events. */
async function readOldNotifications(trx: Tx, now: Date): Promise<void> {
  await sql`
    update notifications
    set read_at = case when created_at < ${later(now, -days(unreadDays))}::timestamptz then created_at end,
      delivered_at = created_at - interval '1 day', waits_until = null`.execute(trx)
}

/**
 * Creates partitions for the months of the history. Once events are in the default partition, this would be
 * impossible.
 */
async function ensureMonths(trx: Tx, now: Date): Promise<void> {
  await sql`
    select tracking_events_ensure_month(month::date)
    from generate_series(
      date_trunc('month', ${later(now, -days(historyDays + 10))}::timestamptz),
      ${later(now, days(31))}::timestamptz,
      interval '1 month'
    ) as month`.execute(trx)
}
