/** The seller on invoices. */
import type { Settings } from '../../settings/load-settings.ts'
import type { InvoiceParty } from '../queries.ts'

/** The courier's current details, as invoices and credit notes print them. */
export function getSeller(settings: Settings): InvoiceParty {
  return {
    name: settings.get('company.name'),
    registrationNumber: settings.get('company.registrationNumber'),
    taxNumber: settings.get('company.taxNumber'),
    address: settings.get('company.address'),
    email: null,
  }
}
