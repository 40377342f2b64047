/** Routes of customers' messages. */
import * as endpoints from '@waybill/contract/chat/chat'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { announceTyping, appendMessage, listOwnThreadPage, readMessagePage, readUpTo } from './service.ts'

/** The customer's side of the threads. */
export function chatRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listThreads, ({ query, caller }) => listOwnThreadPage(deps, customer(caller), query))
  route(app, deps, endpoints.exportThreads, async (call) => {
    const { caller, query, t } = call
    return sendListSheet<endpoints.ChatThread>(deps, call, {
      file: 'messages',
      title: 'chat.title',
      columns: [
        { header: t('chat.about'), kind: 'text', width: 12, value: ({ subject }) => t(`inbox.kind.${subject}`) },
        { header: t('fields.number'), kind: 'text', width: 20, value: ({ number }) => number },
        {
          header: t('chat.last'),
          kind: 'text',
          width: 60,
          value: ({ lastMessage: last }) =>
            last?.from === 'customer' ? t('chat.you', { text: last.text }) : last?.text,
        },
        { header: t('chat.at'), kind: 'time', value: ({ lastMessage }) => lastMessage && new Date(lastMessage.at) },
        { header: t('chat.unreadHeader'), kind: 'number', value: ({ unread }) => unread },
      ],
      read: (window) => listOwnThreadPage(deps, customer(caller), { ...query, ...window, before: undefined }),
    })
  })
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
