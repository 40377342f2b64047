/** Routes of approvals. */
import { memberUsage } from '@waybill/contract/accounts/company'
import { askApproval, declineOrder, listApprovals } from '@waybill/contract/orders/approvals'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { usageOfMembers } from '../monthly-billing/service.ts'
import { readApprovals } from './reads.ts'
import { declineApproval, requestApproval } from './service.ts'

/** Requests for approval, and what was billed in each member's name this month. */
export function approvalRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listApprovals, async ({ caller, query }) => readApprovals(deps, customer(caller), query))
  route(app, deps, askApproval, async ({ caller, body, idempotency }) =>
    requestApproval(deps, customer(caller), body, idempotency),
  )
  route(app, deps, declineOrder, async ({ caller, params, body }) =>
    declineApproval(deps, customer(caller), params.id, body),
  )
  route(app, deps, memberUsage, async ({ caller }) => usageOfMembers(deps, customer(caller)))
}
