/**
 * What the demo's seller does with its address book: it enters a friend twice, uploads a file of
 * customers, and asks a customer for her address by a link.
 */
import { createImport } from '../../domains/addresses/import/service.ts'
import { createRequest } from '../../domains/addresses/requests/service.ts'
import { addAddress } from '../../domains/addresses/service.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { demoAccounts } from '../story/people.ts'
import { createCaller, type Stage } from './stage.ts'

/** Two good rows, a contradiction, a postcode that does not exist, and a telephone number without enough digits. */
const file = [
  'Nama,No. Telefon,Alamat,Poskod,Bandar,Negeri',
  'Hafiz Ramli,012-384 1120,"17, Jalan Setia 4",81100,Johor Bahru,Johor',
  '黄淑芬,016-220 4471,"5, Lorong Damai",10450,,',
  'Kavitha a/p Mani,019-551 8870,"22, Jalan Tun Razak",50400,Kuala Lumpur,Johor',
  'Rosnah Idris,013-904 2216,"8, Jalan Mawar",99999,,',
  'Chong Mei Yee,012,"3-2, Jalan Kelab",30000,Ipoh,Perak',
].join('\n')

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

/** Sends cloth to her, and gets the rest back. */
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

/** The rows of the file appear when the job has read it; the two entries of one friend are a duplicate. */
export async function useAddressBook({ deps }: Stage): Promise<void> {
  const shop = demoAccounts.find(({ key }) => key === 'aisyah')
  if (!shop) return
  const caller = createCaller(shop, shop.owner)
  await addAddress(deps, caller, friend)
  await addAddress(deps, caller, { ...friend, contactName: 'Nurul Ain', line1: 'No. 21 Jln Melati 5' })
  await addAddress(deps, caller, supplier)
  await createRequest(deps, caller, { label: 'Cik Rohana, repeat order', email: null }, 'en')
  const upload = { name: 'pelanggan.csv', bytes: Buffer.from(file) }
  await createImport(deps, { caller, t: deps.translations('en') }, upload, withoutKey)
}
