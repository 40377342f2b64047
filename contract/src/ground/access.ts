/** The access table: who may call what. */
import type { AccountStatus, AdminUserType, ApiScope, MemberPermission, StaffRole, UserType } from './enums/enums.ts'

/**
 * The access table. A row says which callers are allowed; every endpoint names a row; a test checks every route with
 * every kind of caller.
 *
 * - `visitor`: no sign-in is needed.
 * - `customer`: `true` for every user of a customer account, or the permission that a corporate member needs
 *   (individuals and corporate owners have all of them); `suspended` also allows accounts of status `inactive` (they
 *   may look, write to support and settle what is under way, not buy).
 * - `staff`: the allowed staff roles; user types superadmin and admin are allowed in every row but `superadminOnly`.
 */
type Row = {
  visitor?: true
  customer?: true | MemberPermission
  suspended?: true
  owner?: true
  corporate?: true
  staff?: readonly StaffRole[]
  superadminOnly?: true
}

const everyStaffRole = [
  'admin',
  'e_marketing',
  'product_manager',
  'account_manager',
  'inside_sales_representative',
  'it_executive',
  'normal_staff',
] as const satisfies readonly StaffRole[]

export const accessTable = {
  public: { visitor: true },
  signedIn: { customer: true, suspended: true, staff: everyStaffRole },
  'customer.view': { customer: true, suspended: true },
  'customer.act': { customer: true },
  /** Messages and tickets. */
  support: { customer: true, suspended: true },
  'parcels.create': { customer: 'parcels.create' },
  /** Parcels after checkout: cancelling, the choice after a failed delivery, answering a re-weighing, claims. */
  'parcels.settle': { customer: 'parcels.create', suspended: true },
  pay: { customer: 'pay' },
  /** Amounts due, and the fee of a choice after a failed delivery. */
  'pay.owed': { customer: 'pay', suspended: true },
  'wallet.view': { customer: 'wallet', suspended: true },
  wallet: { customer: 'wallet' },
  reports: { customer: 'reports', suspended: true },
  'addresses.view': { customer: true, suspended: true },
  addresses: { customer: 'addresses' },
  'account.owner.view': { customer: true, owner: true, suspended: true },
  'account.owner': { customer: true, owner: true },
  /** The activity log: its account's for an owner, the deployment's for staff. */
  logs: { customer: true, owner: true, suspended: true, staff: ['admin', 'it_executive'] },
  'corporate.users': { customer: 'users', corporate: true },
  'corporate.pay': { customer: 'pay', corporate: true, suspended: true },
  'corporate.owner': { customer: true, owner: true, corporate: true },
  'staff.any': { staff: everyStaffRole },
  'staff.operate': { staff: ['admin', 'normal_staff'] },
  /** A parcel by its number, and its order: for those who scan it, and those who answer its sender. */
  'staff.parcels': { staff: ['admin', 'normal_staff', 'account_manager', 'inside_sales_representative'] },
  /** Checked during a scan: may take a parcel over from its recorded holder. */
  'staff.takeOver': { staff: ['admin', 'normal_staff'] },
  /** A supervisor, within their own station if they have one: may act for a rider, and declare a parcel lost. */
  'staff.supervise': { staff: ['admin'] },
  'staff.rates': { staff: ['admin', 'product_manager'] },
  /** Narrowed in the service: an admin with a station manages only that one. */
  'staff.stations': { staff: ['admin'] },
  /** The setup of a new deployment; each step needs the right to what it changes. */
  'staff.setup': { staff: ['admin'] },
  'staff.content': { staff: ['admin', 'e_marketing'] },
  'staff.accounts': { staff: ['admin', 'account_manager', 'inside_sales_representative'] },
  /** Pricing and credit terms of an account; each part is checked separately. */
  'staff.terms': { staff: ['admin', 'product_manager', 'account_manager', 'inside_sales_representative'] },
  'staff.finance': { staff: ['admin', 'account_manager'] },
  'staff.settings': { staff: ['admin', 'it_executive'] },
  'staff.logs': { staff: ['admin', 'it_executive'] },
  'staff.users': { staff: ['admin', 'it_executive'] },
  /** Checked when settings are written: those of `settingAccess` that only the superadmin may write. */
  'staff.system': { superadminOnly: true },
} as const satisfies Record<string, Row>

export type AccessRule = keyof typeof accessTable

export type Caller =
  | { kind: 'visitor' }
  | {
      kind: 'customer'
      userType: UserType
      accountStatus: AccountStatus
      userStatus: AccountStatus
      isOwner: boolean
      permissions: readonly MemberPermission[]
      /** Only for an API key: it may make the calls of these scopes (`integrations/api-scopes.ts`), and no others. */
      scopes?: readonly ApiScope[]
    }
  | { kind: 'staff'; staffType: AdminUserType; staffRole: StaffRole | null; userStatus: AccountStatus }

type Customer = Extract<Caller, { kind: 'customer' }>

export type Verdict = 'pass' | 'sign_in' | 'forbidden' | 'suspended'

/**
 * Applies one row of the access table to a caller. `sign_in` -> 401, `forbidden` and `suspended` -> 403. A blacklisted
 * caller is never allowed: their sessions have ended (401). `inScope`: whether the call is one of the API key's;
 * undefined inside a use case, where the row is a permission and not a call.
 */
export function decide(rule: AccessRule, caller: Caller, inScope?: boolean): Verdict {
  const row: Row = accessTable[rule]
  if (row.visitor) return 'pass'
  if (caller.kind === 'visitor') return 'sign_in'
  if (caller.userStatus === 'blacklisted') return 'sign_in'
  if (caller.kind === 'staff') {
    if (caller.userStatus !== 'active') return 'suspended'
    if (row.superadminOnly) return caller.staffType === 'superadmin' ? 'pass' : 'forbidden'
    if (!row.staff) return 'forbidden'
    if (caller.staffType !== 'staff') return 'pass'
    return caller.staffRole !== null && row.staff.includes(caller.staffRole) ? 'pass' : 'forbidden'
  }
  if (caller.accountStatus === 'blacklisted') return 'sign_in'
  if (!row.customer) return 'forbidden'
  if (caller.scopes) return decideForKey(row, caller, inScope)
  if (row.corporate && caller.userType !== 'corporate') return 'forbidden'
  if (row.owner && !caller.isOwner) return 'forbidden'
  if (row.customer !== true && !caller.isOwner && !caller.permissions.includes(row.customer)) return 'forbidden'
  const suspended = caller.accountStatus === 'inactive' || caller.userStatus === 'inactive'
  return suspended && !row.suspended ? 'suspended' : 'pass'
}

/**
 * An API key is allowed the calls of its scopes; inside a use case it needs the row's permission. A suspended
 * account's keys stop working, even for read-only calls.
 */
function decideForKey(row: Row, caller: Customer, inScope: boolean | undefined): Verdict {
  if (row.owner || row.corporate) return 'forbidden'
  const isPermitted = row.customer !== undefined && row.customer !== true && caller.permissions.includes(row.customer)
  if (!(inScope ?? isPermitted)) return 'forbidden'
  return caller.accountStatus === 'active' && caller.userStatus === 'active' ? 'pass' : 'suspended'
}

/** Every rule that allows the caller. The profile contains the list, and the web app shows only what is in it. */
export function listPermissions(caller: Caller): AccessRule[] {
  return (Object.keys(accessTable) as AccessRule[]).filter((rule) => decide(rule, caller) === 'pass')
}
