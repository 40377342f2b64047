/** All lists with a spreadsheet export, for the test that checks each of them. */
import { exportMembers, listMembers } from '@waybill/contract/accounts/company'
import { exportAccounts, listAccounts } from '@waybill/contract/accounts/directory'
import { exportUsers, listUsers } from '@waybill/contract/accounts/staff'
import { exportTeam, listTeam } from '@waybill/contract/accounts/team'
import { exportAddressRequests, listAddressRequests } from '@waybill/contract/addresses/requests'
import { exportCarrierBookings, listCarrierBookings } from '@waybill/contract/carriers/carriers'
import { exportThreads, listThreads } from '@waybill/contract/chat/chat'
import { exportInbox, listInbox } from '@waybill/contract/chat/inbox'
import { exportBanners, listStaffBanners } from '@waybill/contract/content/banners'
import { exportFailedWork, listFailedWork } from '@waybill/contract/failed-work/failed-work'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { exportWebhookDeliveries, listWebhookDeliveries } from '@waybill/contract/integrations/webhooks'
import { exportNotifications } from '@waybill/contract/notifications/notification-sheet'
import { listNotifications } from '@waybill/contract/notifications/notifications'
import { exportApprovals, listApprovals } from '@waybill/contract/orders/approvals'
import {
  exportBilledAccounts,
  exportStatements,
  listBilledAccounts,
  listStatements,
} from '@waybill/contract/orders/monthly-billing'
import { exportOrders, listOrders } from '@waybill/contract/orders/orders'
import { exportRefunds, listRefunds } from '@waybill/contract/orders/refunds'
import { exportGunnies, listGunnies } from '@waybill/contract/parcels/gunny'
import { exportArtworks, staffArtworks } from '@waybill/contract/parcels/labels'
import { exportParcels, listParcels } from '@waybill/contract/parcels/list'
import { exportOutstanding, listOutstanding } from '@waybill/contract/parcels/outstanding'
import {
  exportDeliveryTasks,
  exportFailedDeliveries,
  listDeliveryTasks,
  listFailedDeliveries,
} from '@waybill/contract/parcels/rider-tasks'
import { exportStock, listStock } from '@waybill/contract/parcels/stock'
import { exportMissingLoads, exportTrips, listMissingLoads, listTrips } from '@waybill/contract/parcels/transport/trips'
import { exportDisputes, listDisputes } from '@waybill/contract/parcels/weighing'
import { listCashMovements, listOwnShifts, listShifts } from '@waybill/contract/payments/cash-desk'
import { listHandIns } from '@waybill/contract/payments/cash-hand-ins'
import {
  exportCashMovements,
  exportHandIns,
  exportOwnShifts,
  exportShifts,
} from '@waybill/contract/payments/cash-sheets'
import { exportCod, exportCodPayouts, listCod, listCodPayouts } from '@waybill/contract/payments/cod'
import {
  exportAllCodPayouts,
  exportCodOwed,
  listAllCodPayouts,
  listCodOwed,
} from '@waybill/contract/payments/cod-payouts'
import { exportGatewayTroubles, listGatewayTroubles } from '@waybill/contract/payments/gateway'
import { exportPickupRequests, listPickupRequests } from '@waybill/contract/pickups/pickups'
import { exportPickupTasks, listPickupTasks } from '@waybill/contract/pickups/rider-tasks'
import {
  exportAccountConditions,
  exportRateCards,
  listAccountConditions,
  listRateCards,
} from '@waybill/contract/pricing/rate-cards'
import { exportHolidays, listHolidays } from '@waybill/contract/stations/holidays'
import { exportManagedStations, listManagedStations } from '@waybill/contract/stations/manage'
import { exportZones, listZones } from '@waybill/contract/stations/zones'
import { exportStaffTickets, listStaffTickets } from '@waybill/contract/tickets/staff-tickets'
import { exportTickets, listTickets } from '@waybill/contract/tickets/tickets'
import { exportEntries, exportTrialBalances, listTrialBalances, searchEntries } from '@waybill/contract/wallet/ledger'
import { exportWalletHistory, walletHistory } from '@waybill/contract/wallet/wallet'

