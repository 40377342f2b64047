/** The accounts, members and staff of the demo. */
import { type Label, labelIn } from '@waybill/contract/ground/enums/labels'
import type { Insertable } from 'kysely'
import type { DB } from '../../db/schema.ts'
import type { PricingAccount } from '../../domains/pricing/service.ts'
import { distanceM } from '../../domains/stations/rules.ts'
import { days, later, minutes } from '../../lib/clock.ts'
import { type DemoAccountKey, type DemoMember, demoMembers, demoStaff } from './logins.ts'
import type { Stop } from './map.ts'
import { createChance, idFor } from './random.ts'
import { localMidnight } from './time.ts'

/**
 * The demo's oldest ids start at the beginning of this year, whatever the day, so that links to a demo account stay
 * the same.
 */
const registeredFrom = new Date('2026-01-05T02:00:00Z')

export type Member = DemoMember & { id: string }
/** An account that only shows a certain account state or amount; its logins are not listed. */
export type SideAccount = {
  id: string
  name: string
  registrationNumber: string | null
  owner: Pick<Member, 'id' | 'name' | 'email' | 'phone' | 'isOwner' | 'permissions'>
}
export type Account = {
  key: DemoAccountKey
  id: string
  name: string
  registrationNumber: string | null
  taxNumber: string | null
  owner: Member
  members: readonly Member[]
}
/** The user who scans at a station and drives for it. */
export type Operator = { id: string; email: string }

/** The prices of an account: its own rate card and a discount (basis points). All others pay the public rates. */
export const getPricingAccount = (key: DemoAccountKey): PricingAccount => ({
  rateCardCode: key === 'kinabalu' ? 'BUSINESS' : null,
  discount: discounts[key] ?? null,
})

const discounts: Partial<Record<DemoAccountKey, NonNullable<PricingAccount>['discount']>> = {
  aisyah: { type: 'percentage', value: 500 },
  weiming: { type: 'fixed', value: 60 },
}

const accountKeys: readonly DemoAccountKey[] = ['aisyah', 'weiming', 'priya', 'kinabalu']

/** The demo's customers with fixed ids that are the same in every demo. */
export const demoAccounts: readonly Account[] = accountKeys.map((key) => {
  const members = demoMembers
    .filter(({ account }) => account === key)
    .map((member) => ({ ...member, id: idFor(`user ${member.email}`, registeredFrom) }))
  const owner = members.find(({ isOwner }) => isOwner)
  if (!owner) throw new Error(`${key} has no owner`)
  const company = key === 'kinabalu'
  return {
    key,
    id: idFor(`account ${key}`, registeredFrom),
    name: company ? 'Kinabalu Trading Sdn Bhd' : owner.name,
    registrationNumber: company ? '201901023456 (1332785-K)' : null,
    taxNumber: company ? 'C 25847163090' : null,
    owner,
    members,
  }
})

/** A text in the language in which an account's owner writes, and staff write to them. */
export const getTextFor = ({ owner }: Pick<Account, 'owner'>, text: Label): string => labelIn(text, owner.language)

function sideAccount(key: string, owner: string, phone: string, company: [name: string, number: string] | null) {
  const email = company ? `owner@${key}.example` : `${key}@example.com`
  const id = idFor(`user ${email}`, registeredFrom)
  return {
    id: idFor(`account ${key}`, registeredFrom),
    name: company?.[0] ?? owner,
    registrationNumber: company?.[1] ?? null,
    owner: { id, name: owner, email, phone, isOwner: true, permissions: [] },
  }
}

/** Accounts besides the four that visitors sign in to, named by what they show. */
export const sideAccounts = {
  /** Has not paid its statement. */
  overdue: sideAccount('lestari', 'Hasnah Bakri', '+60123948576', [
    'Lestari Crafts Sdn Bhd',
    '202101018374 (1418674-V)',
  ]),
  suspended: sideAccount('mekar', 'Lim Bee Hoon', '+60164837295', [
    'Mekar Florist Sdn Bhd',
    '201801029485 (1291511-H)',
  ]),
  blocked: sideAccount('ravi', 'Ravi Chandran', '+60173948265', null),
  /** Its owner has deleted it. */
  closed: sideAccount('azman', 'Azman Yusof', '+60192837465', null),
} as const satisfies Record<string, SideAccount>

/** The fixed id of a member of staff, the same in every demo. */
export const staffId = (email: string) => idFor(`staff ${email}`, registeredFrom)

/** The time of the last sign-in: between 1 and 33 hours ago. */
const signedInBefore = (now: Date, email: string) =>
  later(now, -minutes(createChance(`signed in ${email}`).whole(60, 2000)))

/**
 * Rows of accounts and users, customers and staff. No service creates staff here. All share `passwordHash`, so that it
 * is computed once.
 */
