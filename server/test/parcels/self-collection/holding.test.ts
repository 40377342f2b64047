import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { scan, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { contestWeighing, decideDispute, reweighParcel } from '@waybill/contract/parcels/weighing'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { enforceCollectionDays, notifyCollectable } from '../../../src/domains/parcels/self-collection/holding.ts'
import { dayIn, days, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

describe('a parcel for self-collection', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let here: string
  let there: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    ;({ counter, here, there } = await findCounter(test))
    await fundWallet(test, owner, 500_000)
    await setWalletPin(test, owner)
  })

  /** A parcel that has arrived at a station on its way, and then at that of its receiver. */
  async function arriveThere() {
    const row = await createParcel(test, owner, {
      status: 'outbound',
      delivery_mode: 'D2P',
      self_collection_station_id: there,
    })
    const number = row.tracking_number ?? ''
    await scanned(test, counter, number, 'arrived')
    expect((await parcelNow(test, owner, row.id)).collectUntil).toBeNull()
    await scanned(test, counter, number, 'departed', { nextStationId: there })
    await scanned(test, counter, number, 'arrived', { stationId: there })
    await test.settle()
    const countMails = () =>
      [owner.email, 'ahmad@example.test'].map(
        (to) => test.mailbox.mails().filter((mail) => mail.to.includes(to) && mail.subject.includes(number)).length,
      )
    return { row, number, countMails }
  }

  it('is announced to its receiver with the phone number of the station as it is read', async () => {
    const { number } = await arriveThere()
    const mail = test.mailbox.mails().find(({ to, text }) => to.includes('ahmad@example.test') && text.includes(number))
    expect(mail?.text).toMatch(/phone \+60 \d+ \d+ \d+/)
  })

  it('is not sorted while it waits, and is handed out also if it was sorted before', async () => {
    const { row, number } = await arriveThere()
    const { token } = await createStaff(test, { stationId: there })
    const { collectUntil } = await parcelNow(test, owner, row.id)
    const sorting = await test.call(scan, { token, body: { trackingNumber: number, event: 'sorted' } })
    expect([sorting.status, sorting.error.code]).toEqual([409, 'waits_for_collection'])
    const { body: parcel } = await test.call(staffParcelByNumber, { token, params: { no: number } })
    expect(parcel.allowedEvents).toEqual(['departed', 'handed_over'])
    expect(await parcelNow(test, owner, row.id)).toMatchObject({ status: 'inbound', collectUntil })

    const sorted = await createParcel(test, owner, {
      status: 'sorting',
      delivery_mode: 'D2P',
      self_collection_station_id: there,
      station_id: there,
    })
    const body = {
      trackingNumber: sorted.tracking_number ?? '',
      event: 'handed_over',
      recipientName: 'Siti',
      signaturePath: 'M10,20 L30,40',
      idDocument: 'passport',
      idLast4: '1234',
    } as const
    const handed = await test.call(scan, { token, body })
    expect(handed.status, JSON.stringify(handed.error)).toBe(200)
  })

  it('is kept for some days, with a reminder, and then returned', async () => {
    const { row, number, countMails } = await arriveThere()
    const { collectUntil } = await parcelNow(test, owner, row.id)
    expect(Date.parse(collectUntil ?? '') - test.clock.now().getTime()).toBeGreaterThan(days(5))
    const tracked = await test.call(publicTrackGet, { query: { no: number } })
    expect(tracked.body.found[0]?.collectUntil).toBe(collectUntil)
    expect(countMails()).toEqual([1, 1])
    await enforceCollectionDays(test.deps)
    await test.settle()
    expect(countMails()).toEqual([1, 1])

    const endIn = (milliseconds: number) =>
      test.deps.db
        .updateTable('parcels')
        .set({ collect_until: dayIn(later(test.clock.now(), milliseconds), test.deps.settings.get('timezone')) })
        .where('id', '=', row.id)
        .execute()
    await endIn(days(1))
    await enforceCollectionDays(test.deps)
    await enforceCollectionDays(test.deps)
    await test.settle()
    expect(countMails()).toEqual([2, 2])
    expect((await parcelNow(test, owner, row.id)).status).toBe('inbound')
    await endIn(-days(2))
    await enforceCollectionDays(test.deps)
    expect(await parcelNow(test, owner, row.id)).toMatchObject({ status: 'recall', collectUntil: null })
  })

  it('has a reminder of its own at each stay at its station', async () => {
    const { row, number, countMails } = await arriveThere()
    const remind = async () => {
      await test.deps.db
        .updateTable('parcels')
        .set({ collect_until: dayIn(later(test.clock.now(), days(1)), test.deps.settings.get('timezone')) })
        .where('id', '=', row.id)
        .execute()
      await enforceCollectionDays(test.deps)
      await test.settle()
    }
    await remind()
    expect(countMails()).toEqual([2, 2])
    const hub = await createStaff(test, { stationId: there })
    await scanned(test, hub, number, 'departed', { nextStationId: here })
    await scanned(test, counter, number, 'arrived')
    await scanned(test, counter, number, 'departed', { nextStationId: there })
    await scanned(test, hub, number, 'arrived')
    await test.settle()
    expect(countMails()).toEqual([3, 3])
    await remind()
    expect(countMails()).toEqual([4, 4])
  })

  it.each(['pays', 'staff waive'])('gets a new last day if it was held for payment: %s', async (ending) => {
    const { id, number } = await handedOver(test, owner, counter, 'P2D')
    const collected = { delivery_mode: 'P2P', self_collection_station_id: there } as const
    await test.deps.db.updateTable('parcels').set(collected).where('id', '=', id).execute()
    const hub = await createStaff(test, { stationId: there })
    await scanned(test, counter, number, 'departed', { nextStationId: there })
    await scanned(test, hub, number, 'arrived')
    await test.settle()
    const { collectUntil } = await parcelNow(test, owner, id)
    const weighed = await test.call(reweighParcel, {
      token: hub.token,
      params: { id },
      body: { weightGrams: 5200 },
    })
    const { id: weighingId, dueMinor } = weighed.body
    expect(dueMinor).toBeGreaterThan(0)

    // The last day passes while the parcel is held.
    const yesterday = dayIn(later(test.clock.now(), -days(1)), test.deps.settings.get('timezone'))
    await test.deps.db
      .updateTable('parcels')
      .set({ collect_until: yesterday, collect_reminded_at: test.clock.now() })
      .where('id', '=', id)
      .execute()
    await enforceCollectionDays(test.deps)
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'outstanding', collectUntil: null })
    await test.settle()
    const readSubjects = () =>
      test.mailbox
        .mails()
        .flatMap(({ subject }) => (subject.includes(number) && /collection/.test(subject) ? [subject] : []))
    const announced = readSubjects().length
    expect(announced).toBe(2)

    if (ending === 'pays') {
      const body = { parcelIds: [id], totalSeenMinor: dueMinor, pin: testPin }
      expect((await test.call(payOutstanding, { token: owner.token, body })).status).toBe(200)
    } else {
      const body = { reason: 'I weighed it at home' }
      const contested = await test.call(contestWeighing, { token: owner.token, params: { id }, body })
      const judge = await createStaff(test, { role: 'account_manager' })
      const decided = await test.call(decideDispute, {
        token: judge.token,
        params: { id: weighingId },
        body: { version: contested.body.version, decision: 'waive', note: 'Weighed again' },
      })
      expect(decided.status).toBe(200)
    }
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'inbound', collectUntil })
    await enforceCollectionDays(test.deps)
    await test.settle()
    expect((await parcelNow(test, owner, id)).status).toBe('inbound')
    expect(readSubjects()).toHaveLength(announced + 2)
  })

  it('is announced once, even if its arrival on the way is handled late', async () => {
    const { row, countMails } = await arriveThere()
    const arrivalOnTheWay = {
      accountId: owner.accountId,
      parcelId: row.id,
      createdBy: owner.userId,
      trackingNumber: row.tracking_number,
      event: 'arrived',
      status: 'inbound' as const,
      leg: 'outbound',
      trackingStatus: 'in_transit',
      collectUntil: null,
    }
    await tx(test.deps.db, (trx) => notifyCollectable(test.deps, trx, [arrivalOnTheWay]))
    await test.settle()
    expect(countMails()).toEqual([1, 1])
  })
})
