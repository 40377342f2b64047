// Example rows of the template: goods and documents within the country, goods to another country.

import type { Locale } from '@waybill/contract/ground/constants'
import { contentTypeLabels, customsReasonLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { countryName } from '../../../lib/countries.ts'

type Example = Partial<Record<BulkField, string | number>>

const receivers = {
  en: {
    goods: { receiverName: 'Nurul Huda', contentDescription: 'Two shirts' },
    documents: { receiverName: 'Tan Wei Ling', company: 'Wei Ling Trading', contentDescription: 'Contract' },
    abroad: { receiverName: 'Lim Mei Hua', contentDescription: 'Leather shoes', item1Description: 'Leather shoes' },
  },
  cn_zh: {
    goods: { receiverName: '努鲁·胡达', contentDescription: '两件衬衫' },
    documents: { receiverName: '陈伟玲', company: '伟玲贸易', contentDescription: '合同' },
    abroad: { receiverName: '林美华', contentDescription: '皮鞋', item1Description: '皮鞋' },
  },
} as const satisfies Record<Locale, Record<string, Example>>

/** Example rows in one language, with choices by their labels and numbers in the units of the settings. */
export function bulkExamples(locale: Locale): Example[] {
  const { goods, documents, abroad } = receivers[locale]
  const toTheDoor = enumLabel(deliveryModeLabels, 'D2D', locale)
  return [
    {
      ...goods,
      reference: 'SO-1001',
      phone: '012-345 6789',
      line1: '12 Jalan Burma',
      postcode: '10050',
      city: 'George Town',
      state: 'Pulau Pinang',
      serviceType: enumLabel(serviceTypeLabels, 'e_parcel', locale),
      deliveryMode: toTheDoor,
      contentType: enumLabel(contentTypeLabels, 'clothing', locale),
      weight: 1.2,
      length: 30,
      width: 20,
      height: 10,
    },
    {
      ...documents,
      reference: 'SO-1002',
      phone: '+60 16-778 1234',
      line1: '8 Jalan Wong Ah Fook',
      postcode: '80000',
      serviceType: enumLabel(serviceTypeLabels, 'document', locale),
      deliveryMode: toTheDoor,
      contentType: enumLabel(contentTypeLabels, 'document', locale),
      weight: 0.3,
    },
    {
      ...abroad,
      reference: 'SO-1003',
      phone: '+65 6123 4567',
      line1: '10 Anson Road',
      postcode: '079903',
      city: 'Singapore',
      country: countryName('sg', locale),
      serviceType: enumLabel(serviceTypeLabels, 'e_parcel', locale),
      deliveryMode: toTheDoor,
      contentType: enumLabel(contentTypeLabels, 'clothing', locale),
      weight: 1.5,
      length: 32,
      width: 22,
      height: 12,
      customsReason: enumLabel(customsReasonLabels, 'sale', locale),
      item1HsCode: '6403.99',
      item1Quantity: 1,
      item1UnitValue: 180,
      item1Origin: countryName('my', locale),
      item1Weight: 1.1,
    },
  ]
}
