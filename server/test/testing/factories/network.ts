import { seedNetwork } from '../../../src/demo/network/network.ts'
import type { TestApp } from '../app.ts'

/** Stations, zones, holidays, rates and banners, as the demo has them; once a database, however often it is called. */
export async function seedTestNetwork(test: TestApp): Promise<void> {
  await seedNetwork(test.deps.db)
}
