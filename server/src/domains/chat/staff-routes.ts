/** Routes of the staff inbox. */
import * as endpoints from '@waybill/contract/chat/inbox'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { assign, readAssignees, readInbox, readInboxMessages } from './inbox.ts'
import { changeAnswer, readAnswers, removeAnswer, saveAnswer } from './saved-answers.ts'
import { announceTyping, appendMessage, readUpTo } from './service.ts'

/** Routes for staff who serve customers. */
export function staffChatRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listInbox, ({ query, caller }) => readInbox(deps, staff(caller), query))
  route(app, deps, endpoints.exportInbox, async (call) => {
    const { caller, query, t } = call
    return sendListSheet<endpoints.InboxThread>(deps, call, {
      file: 'inbox',
      title: 'inbox.title',
      columns: [
        { header: t('chat.about'), kind: 'text', width: 12, value: ({ subject }) => t(`inbox.kind.${subject}`) },
        { header: t('fields.number'), kind: 'text', width: 20, value: ({ number }) => number },
        { header: t('inbox.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        { header: t('chat.last'), kind: 'text', width: 60, value: ({ lastMessage }) => lastMessage?.text },
        { header: t('chat.at'), kind: 'time', value: ({ lastMessage }) => lastMessage && new Date(lastMessage.at) },
        { header: t('inbox.waiting'), kind: 'time', value: (row) => row.waitingSince && new Date(row.waitingSince) },
        { header: t('inbox.assignee'), kind: 'text', width: 24, value: ({ assignee }) => assignee?.name },
        { header: t('chat.unreadHeader'), kind: 'number', value: ({ unread }) => unread },
      ],
      read: (window) => readInbox(deps, staff(caller), { ...query, ...window, before: undefined }),
    })
  })
  route(app, deps, endpoints.listInboxMessages, ({ params, query, caller }) =>
    readInboxMessages(deps, staff(caller), params.id, query),
  )
  route(app, deps, endpoints.sendAnswer, ({ params, body, caller, idempotency }) =>
    appendMessage(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, endpoints.markInboxRead, ({ params, body, caller }) =>
    readUpTo(deps, staff(caller), params.id, body.position),
  )
  route(app, deps, endpoints.sendStaffTyping, ({ params, caller }) => announceTyping(deps, staff(caller), params.id))
  route(app, deps, endpoints.assignThread, ({ params, body, caller }) => assign(deps, staff(caller), params.id, body))
  route(app, deps, endpoints.listAssignees, () => readAssignees(deps))
  route(app, deps, endpoints.listAnswers, () => readAnswers(deps))
  route(app, deps, endpoints.createAnswer, ({ body, caller }) => saveAnswer(deps, staff(caller), body))
  route(app, deps, endpoints.updateAnswer, ({ params, body, caller }) =>
    changeAnswer(deps, staff(caller), params.id, body),
  )
  route(app, deps, endpoints.deleteAnswer, ({ params, caller }) => removeAnswer(deps, staff(caller), params.id))
}