export function peopleRows(
  now: Date,
  passwordHash: string,
): { accounts: Insertable<DB['accounts']>[]; users: Insertable<DB['users']>[]; since: Date } {
  const today = localMidnight(now)
  const accounts = demoAccounts.map(({ key, id, name, registrationNumber, taxNumber, owner }) => {
    const since = registeredOn(key, today)
    const company = key === 'kinabalu'
    const conditions = getPricingAccount(key)
    return {
      id,
      user_type: company ? 'corporate' : 'customer',
      name,
      registration_number: registrationNumber,
      tax_number: taxNumber,
      rate_card_code: conditions?.rateCardCode ?? null,
      discount_type: conditions?.discount?.type ?? null,
      discount_value: conditions?.discount?.value ?? 0,
      credit_limit_minor: company ? 2_000_000 : 0,
      approval_above_minor: null,
      consent_version: company ? '2026-01' : null,
      consent_at: company ? later(since, days(1)) : null,
      consent_by: company ? owner.id : null,
      consent_ip: company ? '203.0.113.24' : null,
      created_at: since,
      updated_at: since,
    }
  })
  const shared = { password_hash: passwordHash, status: 'active' }
  const customers = demoAccounts.flatMap(({ key, id, members }) =>
    members.map((member) => ({
      ...shared,
      id: member.id,
      kind: 'customer',
      account_id: id,
      email: member.email,
      name: member.name,
      phone: member.phone,
      language: member.language,
      is_owner: member.isOwner,
      last_login_at: signedInBefore(now, member.email),
      job_title: member.jobTitle ?? null,
      cost_centre: member.costCentre ?? null,
      monthly_limit_minor: member.monthlyLimitMinor ?? null,
      permissions: [...member.permissions],
      staff_type: null,
      staff_role: null,
      station_id: null,
      ...createdAt(registeredOn(key, today)),
    })),
  )
  const staff = demoStaff.map((member) => ({
    ...shared,
    id: staffId(member.email),
    kind: 'staff',
    account_id: null,
    email: member.email,
    name: member.name,
    phone: member.phone,
    language: 'en',
    is_owner: false,
    last_login_at: signedInBefore(now, member.email),
    ...noMember,
    permissions: [],
    staff_type: member.type,
    staff_role: member.role,
    // Staff have no station during the simulation, because nine people scan at all of them.
    station_id: null,
    ...createdAt(later(today, -days(400))),
  }))
  const side = sideRows(today, shared)
  return {
    accounts: [...accounts, ...side.accounts],
    users: [...customers, ...side.users, ...staff],
    since: later(today, -days(400)),
  }
}

function sideRows(today: Date, shared: { password_hash: string; status: string }) {
  // On four evenings, as people register after work.
  const registered = (n: number) => later(today, -days(130 + 3 * n) + 19 * 3_600_000 + n * 1_080_000)
  const sides = Object.values(sideAccounts).map((side: SideAccount, n) => ({ ...side, since: registered(n) }))
  const terms = (side: (typeof sides)[number]) => {
    const consents = side.id === sideAccounts.overdue.id
    return {
      credit_limit_minor: consents ? 50_000 : 0,
      consent_version: consents ? '2026-01' : null,
      consent_at: consents ? later(side.since, days(1)) : null,
      consent_by: consents ? side.owner.id : null,
      consent_ip: consents ? '203.0.113.61' : null,
    }
  }
  return {
    accounts: sides.map((side) => ({
      id: side.id,
      user_type: side.registrationNumber ? 'corporate' : 'customer',
      name: side.name,
      registration_number: side.registrationNumber,
      tax_number: null,
      rate_card_code: null,
      discount_type: null,
      discount_value: 0,
      approval_above_minor: null,
      ...terms(side),
      ...createdAt(side.since),
    })),
    users: sides.map(({ id, owner, since }) => ({
      ...shared,
      ...noMember,
      id: owner.id,
      kind: 'customer',
      account_id: id,
      email: owner.email,
      name: owner.name,
      phone: owner.phone,
      language: 'en',
      is_owner: true,
      last_login_at: since,
      permissions: [],
      staff_type: null,
      staff_role: null,
      station_id: null,
      ...createdAt(since),
    })),
  }
}

/** Fields that only members of a company have. */
const noMember = { job_title: null, cost_centre: null, monthly_limit_minor: null }

const createdAt = (at: Date) => ({ created_at: at, updated_at: at })

/** Half a year to a year and a half ago, in the middle of a working day. */
function registeredOn(key: DemoAccountKey, today: Date): Date {
  const chance = createChance(`registered ${key}`)
  return later(today, -days(chance.whole(160, 520)) + chance.whole(9 * 3600, 20 * 3600) * 1000)
}

/** Finds the operator who works nearest to a station, in its state if anybody works there. */
export function nearestOperator(stops: readonly Stop[]): (stop: Stop) => Operator {
  const placed = demoStaff.flatMap(({ email, role, station }) => {
    const workplace = stops.find(({ code }) => code === station)
    return role === 'normal_staff' && workplace ? [{ operator: { id: staffId(email), email }, workplace }] : []
  })
  const nearest = new Map<string, Operator>()
  return (stop) => {
    const nearestStaff = nearest.get(stop.id)
    if (nearestStaff) return nearestStaff
    const inState = placed.filter(({ workplace }) => workplace.state === stop.state)
    const [first] = [...(inState.length > 0 ? inState : placed)].sort(
      (a, b) => distanceM(a.workplace, stop) - distanceM(b.workplace, stop),
    )
    if (!first) throw new Error('nobody works at the stations')
    nearest.set(stop.id, first.operator)
    return first.operator
  }
}
