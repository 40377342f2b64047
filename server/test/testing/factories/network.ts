import { seedNetwork } from '../../../src/demo/network/network.ts'
import type { TestApp } from '../app.ts'

/** Stations, zones, holidays, rates and banners as in the demo. Repeated calls on a database have no effect. */
export async function seedTestNetwork(test: TestApp): Promise<void> {
  await seedNetwork(test.deps.db)
}

/** A station with the fields that scans and screens show. */
export type TestStation = { id: string; name: string; city: string; postcode: string; state: string }

/** The service centres with self-collection, in the order of their codes. */
export async function listServiceCentres(test: TestApp): Promise<TestStation[]> {
  const columns = ['id', 'name', 'city', 'postcode', 'state'] as const
  const query = test.deps.db.selectFrom('stations').select(columns).where('type', '=', 'service_center_t1')
  return (await query.orderBy('code').execute()) as TestStation[]
}
