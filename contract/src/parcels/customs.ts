/** The customs declaration of an international parcel. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { customsReasonLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { country, idParams, integer, optionalText, text } from '../ground/fields.ts'
import { weightGrams } from '../ground/measures.ts'
import { positiveMinorAmount } from '../ground/money.ts'

const valueMinor = positiveMinorAmount

/** One item of a customs declaration. */
export const customsItem = z.object({
  description: text(120),
  /** The Harmonized System code: 6 digits, up to 10 in some countries. Dots are removed. */
  hsCode: z._default(
    z.nullable(
      z.pipe(
        z.string().check(z.trim(), z.maxLength(16), z.regex(/^(\d[. ]?){5}\d([. ]?\d){0,4}$|^$/)),
        z.transform((value: string) => value.replace(/\D/g, '') || null),
      ),
    ),
    null,
  ),
  quantity: integer(1, 9999),
  unitValueMinor: valueMinor,
  /** The net weight of all pieces of this item. */
  netWeightGrams: z._default(z.nullable(weightGrams), null),
  /** The country of origin. */
  originCountry: country,
})
export type CustomsItem = z.output<typeof customsItem>

/** The customs declaration of an international parcel: its contents and the reason for sending. */
export const customs = z
  .object({
    reason: z.enum(labelValues(customsReasonLabels)),
    /** Explains the reason "other". */
    reasonText: optionalText(80),
    items: z.array(customsItem).check(z.minLength(1), z.maxLength(20)),
    comments: optionalText(200),
    invoiceNumber: optionalText(40),
    licenceNumber: optionalText(40),
    certificateNumber: optionalText(40),
  })
  .check(
    z.refine((declaration) => declaration.reason !== 'other' || declaration.reasonText !== null, {
      path: ['reasonText'],
      params: { rule: 'required' },
    }),
    // Goods that are sold are cleared by their tariff number.
    z.check((payload) => {
      const { reason, items } = payload.value
      if (reason !== 'sale') return
      items.forEach(({ hsCode }, index) => {
        if (hsCode !== null) return
        payload.issues.push({
          code: 'custom',
          path: ['items', index, 'hsCode'],
          params: { rule: 'required' },
          input: hsCode,
          message: '',
        })
      })
    }),
  )
export type Customs = z.output<typeof customs>

/** The total of all items, which is the declared value of the parcel. */
export function customsTotal({
  items,
}: {
  items: readonly Pick<CustomsItem, 'quantity' | 'unitValueMinor'>[]
}): number {
  return items.reduce((sum, { quantity, unitValueMinor }) => sum + quantity * unitValueMinor, 0)
}

export const getCustomsDocument = endpoint({
  id: 'parcels.customs',
  method: 'GET',
  path: '/api/customer/parcels/:id/customs',
  access: 'customer.view',
  summary: 'The customs declaration of an international parcel as PDF: CN22 up to 300 SDR and 2 kg, else CN23',
  params: idParams,
  media: 'application/pdf',
})
