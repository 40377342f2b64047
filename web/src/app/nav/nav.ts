import {
  IconAddressBook,
  IconAlertTriangle,
  IconBarcode,
  IconBox,
  IconBuildingStore,
  IconCalculator,
  IconCalendarOff,
  IconCalendarTime,
  IconCashBanknote,
  IconCashRegister,
  IconChecklist,
  IconCode,
  IconCoins,
  IconHistory,
  IconHome,
  IconListCheck,
  IconMapPins,
  IconMessage,
  IconMessages,
  IconMoneybag,
  IconPackages,
  IconPhoto,
  IconPlaneDeparture,
  IconReceipt,
  IconReceipt2,
  IconReceiptTax,
  IconReportAnalytics,
  IconScale,
  IconScaleOutline,
  IconSettings,
  IconShoppingCart,
  IconSpeakerphone,
  IconStack2,
  IconTable,
  IconTicket,
  IconTruckDelivery,
  IconTruckReturn,
  IconUserSearch,
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
  /** In the bottom bar of a phone: always, or only for a role with too few other items to fill the bar. */
  mostUsed?: true | 'where there is room'
}

type NavGroup = {
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

/**
 * The navigation of staff, grouped by the kind of work. The bottom bar of a phone shows the first five `mostUsed`
 * items that the role may use.
 */
export const staffNav: readonly NavGroup[] = [
  {
    label: 'setup',
    items: [
      {
        to: '/staff/setup',
        label: 'setup',
        icon: IconListCheck,
        access: 'staff.setup',
        setupOnly: true,
        mostUsed: true,
      },
    ],
  },
  {
    label: 'today',
    items: [
      { to: '/staff/scan', label: 'scan', icon: IconBarcode, access: 'staff.operate', mostUsed: true },
      { to: '/staff/counter', label: 'counter', icon: IconBuildingStore, access: 'staff.operate', mostUsed: true },
      { to: '/staff/pickups', label: 'staffPickups', icon: IconTruckReturn, access: 'staff.operate', mostUsed: true },
      {
        to: '/staff/deliveries',
        label: 'deliveries',
        icon: IconTruckDelivery,
        access: 'staff.operate',
        mostUsed: true,
      },
    ],
  },
  {
    label: 'parcels',
    items: [
      { to: '/staff/reweigh', label: 'reweigh', icon: IconScale, access: 'staff.operate' },
      { to: '/staff/gunny', label: 'staffGunny', icon: IconStack2, access: 'staff.operate' },
      { to: '/staff/carriers', label: 'carriers', icon: IconPlaneDeparture, access: 'staff.operate' },
    ],
  },
  {
    label: 'customers',
    items: [
      { to: '/staff/inbox', label: 'inbox', icon: IconMessages, access: 'staff.accounts', mostUsed: true },
      { to: '/staff/tickets', label: 'staffTickets', icon: IconTicket, access: 'staff.accounts', mostUsed: true },
      { to: '/staff/accounts', label: 'accounts', icon: IconUserSearch, access: 'staff.accounts', mostUsed: true },
      {
        to: '/staff/artworks',
        label: 'artworks',
        icon: IconPhoto,
        access: 'staff.accounts',
        mostUsed: 'where there is room',
      },
      {
        to: '/staff/quotes',
        label: 'quotes',
        icon: IconCalculator,
        access: 'staff.accounts',
        mostUsed: 'where there is room',
      },
      {
        to: '/staff/content',
        label: 'content',
        icon: IconSpeakerphone,
        access: 'staff.content',
        mostUsed: 'where there is room',
      },
    ],
  },
  {
    label: 'money',
    items: [
      { to: '/staff/cash', label: 'cash', icon: IconCashRegister, access: 'staff.operate', mostUsed: true },
      { to: '/staff/finance', label: 'finance', icon: IconCashBanknote, access: 'staff.finance', mostUsed: true },
      { to: '/staff/disputes', label: 'disputes', icon: IconScaleOutline, access: 'staff.finance', mostUsed: true },
      { to: '/staff/reports', label: 'reports', icon: IconReportAnalytics, access: 'staff.finance' },
    ],
  },
  {
    label: 'prices',
    items: [
      { to: '/staff/rates', label: 'rates', icon: IconReceiptTax, access: 'staff.rates', mostUsed: true },
      { to: '/staff/zones', label: 'zones', icon: IconMapPins, access: 'staff.rates', mostUsed: true },
    ],
  },
  {
    label: 'settings',
    items: [
      { to: '/staff/stations', label: 'stations', icon: IconBuildingStore, access: 'staff.stations' },
      { to: '/staff/capacity', label: 'capacity', icon: IconCalendarTime, access: 'staff.operate' },
      { to: '/staff/holidays', label: 'holidays', icon: IconCalendarOff, access: 'staff.settings', mostUsed: true },
      { to: '/staff/team', label: 'team', icon: IconUsers, access: 'staff.users', mostUsed: 'where there is room' },
      { to: '/staff/settings', label: 'settings', icon: IconSettings, access: 'staff.settings', mostUsed: true },
      { to: '/staff/logs', label: 'logs', icon: IconHistory, access: 'logs' },
      { to: '/staff/failed-work', label: 'failedWork', icon: IconAlertTriangle, access: 'staff.logs' },
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
    .filter(({ to }) => path === to || path.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length)[0]
}
