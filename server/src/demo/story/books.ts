/** The address books of the demo. */
import type { createAddress, Party } from '@waybill/contract/addresses/addresses'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { days, later } from '../../lib/clock.ts'
import { companies, contactNames, type Place, places } from './contacts.ts'
import type { DemoAccountKey } from './logins.ts'
import { type Account, demoAccounts, type Member } from './people.ts'
import { type Chance, createChance } from './random.ts'
import { after, localMidnight } from './time.ts'

/** Looks up the town and state of a postcode, as the portal does. */
export type PlaceOf = (postcode: string) => { city: string; state: string }

/** An account's own address and its receivers. */
export type Book = { sender: Party; receivers: readonly Party[] }

const homes: Record<DemoAccountKey, { label: string; line1: string; line2: string; postcode: string }> = {
  aisyah: { label: 'Home', line1: '27, Jalan Plumbum 7/102', line2: 'Seksyen 7', postcode: '40000' },
  weiming: { label: '家', line1: '15, Lebuh Bukit Jambul', line2: 'Taman Century', postcode: '11900' },
  priya: { label: 'Home', line1: 'B-12-3, Residensi Vista', line2: 'Jalan Radin Bagus', postcode: '57000' },
  kinabalu: {
    label: 'Warehouse',
    line1: 'Lot 8, Block C, Inanam Business Centre',
    line2: 'Jalan Tuaran, KM 9',
    postcode: '88450',
  },
}

/** The number of receivers in each account's book. */
const sizes: Record<DemoAccountKey, number> = { aisyah: 14, weiming: 17, priya: 10, kinabalu: 24 }

/** An address as a member enters it in their account's book. */
export type Entry = { account: Account; by: Member; at: Date; address: BodyOf<typeof createAddress> }

/** Every account's book, and when its addresses were entered. */
export function addressBooks(now: Date, findPlace: PlaceOf): { books: Map<DemoAccountKey, Book>; entries: Entry[] } {
  const today = localMidnight(now)
  // Shared by all accounts, so that no person is in two books.
  const names = [...contactNames]
  const shops = [...companies]
  const streets = createChance('streets').shuffled(places)
  const books = new Map<DemoAccountKey, Book>()
  const entries: Entry[] = []
  for (const account of demoAccounts) {
    const chance = createChance(`book ${account.key}`)
    const sender = ownAddress(account, findPlace)
    const receivers = Array.from({ length: sizes[account.key] }, () => {
      const company = account.key === 'kinabalu' && chance.happens(0.75) ? (shops.shift() ?? null) : null
      return receiver(
        account,
        names.shift() ?? account.owner.name,
        company,
        streets.shift() ?? (places[0] as Place),
        findPlace,
        chance,
      )
    })
    books.set(account.key, { sender, receivers })
    const since = later(today, -days(140))
    const entry = (party: Party, label: string | null, n: number) => {
      const at =
        n === 0 ? since : after(later(since, days(Math.floor((n * 130) / receivers.length))), 540, 1320, chance)
      return createEntry(account, party, label, n === 0, at)
    }
    entries.push(
      entry(sender, homes[account.key].label, 0),
      ...receivers.map((party, n) => entry(party, pickLabel(party, n), n + 1)),
    )
  }
  return { books, entries }
}

function ownAddress({ key, name, owner }: Account, findPlace: PlaceOf): Party {
  const { line1, line2, postcode } = homes[key]
  const company = key === 'kinabalu'
  return {
    contactName: company ? 'Nurul Huda Ismail' : owner.name,
    company: company ? name : null,
    phone: company ? '+6088426100' : owner.phone,
    email: company ? 'shipping@kinabalu.example' : owner.email,
    line1,
    line2,
    postcode,
    ...findPlace(postcode),
    country: 'my',
    residential: !company,
    remarks: company ? 'Loading bay behind the building, Mon-Sat 8:30-18:00' : null,
  }
}

const remarks: Readonly<Record<Locale, readonly string[]>> = {
  en: [
    'Leave with the guard house',
    'Call before delivery',
    'After 5 pm please',
    'Lift A, level 3',
    'Ring twice, the bell is faint',
  ],
  cn_zh: ['可交给保安亭', '请先致电', '下午五点后派送', 'A 座电梯，三楼', '门铃不响，请敲门'],
}

function receiver(
  { owner }: Account,
  contactName: string,
  company: string | null,
  place: Place,
  findPlace: PlaceOf,
  chance: Chance,
): Party {
  return {
    contactName,
    company,
    phone: mobile(chance),
    email: chance.happens(0.45) ? `${mailName(contactName)}@example.com` : null,
    line1: place.line1.replace('#', String(chance.whole(2, 148))),
    line2: place.line2 ?? null,
    postcode: place.postcode,
    ...findPlace(place.postcode),
    country: 'my',
    residential: company === null,
    remarks: chance.happens(0.25) ? chance.pick(remarks[owner.language]) : null,
  }
}

/** A Malaysian mobile number in E.164. */
function mobile(chance: Chance): string {
  const network = chance.pick(['2', '3', '6', '7', '9'])
  return `+601${network}${chance.whole(2, 9)}${String(chance.whole(0, 999_999)).padStart(6, '0')}`
}

/** `黄志强 Wong Chee Keong` -> `wong.chee.keong` */
function mailName(name: string): string {
  const words = name.replace(/ (bin|binti|a\/l|a\/p|anak) /i, ' ').match(/[a-z]+/gi) ?? []
  return words.slice(0, 3).join('.').toLowerCase()
}

const labels = ['Sister', 'Customer', 'Office', 'Parents', 'Regular customer', 'Branch', 'Supplier']

function pickLabel(party: Party, n: number): string | null {
  if (party.company) return party.company.slice(0, 60)
  return n % 3 === 0 ? (labels[n % labels.length] ?? null) : null
}

function createEntry(account: Account, party: Party, label: string | null, own: boolean, at: Date): Entry {
  const by = account.members.find(({ permissions }) => permissions.includes('addresses')) ?? account.owner
  return {
    account,
    by,
    at,
    address: { ...party, label, kind: own ? 'sender' : 'receiver', isDefault: own, override: [] },
  }
}
