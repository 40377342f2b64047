import { listNotifications, notificationAlert } from '@waybill/contract/notifications/notifications'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { deliverNotifications } from '../../src/domains/notifications/deliver.ts'
import { notify } from '../../src/domains/notifications/notify.ts'
import { lockParcels, transitionParcels } from '../../src/domains/parcels/transition.ts'
import { minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'

describe('grouped notifications', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  const inbox = async (token: string) => (await test.call(listNotifications, { token })).body.items
  const alerts = async (token: string) => (await test.call(notificationAlert, { token })).body.alerts

  it('combine 37 parcels that are delivered within minutes into one notification', async () => {
    const customer = await createCustomer(test)
    const { accountId, token } = customer
    const facts = { status: 'delivering' as const, delivery_mode: 'P2D' as const }
    const parcels = await Promise.all(Array.from({ length: 37 }, () => createParcel(test, customer, facts)))
    for (const { id } of parcels) {
      await tx(test.deps.db, async (trx) => {
        const rows = await lockParcels(trx, accountId, [id])
        await transitionParcels(test.deps, trx, rows, 'delivered', { actorId: null, place: 'Ipoh' })
      })
      await test.deps.outbox.drain()
    }
    expect(await inbox(token)).toMatchObject([
      { title: '37 parcels were delivered', items: 37, path: '/parcels?tab=delivered' },
    ])
    // The list shows it immediately; email and push wait for further ones.
    expect(await alerts(token)).toEqual([])
    test.clock.advance(minutes(4))
    await deliverNotifications(test.deps)
    expect(await alerts(token)).toMatchObject([{ title: '37 parcels were delivered' }])
  })

  it('name a single parcel and link to its page', async () => {
    const { userId, token } = await createCustomer(test)
    const id = crypto.randomUUID()
    const notice = {
      kind: 'parcel_delivered',
      to: { users: [userId] },
      subjectId: id,
      facts: { number: 'WB12345678903' },
    } as const
    await tx(test.deps.db, (trx) => notify(test.deps, trx, notice))
    // Numbers have group separators, as on every screen, at which no line ends.
    const title = 'Parcel WB\u00a01234\u00a05678\u00a0903 was delivered'
    expect(await inbox(token)).toMatchObject([{ title, path: `/parcels/${id}` }])
    // After the window, a further parcel creates a new notification.
    test.clock.advance(minutes(4))
    await deliverNotifications(test.deps)
    await tx(test.deps.db, (trx) => notify(test.deps, trx, notice))
    expect(await inbox(token)).toHaveLength(2)
  })

  it('lose none when concurrent transactions notify of the same kind', async () => {
    const { userId, token } = await createCustomer(test)
    const notice = { kind: 'parcel_delivered', to: { users: [userId] }, items: 2, facts: { number: 'WB1' } } as const
    await Promise.all(Array.from({ length: 8 }, () => tx(test.deps.db, (trx) => notify(test.deps, trx, notice))))
    expect(await inbox(token)).toMatchObject([{ items: 16 }])
  })

  it('combine the emails as well', async () => {
    const { email } = await createStaff(test, { role: 'account_manager' })
    const notice = { kind: 'gateway_trouble', to: { staff: 'staff.finance' }, facts: { trouble: 'Rejected' } } as const
    for (let n = 0; n < 3; n++) await tx(test.deps.db, (trx) => notify(test.deps, trx, notice))
    test.clock.advance(minutes(4))
    await deliverNotifications(test.deps)
    await test.settle()
    const mails = test.mailbox.mails().filter((mail) => mail.to.includes(email))
    expect(mails.map(({ subject }) => subject)).toEqual(['Payment gateway: 3 problems'])
  })
})
