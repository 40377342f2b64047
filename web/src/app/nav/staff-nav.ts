/** The navigation of staff. A separate file, so that customers do not load it and its icons. */
import {
  IconAlertTriangle,
  IconBarcode,
  IconBuildingStore,
  IconCalculator,
  IconCalendarOff,
  IconCalendarTime,
  IconCashBanknote,
  IconCashRegister,
  IconHistory,
  IconListCheck,
  IconLuggage,
  IconMapPins,
  IconMessages,
  IconPackages,
  IconPhoto,
  IconPlaneDeparture,
  IconReceiptTax,
  IconReportAnalytics,
  IconScale,
  IconScaleOutline,
  IconSettings,
  IconSpeakerphone,
  IconStack2,
  IconTicket,
  IconTruckDelivery,
  IconTruckLoading,
  IconTruckReturn,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react'
import type { NavGroup } from './nav.ts'

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
      { to: '/staff/stock', label: 'stock', icon: IconPackages, access: 'staff.operate' },
      { to: '/staff/reweigh', label: 'reweigh', icon: IconScale, access: 'staff.operate' },
      { to: '/staff/bags', label: 'bags', icon: IconLuggage, access: 'staff.operate' },
      { to: '/staff/trips', label: 'trips', icon: IconTruckLoading, access: 'staff.operate' },
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
      {
        to: '/staff/rates',
        pages: ['/staff/sheets/rate-lines'],
        label: 'rates',
        icon: IconReceiptTax,
        access: 'staff.rates',
        mostUsed: true,
      },
      {
        to: '/staff/zones',
        pages: ['/staff/sheets/zones'],
        label: 'zones',
        icon: IconMapPins,
        access: 'staff.rates',
        mostUsed: true,
      },
    ],
  },
  {
    label: 'settings',
    items: [
      {
        to: '/staff/stations',
        pages: ['/staff/sheets/stations', '/staff/sheets/coverage'],
        label: 'stations',
        icon: IconBuildingStore,
        access: 'staff.stations',
      },
      { to: '/staff/capacity', label: 'capacity', icon: IconCalendarTime, access: 'staff.operate' },
      { to: '/staff/holidays', label: 'holidays', icon: IconCalendarOff, access: 'staff.settings', mostUsed: true },
      { to: '/staff/team', label: 'team', icon: IconUsers, access: 'staff.users', mostUsed: 'where there is room' },
      { to: '/staff/settings', label: 'settings', icon: IconSettings, access: 'staff.settings', mostUsed: true },
      { to: '/staff/logs', label: 'logs', icon: IconHistory, access: 'logs' },
      { to: '/staff/failed-work', label: 'failedWork', icon: IconAlertTriangle, access: 'staff.logs' },
    ],
  },
]
