import type { Insertable } from 'kysely'
import type { DB } from '../../db/schema.ts'
import type { Settings } from '../../domains/settings/load-settings.ts'

/** The courier whose portal the demo is, as its invoices name it. */
const company = {
  'company.registrationNumber': '201701012345 (1226510-W)',
  'company.taxNumber': 'W10-1808-32000417',
  'company.address': 'Lot 12, Jalan Gudang 16/9, Seksyen 16\n40200 Shah Alam, Selangor\nMalaysia',
  'wallet.bonusPackages': [
    { fromMinor: 20_000, bonusMinor: 400 },
    { fromMinor: 50_000, bonusMinor: 1500 },
  ],
} as const

/** Rows of `settings`, as the superadmin has written them. */
export function companySettings(by: string, at: Date): Insertable<DB['settings']>[] {
  return Object.entries(company).map(([key, value]) => ({ key, value, version: 1, updated_at: at, updated_by: by }))
}

/** The seller of the demo's invoices. */
export function sellerOf(settings: Settings) {
  return {
    name: settings.get('company.name'),
    registrationNumber: company['company.registrationNumber'],
    taxNumber: company['company.taxNumber'],
    address: company['company.address'],
    email: null,
  }
}
