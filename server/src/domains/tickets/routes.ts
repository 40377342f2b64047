/** Routes of tickets, claims and artwork. */
import { ticketStatusLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import * as artworks from '@waybill/contract/parcels/labels'
import { claimStateLabels } from '@waybill/contract/tickets/claims'
import * as staffTickets from '@waybill/contract/tickets/staff-tickets'
import * as tickets from '@waybill/contract/tickets/tickets'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer, staff } from '../../http/caller.ts'
import { type Call, route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import type { ListSheet } from '../../lib/sheet/list-sheet.ts'
import { beginArtworkTicket, decideArtworkTicket, submitArtworkTicket } from './artwork-tickets.ts'
import { documentTicket, makeClaim, readClaimOptions, withdrawOwnClaim } from './claims.ts'
import { listOwnTickets, openTicket, readTicket, switchTicket } from './service.ts'
import { decideOnClaim, listAllTickets, readAnyTicket, switchAnyTicket } from './staff-inbox.ts'

/** The columns of both spreadsheets of tickets. */
function ticketColumns({ locale, t }: Pick<Call<typeof tickets.exportTickets>, 'locale' | 't'>) {
  return [
    { header: t('tickets.search'), kind: 'text', width: 16, value: ({ number }) => number },
    { header: t('tickets.subject'), kind: 'text', width: 36, value: ({ title }) => title },
    {
      header: t('tickets.kind'),
      kind: 'text',
      width: 22,
      value: ({ kind }) => enumLabel(tickets.ticketKindLabels, kind, locale),
    },
    { header: t('fields.reference'), kind: 'text', width: 20, value: ({ about }) => about?.number },
    {
      header: t('fields.status'),
      kind: 'text',
      width: 18,
      value: ({ status, claimState }) =>
        claimState ? enumLabel(claimStateLabels, claimState, locale) : enumLabel(ticketStatusLabels, status, locale),
    },
    { header: t('tickets.deadline'), kind: 'time', value: ({ deadline }) => deadline && new Date(deadline.at) },
    { header: t('tickets.createdAt'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
    { header: t('fields.updatedAt'), kind: 'time', value: ({ updatedAt }) => new Date(updatedAt) },
  ] satisfies ListSheet<tickets.ListedTicket>['columns']
}

/** Routes of the customer's tickets and claims, and of a company's artwork. */
export function ticketRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, tickets.listTickets, ({ query, caller }) => listOwnTickets(deps, customer(caller), query))
  route(app, deps, tickets.exportTickets, async (call) =>
    sendListSheet<tickets.ListedTicket>(deps, call, {
      file: 'tickets',
      title: 'tickets.title',
      columns: ticketColumns(call),
      read: (window) => listOwnTickets(deps, customer(call.caller), { ...call.query, ...window, before: undefined }),
    }),
  )
  route(app, deps, tickets.getTicket, ({ params, caller }) => readTicket(deps, customer(caller), params.id))
  route(app, deps, tickets.createTicket, ({ body, caller, idempotency }) =>
    openTicket(deps, customer(caller), body, idempotency),
  )
  route(app, deps, tickets.addDocuments, ({ params, body, caller }) =>
    documentTicket(deps, customer(caller), params.id, body),
  )
  route(app, deps, tickets.closeTicket, ({ params, body, caller }) =>
    switchTicket(deps, customer(caller), params.id, { ...body, action: 'close' }),
  )
  route(app, deps, tickets.reopenTicket, ({ params, body, caller }) =>
    switchTicket(deps, customer(caller), params.id, { ...body, action: 'reopen' }),
  )
  route(app, deps, tickets.createClaim, ({ body, caller, idempotency }) =>
    makeClaim(deps, customer(caller), body, idempotency),
  )
  route(app, deps, tickets.withdrawClaim, ({ params, body, caller }) =>
    withdrawOwnClaim(deps, customer(caller), params.id, body.version),
  )
  route(app, deps, tickets.claimOptions, ({ params, caller }) => readClaimOptions(deps, customer(caller), params.id))
  route(app, deps, artworks.createArtwork, ({ body, caller }) =>
    beginArtworkTicket(deps, customer(caller), body.attachmentId),
  )
  route(app, deps, artworks.submitArtwork, ({ params, body, caller }) =>
    submitArtworkTicket(deps, customer(caller), params.id, body.version),
  )
}

/** Staff routes of tickets, and of decisions on claims and artwork. */
export function staffTicketRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, staffTickets.listStaffTickets, ({ query }) => listAllTickets(deps, query))
  route(app, deps, staffTickets.exportStaffTickets, async (call) =>
    sendListSheet<staffTickets.StaffListedTicket>(deps, call, {
      file: 'tickets',
      title: 'tickets.title',
      columns: [
        { header: call.t('inbox.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        ...ticketColumns(call),
      ],
      read: (window) => listAllTickets(deps, { ...call.query, ...window, before: undefined }),
    }),
  )
  route(app, deps, staffTickets.getStaffTicket, ({ params, caller }) => readAnyTicket(deps, staff(caller), params.id))
  route(app, deps, staffTickets.closeStaffTicket, ({ params, body, caller }) =>
    switchAnyTicket(deps, staff(caller), params.id, { ...body, action: 'close' }),
  )
  route(app, deps, staffTickets.reopenStaffTicket, ({ params, body, caller }) =>
    switchAnyTicket(deps, staff(caller), params.id, { ...body, action: 'reopen' }),
  )
  route(app, deps, staffTickets.decideClaim, ({ params, body, caller }) =>
    decideOnClaim(deps, staff(caller), params.id, body),
  )
  route(app, deps, artworks.decideArtwork, ({ params, body, caller }) =>
    decideArtworkTicket(deps, staff(caller), params.id, body),
  )
}
