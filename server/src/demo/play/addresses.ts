/**
 * The demo seller's use of the address book: a friend entered twice, an uploaded file of customers, and an address
 * link sent to a customer; and the spreadsheets of parcels that it uploads.
 */

import { readImportFile } from '../../domains/addresses/import/read-import.ts'
import { createImport } from '../../domains/addresses/import/service.ts'
import { createRequest } from '../../domains/addresses/requests/service.ts'
import { addAddress } from '../../domains/addresses/service.ts'
import { createBatch } from '../../domains/parcels/bulk/service.ts'
import { readBulk } from '../../domains/parcels/bulk-rows/read-file.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { spreadsheet } from '../story/bulk.ts'
import { demoAccounts } from '../story/people.ts'
import { createCaller, type Stage } from './stage.ts'

/** Two good rows, a contradiction, a postcode that does not exist, and a telephone number with too few digits. */
const file = [
  'Nama,No. Telefon,Alamat,Poskod,Bandar,Negeri',
  'Hafiz Ramli,012-384 1120,"17, Jalan Setia 4",81100,Johor Bahru,Johor',
  '黄淑芬,016-220 4471,"5, Lorong Damai",10450,,',
  'Kavitha a/p Mani,019-551 8870,"22, Jalan Tun Razak",50400,Kuala Lumpur,Johor',
  'Rosnah Idris,013-904 2216,"8, Jalan Mawar",99999,,',
  'Chong Mei Yee,012,"3-2, Jalan Kelab",30000,Ipoh,Perak',
].join('\n')

/** An export of another system with column names that nobody knows; a file without rows; and the file itself. */
const files = {
  'contacts.csv': 'F1,F2,F3\nHafiz Ramli,012-384 1120,"17, Jalan Setia 4, 81100 Johor Bahru"',
  'empty.csv': 'Nama,No. Telefon,Alamat,Poskod',
  'pelanggan.csv': file,
}

const friend = {
  contactName: 'Nurul Ain binti Rahman',
  company: null,
  phone: '+60123901177',
  email: null,
  line1: '21, Jalan Melati 5',
  line2: null,
  postcode: '50480',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
  residential: true,
  remarks: null,
  label: null,
  kind: 'receiver' as const,
  isDefault: false,
  override: [],
}

/** The seller sends cloth to this supplier and gets the rest back. */
const supplier = {
  ...friend,
  contactName: 'Zaiton Kassim',
  company: 'Zaiton Batik House',
  phone: '+60199384756',
  line1: '4, Jalan Kampung Cina',
  postcode: '20100',
  city: 'Kuala Terengganu',
  state: 'Terengganu',
  residential: false,
  label: 'Batik supplier',
  kind: 'both' as const,
}

/** The two entries of one friend are a duplicate. */
export async function useAddressBook({ deps }: Stage): Promise<void> {
  const shop = demoAccounts.find(({ key }) => key === 'aisyah')
  if (!shop) return
  const caller = createCaller(shop, shop.owner)
  await addAddress(deps, caller, friend)
  await addAddress(deps, caller, { ...friend, contactName: 'Nurul Ain', line1: 'No. 21 Jln Melati 5' })
  await addAddress(deps, caller, supplier)
  await createRequest(deps, caller, { label: 'Cik Rohana, repeat order', email: null }, 'en', withoutKey)
  for (const [name, text] of Object.entries(files)) {
    const upload = { name, bytes: Buffer.from(text) }
    const { id } = await createImport(deps, { caller, locale: 'en', t: deps.translations('en') }, upload, withoutKey)
    await readImportFile(deps, { accountId: caller.accountId, importId: id })
  }
}

const [heads = []] = spreadsheet.cells

/** A stock list, whose columns the sender has to map; a file without rows; and one with every kind of slip. */
const uploads = [
  {
    name: 'Stock list.xlsx',
    cells: [
      ['Item', 'Shelf', 'Count'],
      ['Batik shirt', 'B-12', '40'],
    ],
  },
  { name: 'December orders.xlsx', cells: [heads] },
  spreadsheet,
]

/** The shop uploads them, and the job reads each. */
export async function uploadSpreadsheets({ deps }: Stage): Promise<void> {
  const shop = demoAccounts.find(({ key }) => key === 'aisyah')
  if (!shop) return
  const reader = { caller: createCaller(shop, shop.owner), t: deps.translations('en'), locale: 'en' as const }
  for (const body of uploads) {
    const { id } = await createBatch(deps, reader, { file: null, body, senderAddressId: undefined }, withoutKey)
    await readBulk(deps, { accountId: reader.caller.accountId, batchId: id })
  }
}