export type Query = Record<string, string>
export type Case = {
  sheet: EndpointShape
  list: EndpointShape
  /** Headers, in English and Chinese. */
  headers: [string, string]
  /** A filter that some rows match, and one that no row matches. */
  some: Query
  none?: Query
  /** A row contains the formula, which a spreadsheet program would evaluate. */
  hasFormula?: true
  /** A list for staff only. `station`: limited to the station of the caller. */
  staff?: true | 'station'
  /** The number of spreadsheet rows for a response of the list, if it differs from one per item. */
  countRows?: (list: { items: Items; total: number }) => number
}

type Items = { lines?: unknown[]; postings?: unknown[]; areas?: unknown[] }[]

export const formula = '=1+1'

export const cases: Case[] = [
  { sheet: exportParcels, list: listParcels, headers: ['Reference', '参考号'], some: {} },
  { sheet: exportOrders, list: listOrders, headers: ['Status', '状态'], some: {} },
  {
    sheet: exportWalletHistory,
    list: walletHistory,
    headers: ['Reference', '编号'],
    some: { kind: 'topup' },
    none: { kind: 'claim' },
  },
  { sheet: exportPickupRequests, list: listPickupRequests, headers: ['City', '城市'], some: { tab: 'all' } },
  {
    ...{ sheet: exportGunnies, list: listGunnies, headers: ['Packed', '打包时间'], hasFormula: true },
    ...{ some: { status: 'open' }, none: { status: 'closed' } },
  },
  {
    ...{ sheet: exportTickets, list: listTickets, headers: ['Deadline', '期限'], hasFormula: true },
    ...{ some: { tab: 'open', kind: 'enquiry' }, none: { tab: 'closed' } },
  },
  { sheet: exportStatements, list: listStatements, headers: ['Due date', '到期日'], some: {}, hasFormula: true },
  {
    ...{ sheet: exportCod, list: listCod, headers: ['Payout', '结算单'] },
    ...{ some: { state: 'owed' }, none: { state: 'paid_out' } },
  },
  {
    sheet: exportOutstanding,
    list: listOutstanding,
    headers: ['Due since', '待付起始时间'],
    some: {},
    hasFormula: true,
  },
  {
    ...{ sheet: exportMembers, list: listMembers, headers: ['Cost centre', '成本中心'], hasFormula: true },
    ...{ some: { search: 'Accountant' }, none: { tab: 'blacklisted' } },
  },
  {
    ...{ sheet: exportApprovals, list: listApprovals, headers: ['Requested by', '申请人'], hasFormula: true },
    ...{ some: { tab: 'pending' }, none: { tab: 'decided' } },
  },
  {
    ...{
      sheet: exportAccounts,
      list: listAccounts,
      headers: ['Customer since', '注册时间'],
      hasFormula: true,
      staff: true,
    },
    ...{ some: { tab: 'corporate' }, none: { tab: 'blacklisted' } },
  },
  {
    ...{ sheet: exportTeam, list: listTeam, headers: ['Role', '角色'], hasFormula: true, staff: true },
    ...{ some: { role: 'normal_staff' }, none: { tab: 'blacklisted' } },
  },
  {
    ...{
      sheet: exportStaffTickets,
      list: listStaffTickets,
      headers: ['Account', '账户'],
      hasFormula: true,
      staff: true,
    },
    ...{ some: { tab: 'open' }, none: { kind: 'claim' } },
  },
  {
    ...{
      sheet: exportOwnShifts,
      list: listOwnShifts,
      headers: ['Float (MYR)', '备用金（MYR）'],
      staff: 'station',
      hasFormula: true,
    },
    ...{ some: {}, none: { to: '2020-01-01' } },
  },
  {
    ...{
      sheet: exportShifts,
      list: listShifts,
      headers: ['Difference (MYR)', '差额（MYR）'],
      staff: true,
      hasFormula: true,
    },
    ...{ some: {}, none: { difference: 'any' } },
  },
  {
    ...{ sheet: exportHandIns, list: listHandIns, headers: ['Rider', '派送员'], staff: true, hasFormula: true },
    ...{ some: {}, none: { difference: 'any' } },
  },
  {
    ...{ sheet: exportGatewayTroubles, list: listGatewayTroubles, headers: ['Expected', '应为'], staff: true },
    ...{ some: {}, none: { tab: 'handled' } },
  },
  {
    ...{
      sheet: exportBilledAccounts,
      list: listBilledAccounts,
      headers: ['Owes (MYR)', '欠款（MYR）'],
      staff: true,
      hasFormula: true,
    },
    ...{ some: {}, none: { search: 'nobody has this name' } },
  },
  {
    ...{ sheet: exportTrialBalances, list: listTrialBalances, headers: ['Debit', '借方'], staff: true, some: {} },
    countRows: ({ items }) => items.flatMap(({ lines }) => lines ?? []).length,
  },
  {
    ...{ sheet: exportEntries, list: searchEntries, headers: ['Book', '科目'], staff: true, hasFormula: true },
    ...{ some: { kind: 'topup' }, none: { kind: 'claim' } },
    countRows: ({ items }) => items.flatMap(({ postings }) => postings ?? []).length,
  },
  {
    ...{
      sheet: exportCodOwed,
      list: listCodOwed,
      headers: ['Owed (MYR)', '应付（MYR）'],
      staff: true,
      some: {},
      hasFormula: true,
    },
  },
  { sheet: exportCodPayouts, list: listCodPayouts, headers: ['Payout fee (MYR)', '结算手续费（MYR）'], some: {} },
  {
    ...{ sheet: exportAllCodPayouts, list: listAllCodPayouts, headers: ['Sender', '寄件人'], staff: true },
    ...{ some: {}, none: { to: '2020-01-01' }, hasFormula: true },
  },
  {
    ...{ sheet: exportRefunds, list: listRefunds, headers: ['Credit note', '红字发票'], staff: true },
    ...{ some: {}, none: { status: 'failed' } },
  },
  {
    ...{ sheet: exportFailedDeliveries, list: listFailedDeliveries, headers: ['Attempt', '第几次派送'] },
    ...{ staff: 'station', some: { tab: 'waiting' }, none: { tab: 'later' } },
  },
  {
    ...{ sheet: exportStock, list: listStock, headers: ['Next step', '下一步'] },
    ...{ staff: 'station', some: { tab: 'onward' }, none: { search: 'nothing has this name' } },
  },
  {
    ...{ sheet: exportManagedStations, list: listManagedStations, headers: ['Coverage', '服务范围'], staff: true },
    ...{ some: { tab: 'open' }, none: { tab: 'closed' }, hasFormula: true },
  },
  {
    ...{ sheet: exportZones, list: listZones, headers: ['From postcode', '起始邮编'], some: { scope: 'domestic' } },
    ...{ none: { search: 'nothing has this name' }, hasFormula: true },
    countRows: ({ items }) => items.flatMap(({ areas }) => areas ?? []).length,
  },
  {
    ...{ sheet: exportRateCards, list: listRateCards, headers: ['Version', '版本'], staff: true, hasFormula: true },
    ...{ some: { state: 'current' }, none: { search: 'nothing has this name' } },
  },
  {
    ...{ sheet: exportAccountConditions, list: listAccountConditions, headers: ['Rate card', '费率表'], staff: true },
    ...{ some: {}, none: { search: 'nobody has this name' }, hasFormula: true },
  },
  {
    ...{ sheet: exportCarrierBookings, list: listCarrierBookings, headers: ['Next attempt', '下次尝试'], staff: true },
    ...{ some: { tab: 'all' }, none: { tab: 'cancelled' }, hasFormula: true },
  },
  {
    ...{ sheet: exportUsers, list: listUsers, headers: ['Devices', '设备'], staff: true, hasFormula: true },
    ...{ some: {}, none: { search: 'nobody has this name' } },
  },
  {
    ...{ sheet: exportWebhookDeliveries, list: listWebhookDeliveries, headers: ['Attempts', '尝试次数'] },
    ...{ some: { status: 'pending' }, none: { status: 'failed' } },
  },
  {
    ...{ sheet: exportCashMovements, list: listCashMovements, headers: ['Receipt', '收据号'], hasFormula: true },
    ...{ staff: 'station', some: {} },
  },
  {
    ...{ sheet: exportInbox, list: listInbox, headers: ['Waiting since', '等待开始时间'], staff: true },
    ...{ some: { tab: 'waiting', subject: 'ticket' }, none: { subject: 'order' }, hasFormula: true },
  },
  {
    ...{ sheet: exportBanners, list: listStaffBanners, headers: ['Title in Chinese', '中文标题'], staff: true },
    ...{ some: { tab: 'on' }, none: { search: 'nothing has this name' }, hasFormula: true },
  },
  {
    ...{ sheet: exportFailedWork, list: listFailedWork, headers: ['What went wrong', '失败原因'], staff: true },
    ...{ some: {}, hasFormula: true },
  },
  {
    ...{ sheet: exportDisputes, list: listDisputes, headers: ['Measured (g)', '实测重量（克）'], staff: true },
    ...{ some: { state: 'contested' }, none: { state: 'decided' }, hasFormula: true },
  },
  {
    ...{ sheet: exportHolidays, list: listHolidays, headers: ['Holiday', '假期'], staff: true, hasFormula: true },
    ...{ some: { year: '2026' }, none: { year: '2050' } },
    countRows: ({ items }) => items.length,
  },
  {
    ...{ sheet: exportThreads, list: listThreads, headers: ['Last message', '最新消息'] },
    ...{ some: { tab: 'all' }, none: { tab: 'unread' } },
  },
  {
    ...{ sheet: exportNotifications, list: listNotifications, headers: ['Read', '阅读时间'], hasFormula: true },
    ...{ some: { topic: 'approvals' }, none: { topic: 'bulk' } },
  },
  {
    ...{ sheet: exportAddressRequests, list: listAddressRequests, headers: ['Filled in on', '填写时间'] },
    ...{ some: {}, hasFormula: true },
  },
  {
    ...{ sheet: exportArtworks, list: staffArtworks, headers: ['Company', '企业'], staff: true, hasFormula: true },
    ...{ some: { status: 'draft.ready' }, none: { status: 'artwork.approved' } },
  },
  {
    ...{ sheet: exportTrips, list: listTrips, headers: ['Missing', '缺少'], staff: true },
    ...{ some: { status: 'loading' }, none: { status: 'cancelled' }, hasFormula: true },
  },
  {
    ...{ sheet: exportMissingLoads, list: listMissingLoads, headers: ['Missing since', '缺少起始时间'], staff: true },
    ...{ some: {}, none: { search: 'TR999999999' }, hasFormula: true },
  },
  {
    ...{ sheet: exportPickupTasks, list: listPickupTasks, headers: ['Rider', '派送员'], staff: true },
    ...{ some: {}, none: { date: '2020-01-01' }, hasFormula: true },
  },
  {
    ...{ sheet: exportDeliveryTasks, list: listDeliveryTasks, headers: ['Amount received', '实收金额'] },
    ...{
      staff: 'station',
      some: { rider: 'all', state: 'done' },
      none: { rider: 'all', state: 'done', date: '2020-01-01' },
    },
    hasFormula: true,
  },
]
