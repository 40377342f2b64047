/** Routes of customers' messages. */
import * as endpoints from '@waybill/contract/chat/chat'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { announceTyping, appendMessage, listOwnThreadPage, readMessagePage, readUpTo } from './service.ts'

/** The customer's side of the threads. */
export function chatRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listThreads, ({ query, caller }) => listOwnThreadPage(deps, customer(caller), query))
  route(app, deps, endpoints.listMessages, async ({ params, query, caller }) => {
    const { page } = await readMessagePage(deps, customer(caller), params.id, query)
    return page
  })
  route(app, deps, endpoints.sendMessage, ({ body: { threadId, ...content }, caller, idempotency }) =>
    appendMessage(deps, customer(caller), threadId, content, idempotency),
  )
  route(app, deps, endpoints.markRead, ({ params, body, caller }) =>
    readUpTo(deps, customer(caller), params.id, body.position),
  )
  route(app, deps, endpoints.sendTyping, ({ params, caller }) => announceTyping(deps, customer(caller), params.id))
}
