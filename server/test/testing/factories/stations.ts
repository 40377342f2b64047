import type { StationInput } from '@waybill/contract/stations/manage'
import type { TestApp } from '../app.ts'

/** A valid station in Kuala Lumpur that is always closed. */
export function stationBody(code: string, overrides: Partial<StationInput> = {}): StationInput {
  return {
    code,
    name: `Station ${code}`,
    type: 'service_center_t1',
    line1: '12, Jalan Ipoh',
    postcode: '51200',
    city: 'Kuala Lumpur',
    state: 'Kuala Lumpur',
    country: 'my',
    latitude: 3.17,
    longitude: 101.69,
    phone: '+60326942510',
    openingHours: Array.from({ length: 7 }, () => null),
    serviceCodes: [],
    coverage: [],
    active: true,
    ...overrides,
  }
}

/** The id of a station that is none of these. */
export async function findOtherStation(test: TestApp, ids: readonly string[]): Promise<string> {
  const { id } = await test.deps.db
    .selectFrom('stations')
    .select('id')
    .where('id', 'not in', [...ids])
    .executeTakeFirstOrThrow()
  return id
}
