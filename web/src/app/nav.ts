import {
  IconAddressBook,
  IconAlertTriangle,
  IconBarcode,
  IconBox,
  IconBuildingStore,
  IconCalendarOff,
  IconCalendarTime,
  IconCashBanknote,
  IconCashRegister,
  IconChecklist,
  IconCoins,
  IconHome,
  IconMapPins,
  IconMoneybag,
  IconPackages,
  IconPhoto,
  IconPlaneDeparture,
  IconReceipt,
  IconReceipt2,
  IconReceiptTax,
  IconScale,
  IconScaleOutline,
  IconSettings,
  IconShoppingCart,
  IconStack2,
  IconTable,
  IconTruckDelivery,
  IconTruckReturn,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import type { AccessRule } from '@waybill/contract/ground/access'

type NavItem = {
  to: string
  /** Key under `nav.`. */
  label: string
  icon: typeof IconBox
  /** The row of the access table that the screen's first call needs. */
  access: AccessRule
  /** Only for companies: an individual has nothing there. */
  companyOnly?: true
  /** In the phone's bottom bar; or there where a role has less that goes before it. */
  mostUsed?: true | 'where there is room'
}

type NavGroup = {
  label: string
  items: readonly NavItem[]
  /** Always on screen: what follows scrolls beneath it. */
  pinned?: true
}

/** The navigation, grouped as a sender thinks. Shown is what the account may use and what has a page (`routes/`). */
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
    ],
  },
  {
    label: 'money',
    items: [
      { to: '/orders', label: 'orders', icon: IconReceipt, access: 'customer.view' },
      { to: '/wallet', label: 'wallet', icon: IconWallet, access: 'wallet.view', mostUsed: true },
      { to: '/outstanding', label: 'outstanding', icon: IconCoins, access: 'customer.view' },
      { to: '/statements', label: 'statements', icon: IconReceipt2, access: 'reports', companyOnly: true },
      { to: '/cod', label: 'cod', icon: IconMoneybag, access: 'wallet.view' },
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
    label: 'company',
    items: [
      { to: '/users', label: 'users', icon: IconUsers, access: 'corporate.users' },
      { to: '/approvals', label: 'approvals', icon: IconChecklist, access: 'corporate.pay' },
    ],
  },
]

/**
 * Staff's navigation, grouped by the work. Of those that are most used the first five that a role may use stand in a
 * phone's bar.
 */
export const staffNav: readonly NavGroup[] = [
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
      {
        to: '/staff/artworks',
        label: 'artworks',
        icon: IconPhoto,
        access: 'staff.accounts',
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
      { to: '/staff/capacity', label: 'capacity', icon: IconCalendarTime, access: 'staff.operate' },
      { to: '/staff/holidays', label: 'holidays', icon: IconCalendarOff, access: 'staff.settings', mostUsed: true },
      { to: '/staff/users', label: 'userSessions', icon: IconUsers, access: 'staff.users' },
      { to: '/staff/settings', label: 'settings', icon: IconSettings, access: 'staff.settings', mostUsed: true },
      { to: '/staff/failed-work', label: 'failedWork', icon: IconAlertTriangle, access: 'staff.logs' },
    ],
  },
]

/** Whose navigation it is: the permissions of the profile, empty until it has come. */
export type NavUser = { permissions: readonly string[]; company?: boolean }

/** What of the navigation this user sees: allowed, and with a page. Groups without items fall away. */
export function visibleNav(
  groups: readonly NavGroup[],
  { permissions, company = false }: NavUser,
  exists: (path: string) => boolean,
): readonly NavGroup[] {
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(
        ({ to, access, companyOnly }) => permissions.includes(access) && exists(to) && (company || !companyOnly),
      ),
    }))
    .filter(({ items }) => items.length > 0)
}

/** The item whose page this path is: the longest that it begins with, for `/parcels/new` is not `/parcels`. */
export function findNavItem(groups: readonly NavGroup[], path: string): NavItem | undefined {
  return groups
    .flatMap(({ items }) => items)
    .filter(({ to }) => path === to || path.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length)[0]
}
