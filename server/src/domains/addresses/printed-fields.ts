/** Whether an address can be printed on a consignment note: a rider cannot deliver to a row of boxes. */
import type { Party } from '@waybill/contract/addresses/addresses'
import type { FieldProblem } from '../../http/errors.ts'
import { findUnprintable } from '../../lib/print/characters.ts'

const printedFields = [
  'contactName',
  'company',
  'line1',
  'line2',
  'postcode',
  'city',
  'state',
  'remarks',
] as const satisfies readonly (keyof Party)[]

/** The fields of an address with characters that the print fonts do not have. */
export function findUnprintableFields(address: Pick<Party, (typeof printedFields)[number]>): FieldProblem[] {
  return printedFields.flatMap((field) => {
    const characters = findUnprintable(address[field] ?? '')
    return characters === '' ? [] : [{ field, rule: 'unprintable', vars: { characters } }]
  })
}
