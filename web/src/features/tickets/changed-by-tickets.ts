import { listArtworks, staffArtworks } from '@waybill/contract/parcels/labels'
import { getStaffTicket, listStaffTickets } from '@waybill/contract/tickets/staff-tickets'
import { claimOptions, getTicket, listTickets } from '@waybill/contract/tickets/tickets'

/** The queries that any change of a ticket invalidates. */
export const changedByTickets = [
  listTickets,
  getTicket,
  claimOptions,
  listStaffTickets,
  getStaffTicket,
  listArtworks,
  staffArtworks,
] as const
