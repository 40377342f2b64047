/** Formats addresses for the API. */
import type { Address } from '@waybill/contract/addresses/addresses'
import type { AddressRow } from './queries.ts'

/** An address of the book. */
export function presentAddress(row: AddressRow): Address {
  return {
    id: row.id,
    version: row.version,
    label: row.label,
    kind: row.kind,
    isDefault: row.is_default,
    contactName: row.contact_name,
    company: row.company,
    phone: row.phone,
    email: row.email,
    line1: row.line1,
    line2: row.line2,
    postcode: row.postcode,
    city: row.city,
    state: row.state,
    country: row.country,
    residential: row.residential,
    remarks: row.remarks,
    overridden: row.overridden.map(({ field }) => field),
    isNew: row.is_new,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
