import { accountEvents } from '@waybill/contract/tracking/account-events'
import { publicTrackLive } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import type { ParcelEvent } from '../../src/domains/parcels/status.ts'
import { lockParcels, transitionParcels } from '../../src/domains/parcels/transition.ts'
import { asAccountId } from '../../src/http/caller.ts'
import { accountTopic } from '../../src/http/live.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../testing/factories/accounts.ts'
import { createParcel, testReceiver } from '../testing/factories/parcels.ts'
import { listening, openStream } from '../testing/streams.ts'

describe('a live event stream', () => {
  let test: TestApp
  let owner: TestCustomer
  let address: string
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test, { userType: 'corporate' })
    address = await listening(test)
  })

  const move = async (row: ParcelRow, event: ParcelEvent) => {
    await tx(test.deps.db, async (trx) => {
      const rows = await lockParcels(trx, asAccountId(row.account_id), [row.id])
      await transitionParcels(test.deps, trx, rows, event, { actorId: null, place: 'Ipoh' })
    })
    await test.deps.outbox.drain()
  }

  it('reports each change of a tracked number, with public data only', async () => {
    const parcel = await createParcel(test, owner, { status: 'inbound' })
    const other = await createParcel(test, owner, { status: 'inbound' })
    const stream = await openStream(address, publicTrackLive, { query: { no: parcel.tracking_number ?? '' } })
    expect(stream.status).toBe(200)
    await move(other, 'sorted')
    await move(parcel, 'departed')
    const { event, data } = await stream.next()
    expect(event).toBe('tracking')
    expect(data).toMatchObject({
      trackingNumber: parcel.tracking_number,
      trackingStatus: 'in_transit',
      status: 'outbound',
    })
    expect(JSON.stringify(data)).toContain('Ipoh')
    expect(JSON.stringify(data)).not.toContain(testReceiver().contactName)
    await stream.close()
  })

  it('reports changes to the account, but to a member without full view only those of their parcels', async () => {
    const member = await createMember(test, owner, ['parcels.create'])
    const stranger = await createCustomer(test)
    const owners = await createParcel(test, owner, { status: 'delivering' })
    const members = await createParcel(test, member, { status: 'delivering' })
    const strangers = await createParcel(test, stranger, { status: 'delivering' })
    const [toOwner, toMember] = await Promise.all([
      openStream(address, accountEvents, { token: owner.token }),
      openStream(address, accountEvents, { token: member.token }),
    ])
    await move(strangers, 'delivered')
    await move(owners, 'delivered')
    await move(members, 'attempt_failed')
    const message = { status: 'completed', trackingStatus: 'delivered' }
    expect(await toOwner.next()).toEqual({ event: 'parcel', data: { id: owners.id, ...message } })
    const failed = {
      event: 'parcel',
      data: { id: members.id, status: 'fail-to-deliver', trackingStatus: 'in_transit' },
    }
    // A delivery also notifies the sender.
    expect(await toOwner.next()).toEqual({ event: 'notification', data: {} })
    expect(await toOwner.next()).toEqual(failed)
    // The sender has to choose what happens next, which is a notification too.
    expect(await toMember.next()).toEqual({ event: 'notification', data: {} })
    expect(await toMember.next()).toEqual(failed)

    // Not every member may see the wallet either.
    const { live, db } = test.deps
    await live.publish(db, accountTopic(owner.accountId), { type: 'wallet', balanceMinor: 500 })
    await live.publish(db, accountTopic(owner.accountId), { type: 'payment', id: 'p', status: 'succeeded' })
    expect(await toOwner.next()).toEqual({ event: 'wallet', data: { balanceMinor: 500 } })
    expect(await toMember.next()).toEqual({ event: 'payment', data: { id: 'p', status: 'succeeded' } })
    await toOwner.close()
    await toMember.close()
  })

  it('requires a session, and ends with it', async () => {
    expect((await openStream(address, accountEvents)).status).toBe(401)
    const customer = await createCustomer(test)
    const stream = await openStream(address, accountEvents, { token: customer.token })
    await test.deps.live.publish(test.deps.db, 'revoke', { id: customer.userId, at: new Date().toISOString() })
    await expect(stream.ended()).resolves.toBeUndefined()
  })

  it('does not prevent the server from closing', async () => {
    const second = await buildTestApp()
    const stream = await openStream(await listening(second), publicTrackLive, { query: { no: 'WB12345678901' } })
    expect(stream.status).toBe(200)
    const closed = second.app.close()
    await expect(stream.ended()).resolves.toBeUndefined()
    await closed
  })
})
