import { createParcel, getParcel } from '@waybill/contract/parcels/parcels'
import { expect, it } from 'vitest'
import { emptyParcel } from '../../../src/domains/parcels/queries.ts'
import { buildTestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { parcelBody } from '../../testing/factories/parcels.ts'

it('returns the new parcel exactly as stored, for any combination of fields', async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const owner = await createCustomer(test)
  const station = await test.deps.db
    .selectFrom('stations')
    .select('id')
    .where('type', '=', 'service_center_t1')
    .executeTakeFirstOrThrow()
  const bodies = [
    { reference: 'only a reference' },
    parcelBody({ deliveryMode: 'P2D', addToCart: true }),
    parcelBody({ deliveryMode: 'P2P', selfCollectionStationId: station.id, insuredValueMinor: null }),
    parcelBody({ addToCart: true, codAmountMinor: 4200 }),
  ]
  for (const body of bodies) {
    const created = await test.call(createParcel, { body, token: owner.token })
    expect(created.status).toBe(200)
    const { body: detail } = await test.call(getParcel, { params: { id: created.body.id }, token: owner.token })
    expect(detail).toMatchObject(created.body)
    const columns = await test.deps.db
      .selectFrom('parcels')
      .select(['holder', 'handed_over', 'leg', 'version', 'amount_due_minor'])
      .where('id', '=', created.body.id)
      .executeTakeFirstOrThrow()
    expect(emptyParcel).toMatchObject(columns)
  }
})

it('refuses to insure a parcel without a declared value, even a draft', async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const owner = await createCustomer(test)
  for (const addToCart of [false, true]) {
    const body = parcelBody({ insuredValueMinor: 500_000, addToCart })
    const { status, error } = await test.call(createParcel, { body, token: owner.token })
    expect([status, error.errors?.map(({ field }) => field)]).toEqual([422, ['declaredValueMinor']])
  }
})
