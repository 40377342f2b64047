import { createParcel, getParcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { scan, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { uploadPhoto } from '../testing/factories/attachments.ts'
import { findCounter, handedOver, scanned } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, orderParcels, payCredits } from '../testing/factories/orders.ts'
import { parcelBody } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'

describe('photos of a parcel', () => {
  let test: TestApp
  let sender: TestCustomer
  let stranger: TestCustomer
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    sender = await createCustomer(test)
    stranger = await createCustomer(test)
    counter = (await findCounter(test)).counter
    await fundWallet(test, sender, 100_000)
    await setWalletPin(test, sender)
  })

  const body = parcelBody({ deliveryMode: 'P2D', addToCart: true })
  const book = (photoIds: string[]) => test.call(createParcel, { token: sender.token, body: { ...body, photoIds } })
  const getDetail = async (id: string) => (await test.call(getParcel, { token: sender.token, params: { id } })).body
  const opens = async ({ link }: { link: string }) => (await test.app.inject({ url: link })).statusCode

  it('are visible to the sender and at every counter, from the booking and from the delivery', async () => {
    const photos = [await uploadPhoto(test, sender.token, 'parcel_photo')]
    photos.push(await uploadPhoto(test, sender.token, 'parcel_photo'))
    const ids = photos.map(({ id }) => id)
    const booking = await book(ids)
    expect(booking.status).toBe(200)
    await payCredits(test, sender, await orderParcels(test, sender, [booking.body]))
    const { photos: ownPhotos, trackingNumber } = await getDetail(booking.body.id)
    expect(ownPhotos.map(({ id }) => id)).toEqual(ids)
    expect(await Promise.all(ownPhotos.map(opens))).toEqual([200, 200])
    const no = trackingNumber ?? ''
    const atCounter = await test.call(staffParcelByNumber, { token: counter.token, params: { no } })
    expect(atCounter.body.photos.map(({ id }) => id)).toEqual(ids)
    expect(atCounter.body.proof).toBeNull()

    for (const event of ['accepted', 'out_for_delivery'] as const) await scanned(test, counter, no, event)
    const proof = await uploadPhoto(test, counter.token, 'proof_photo')
    const words = { recipientName: 'Siti', photoIds: [proof.id] }
    const delivery = { trackingNumber: no, event: 'delivered' as const, ...words }
    expect((await test.call(scan, { token: counter.token, body: delivery })).status).toBe(200)
    const after = await getDetail(booking.body.id)
    expect(after.proof?.photos.map(({ id }) => id)).toEqual([proof.id])
    expect(await opens(after.proof?.photos[0] ?? { link: '/' })).toBe(200)
    const staff = await test.call(staffParcelByNumber, { token: counter.token, params: { no } })
    expect(staff.body.proof?.photos.map(({ id }) => id)).toEqual([proof.id])
    const other = await test.call(getParcel, { token: stranger.token, params: { id: booking.body.id } })
    expect(other.status).toBe(404)
  })

  it('of a failed attempt are in its timeline entry, for the sender and for staff, not for the public', async () => {
    const { id, number } = await handedOver(test, sender, counter)
    const attempts: string[] = []
    for (const event of ['out_for_delivery', 'out_for_delivery'] as const) {
      await scanned(test, counter, number, event)
      const photo = await uploadPhoto(test, counter.token, 'proof_photo')
      attempts.unshift(photo.id)
      await scanned(test, counter, number, 'attempt_failed', { failureReason: 'closed', photoIds: [photo.id] })
    }
    const { events } = await getDetail(id)
    const listPhotoIds = (list: typeof events) => list.flatMap(({ photos = [] }) => photos.map((photo) => photo.id))
    expect(listPhotoIds(events)).toEqual(attempts)
    expect(events.filter(({ photos }) => photos).map(({ event }) => event)).toEqual([
      'attempt_failed',
      'attempt_failed',
    ])
    expect(await opens(events.find(({ photos }) => photos)?.photos?.[0] ?? { link: '/' })).toBe(200)
    const staff = await test.call(staffParcelByNumber, { token: counter.token, params: { no: number } })
    expect(listPhotoIds(staff.body.events)).toEqual(attempts)
    expect(staff.body.proof).toBeNull()
    const tracked = await test.call(publicTrackGet, { query: { no: number } })
    for (const photo of attempts) expect(JSON.stringify(tracked.body)).not.toContain(photo)
    // A photo of one attempt proves no other one.
    const other = await handedOver(test, sender, counter)
    await scanned(test, counter, other.number, 'out_for_delivery')
    const again = await test.call(scan, {
      token: counter.token,
      body: { trackingNumber: other.number, event: 'attempt_failed', failureReason: 'closed', photoIds: attempts },
    })
    expect([again.status, again.error.errors?.[0]?.field]).toEqual([422, 'photoIds'])
  })

  it('must be unused, uploaded by the sender for parcels, and not on another parcel', async () => {
    const photo = await uploadPhoto(test, sender.token, 'parcel_photo')
    const first = await book([photo.id])
    expect(first.status).toBe(200)
    const wrong = [
      await uploadPhoto(test, stranger.token, 'parcel_photo'),
      photo,
      await uploadPhoto(test, sender.token, 'dispute_photo'),
      { id: '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b91' },
    ]
    for (const { id } of wrong) {
      const answer = await book([id])
      expect([answer.status, answer.error.errors?.[0]?.field]).toEqual([422, 'photoIds'])
    }
    // A refused parcel claims nothing: the unused photos can still be used.
    const free = await uploadPhoto(test, sender.token, 'parcel_photo')
    expect((await book([free.id, photo.id])).status).toBe(422)
    expect((await book([free.id])).status).toBe(200)
  })

  it("are released and disappear from the parcel's page when they are removed", async () => {
    const photo = await uploadPhoto(test, sender.token, 'parcel_photo')
    const booking = await book([photo.id])
    const { id, version } = booking.body
    const edit = await test.call(updateParcel, { token: sender.token, body: { ...body, id, version, photoIds: [] } })
    expect(edit.status).toBe(200)
    expect((await getDetail(id)).photos).toEqual([])
    expect((await book([photo.id])).status).toBe(200)
  })

  it('are an empty list for a parcel without photos', async () => {
    const [parcel] = await fillCart(test, sender)
    expect(await getDetail(parcel?.id ?? '')).toMatchObject({ photos: [], proof: null })
  })
})
