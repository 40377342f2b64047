/** The logins of the demo. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { AdminUserType, MemberPermission, StaffRole } from '@waybill/contract/ground/enums/enums'

/** The password of every demo login. It protects only sample data and is printed at the start. */
export const demoPassword = 'waybill-demo'

/** The PIN of every demo wallet, printed as well. */
export const demoPin = '246810'

export type DemoAccountKey = 'aisyah' | 'weiming' | 'priya' | 'kinabalu'

/** A user of a customer account. */
export type DemoMember = {
  account: DemoAccountKey
  name: string
  email: string
  phone: string
  language: Locale
  isOwner: boolean
  permissions: readonly MemberPermission[]
  jobTitle?: string
  costCentre?: string
  /** In minor units. */
  monthlyLimitMinor?: number
  /** The description next to the name where logins are listed. */
  who: string
}

export type DemoStaff = {
  name: string
  email: string
  phone: string
  type: AdminUserType
  role: StaffRole | null
  /** The code of the station of their workplace; null for the head office. */
  station: string | null
  who: string
}

const individual = { language: 'en', isOwner: true, permissions: [] } as const
const colleague = { account: 'kinabalu', language: 'en', isOwner: false } as const

export const demoMembers: readonly DemoMember[] = [
  {
    ...individual,
    account: 'aisyah',
    name: 'Aisyah Rahman',
    email: 'aisyah@example.com',
    phone: '+60123847265',
    who: 'Aisyah Rahman, individual',
  },
  {
    ...individual,
    account: 'weiming',
    name: '陈伟明 Tan Wei Ming',
    email: 'weiming@example.com',
    phone: '+60164729318',
    language: 'cn_zh',
    who: '陈伟明 Tan Wei Ming, individual, in Chinese',
  },
  {
    ...individual,
    account: 'priya',
    name: 'Priya Nair',
    email: 'priya@example.com',
    phone: '+60176283941',
    who: 'Priya Nair, individual',
  },
  {
    ...colleague,
    name: 'Jeffrey Lojiwin',
    email: 'owner@kinabalu.example',
    phone: '+60138526417',
    isOwner: true,
    permissions: [],
    who: 'Kinabalu Trading: owner',
  },
  {
    ...colleague,
    name: 'Nurul Huda Ismail',
    email: 'shipping@kinabalu.example',
    phone: '+60148273650',
    permissions: ['parcels.create', 'addresses'],
    jobTitle: 'Shipping clerk',
    costCentre: 'LOG-01',
    who: 'Kinabalu Trading: shipping clerk',
  },
  {
    ...colleague,
    name: 'Chong Siew Lan',
    email: 'finance@kinabalu.example',
    phone: '+60168349275',
    // A user who pays for everybody's parcels has to see them.
    permissions: ['parcels.view_all', 'pay', 'wallet', 'reports'],
    jobTitle: 'Accounts executive',
    costCentre: 'FIN-02',
    monthlyLimitMinor: 250_000,
    who: 'Kinabalu Trading: finance',
  },
  {
    ...colleague,
    name: 'Rajesh Pillai',
    email: 'viewer@kinabalu.example',
    phone: '+60192746385',
    jobTitle: 'Sales manager',
    costCentre: 'SAL-03',
    permissions: ['parcels.view_all'],
    who: 'Kinabalu Trading: looks only',
  },
]

/** Domain-less names of staff: their addresses are `<local>@waybill.example`. */
function staff(
  local: string,
  name: string,
  phone: string,
  type: AdminUserType,
  role: StaffRole | null,
  station: string | null,
  job: string,
): DemoStaff {
  return { name, email: `${local}@waybill.example`, phone, type, role, station, who: `Staff: ${job}` }
}

export const demoStaff: readonly DemoStaff[] = [
  staff('superadmin', 'Zainal Abidin', '+60122734856', 'superadmin', null, null, 'super administrator'),
  staff('admin', 'Grace Lim', '+60127385264', 'admin', null, null, 'administrator'),
  staff('branch', 'Mohd Faizal Hassan', '+60133847562', 'staff', 'admin', 'BPT-T21', 'administrator of a branch'),
  staff('marketing', 'Melissa Wong', '+60162837465', 'staff', 'e_marketing', null, 'e-marketing'),
  staff('product', 'Suresh Kumar', '+60174829365', 'staff', 'product_manager', null, 'product manager'),
  staff('accounts', 'Farah Nadia', '+60193748265', 'staff', 'account_manager', null, 'account manager'),
  staff('sales', 'Ong Kah Wai', '+60125938472', 'staff', 'inside_sales_representative', null, 'inside sales'),
  staff('it', 'Vincent Raj', '+60167382945', 'staff', 'it_executive', null, 'IT executive'),
  staff('kl', 'Hafiz Rosli', '+60136482759', 'staff', 'normal_staff', 'SHA-T11', 'operations, Klang Valley'),
  // After the one above, who scans in the story: a colleague who takes over tasks and counts cash.
  staff('rider', 'Azhar Kassim', '+60179283746', 'staff', 'normal_staff', 'SHA-T11', 'rider, Klang Valley'),
  staff('penang', 'Lee Chee Keong', '+60124837596', 'staff', 'normal_staff', 'BAY-T21', 'operations, Penang'),
  staff('johor', 'Siti Aminah', '+60197384625', 'staff', 'normal_staff', 'BPT-T21', 'operations, Johor'),
  staff('sabah', 'Jackly Gindol', '+60138274956', 'staff', 'normal_staff', 'BKI-T11', 'operations, Sabah'),
  staff('sarawak', 'Unding anak Jugah', '+60143829576', 'staff', 'normal_staff', 'KCH-T11', 'operations, Sarawak'),
  staff('perak', 'Wong Mei Fong', '+60165839274', 'staff', 'normal_staff', 'IPH-T11', 'operations, Perak'),
  staff('kedah', 'Norazlina Ismail', '+60194728563', 'staff', 'normal_staff', 'AOR-T11', 'operations, Kedah'),
  staff('melaka', 'Raymond Pereira', '+60127463958', 'staff', 'normal_staff', 'MLK-PP1', 'operations, Melaka'),
  staff('pahang', 'Kavitha Muniandy', '+60138562947', 'staff', 'normal_staff', 'KUA-T11', 'operations, Pahang'),
]

/** Every login of the demo in display order: customers, then staff. */
export function demoLogins(): { who: string; email: string; password: string }[] {
  return [...demoMembers, ...demoStaff].map(({ who, email }) => ({ who, email, password: demoPassword }))
}

/** The lines that the server prints once it is ready: the logins as an aligned table, the wallets' PIN below it. */
export function demoLoginLines(publicUrl: string): string[] {
  const logins = demoLogins()
  const widest = Math.max(...logins.map(({ who }) => countColumns(who)))
  const row = (who: string, email: string) => `  ${who}${' '.repeat(widest - countColumns(who) + 2)}${email}`
  return [
    '',
    `Demo logins at ${publicUrl}/login, staff at ${publicUrl}/staff. ` +
      `Password of all: ${demoPassword}   Wallet PIN: ${demoPin}`,
    '',
    ...logins.map(({ who, email }) => row(who, email)),
    '',
  ]
}

/** The width of the text in terminal columns: a Chinese character takes two. */
function countColumns(text: string): number {
  return [...text].reduce((sum, character) => sum + (/\p{Script=Han}/u.test(character) ? 2 : 1), 0)
}
