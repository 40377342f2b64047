import {
  IconAddressBook,
  IconBox,
  IconBuildingStore,
  IconChecklist,
  IconCode,
  IconCoins,
  IconHistory,
  IconHome,
  IconMessage,
  IconMoneybag,
  IconPackages,
  IconReceipt,
  IconReceipt2,
  IconReportAnalytics,
  IconShoppingCart,
  IconStack2,
  IconTable,
  IconTicket,
  IconTruckReturn,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import type { RegisteredRouter } from '@tanstack/react-router'
import type { AccessRule } from '@waybill/contract/ground/access'

type NavItem = {
  to: keyof RegisteredRouter['routesByPath']
  /** Key of the text under `nav.`. */
  label: string
  icon: typeof IconBox
  /** The row of the access table that the screen's first request needs. */
  access: AccessRule
  /** Only for companies: it is empty for individuals. */
  companyOnly?: true
  /** Only for accounts with COD payments: it is empty for all others. */
  codOnly?: true
  /** Only until the deployment is set up. */
  setupOnly?: true
  /** Paths of other pages that belong to it. */
  pages?: readonly string[]
  /** In the bottom bar of a phone: always, or only for a role with too few other items to fill the bar. */
  mostUsed?: true | 'where there is room'
}

export type NavGroup = {
  label: string
  items: readonly NavItem[]
  /** Stays on screen while the groups below it scroll. */
  pinned?: true
}

/** The navigation of customers, grouped by task. */
export const portalNav: readonly NavGroup[] = [
  {
    label: 'home',
    pinned: true,
    items: [{ to: '/dashboard', label: 'dashboard', icon: IconHome, access: 'customer.view', mostUsed: true }],
  },
  {
    label: 'ship',
    pinned: true,
    items: [
      { to: '/parcels/new', label: 'newParcel', icon: IconBox, access: 'parcels.create', mostUsed: true },
      { to: '/parcels/bulk', label: 'bulk', icon: IconTable, access: 'parcels.create' },
      { to: '/cart', label: 'cart', icon: IconShoppingCart, access: 'customer.view', mostUsed: true },
    ],
  },
  {
    label: 'follow',
    items: [
      { to: '/parcels', label: 'parcels', icon: IconPackages, access: 'customer.view', mostUsed: true },
      { to: '/pickups', label: 'pickups', icon: IconTruckReturn, access: 'customer.view' },
      { to: '/gunny', label: 'gunny', icon: IconStack2, access: 'customer.view' },
      { to: '/messages', label: 'messages', icon: IconMessage, access: 'customer.view' },
      { to: '/tickets', label: 'tickets', icon: IconTicket, access: 'customer.view' },
    ],
  },
  {
    label: 'money',
    items: [
      { to: '/orders', label: 'orders', icon: IconReceipt, access: 'customer.view' },
      { to: '/wallet', label: 'wallet', icon: IconWallet, access: 'wallet.view', mostUsed: true },
      { to: '/outstanding', label: 'outstanding', icon: IconCoins, access: 'customer.view' },
      { to: '/statements', label: 'statements', icon: IconReceipt2, access: 'reports', companyOnly: true },
      { to: '/cod', label: 'cod', icon: IconMoneybag, access: 'wallet.view', codOnly: true },
    ],
  },
  {
    label: 'places',
    items: [
      { to: '/address-book', label: 'addressBook', icon: IconAddressBook, access: 'addresses.view' },
      { to: '/stations', label: 'stations', icon: IconBuildingStore, access: 'public' },
    ],
  },
  {
    label: 'insight',
    items: [{ to: '/reports', label: 'reports', icon: IconReportAnalytics, access: 'reports' }],
  },
  {
    label: 'company',
    items: [
      { to: '/users', label: 'users', icon: IconUsers, access: 'corporate.users' },
      { to: '/approvals', label: 'approvals', icon: IconChecklist, access: 'corporate.pay' },
    ],
  },
  {
    label: 'programs',
    items: [
      { to: '/developers', label: 'developers', icon: IconCode, access: 'account.owner' },
      { to: '/activity', label: 'activity', icon: IconHistory, access: 'logs' },
    ],
  },
]

/** Actions and pages that only the search box finds: they are not in the navigation. */
export const portalActions: readonly NavGroup[] = [
  {
    label: 'ship',
    items: [
      { to: '/wallet/top-up', label: 'topUp', icon: IconWallet, access: 'wallet' },
      { to: '/gunny/new', label: 'packGunny', icon: IconStack2, access: 'parcels.create' },
      { to: '/profile', label: 'profile', icon: IconUsers, access: 'signedIn' },
      { to: '/preferences', label: 'preferences', icon: IconChecklist, access: 'signedIn' },
    ],
  },
]

/** The facts that decide which items a user sees. `permissions` is empty until the profile is loaded. */
export type NavUser = { permissions: readonly string[]; company?: boolean; hasCod?: boolean; setupOpen?: boolean }

/** The items that this user may use. Groups without items are omitted. */
export function visibleNav(
  groups: readonly NavGroup[],
  { permissions, company = false, hasCod = false, setupOpen = false }: NavUser,
): readonly NavGroup[] {
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(
        ({ access, companyOnly, codOnly, setupOnly }) =>
          permissions.includes(access) &&
          (company || !companyOnly) &&
          (hasCod || !codOnly) &&
          (setupOpen || !setupOnly),
      ),
    }))
    .filter(({ items }) => items.length > 0)
}

/** The item of the page at `path`. The longest match is used, so that `/parcels/new` is not taken for `/parcels`. */
export function findNavItem(groups: readonly NavGroup[], path: string): NavItem | undefined {
  return groups
    .flatMap(({ items }) => items)
    .filter(({ to, pages = [] }) => [to, ...pages].some((page) => path === page || path.startsWith(`${page}/`)))
    .sort((a, b) => b.to.length - a.to.length)[0]
}
