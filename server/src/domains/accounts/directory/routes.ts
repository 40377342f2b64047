/** Routes of accounts for staff, and of the caller's own account activity. */
import * as endpoints from '@waybill/contract/accounts/directory'
import { accountStatusLabels, userTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { changeAccountStatus } from './change-status.ts'
import { addNote, deleteNote, readNotes } from './notes.ts'
import { readAccount, searchAccounts } from './service.ts'
import { openView } from './view-account.ts'

/** Routes for staff who manage accounts. */
export function accountDirectoryRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listAccounts, async ({ query }) => searchAccounts(deps, query))
  route(app, deps, endpoints.exportAccounts, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<endpoints.ListedAccount>(deps, call, {
      file: 'accounts',
      title: 'accountsPage.title',
      columns: [
        { header: t('accountsPage.number'), kind: 'text', width: 12, value: ({ number }) => number },
        { header: t('fields.name'), kind: 'text', width: 30, value: ({ name }) => name },
        {
          header: t('fields.userType'),
          kind: 'text',
          width: 14,
          value: ({ userType }) => enumLabel(userTypeLabels, userType, locale),
        },
        { header: t('fields.email'), kind: 'text', width: 30, value: ({ email }) => email },
        { header: t('fields.phone'), kind: 'text', width: 18, value: ({ phone }) => phone },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 12,
          value: ({ status }) => enumLabel(accountStatusLabels, status, locale),
        },
        { header: t('accountsPage.since'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
      ],
      read: (window) => searchAccounts(deps, { ...query, ...window, before: undefined }),
    })
  })
  route(app, deps, endpoints.getAccount, async ({ params }) => readAccount(deps, params.id))
  route(app, deps, endpoints.setAccountStatus, async ({ caller, params, body }) =>
    changeAccountStatus(deps, staff(caller), params.id, body),
  )
  route(app, deps, endpoints.listAccountNotes, async ({ caller, params, query }) =>
    readNotes(deps, staff(caller), params.id, query),
  )
  route(app, deps, endpoints.addAccountNote, async ({ caller, params, body, idempotency }) =>
    addNote(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, endpoints.deleteAccountNote, async ({ caller, params }) => {
    await deleteNote(deps, staff(caller), params.id, params.noteId)
    return { ok: true } as const
  })
  route(app, deps, endpoints.viewAccount, async ({ caller, params }) => openView(deps, staff(caller), params.id))
}
