/** Routes of accounts for staff, and of the caller's own account activity. */
import * as endpoints from '@waybill/contract/accounts/directory'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { readActivityForStaff } from './account-activity.ts'
import { changeAccountStatus } from './change-status.ts'
import { addNote, deleteNote, readNotes } from './notes.ts'
import { readAccount, searchAccounts } from './service.ts'
import { openView } from './view-account.ts'

/** For staff who look after accounts. */
export function accountDirectoryRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listAccounts, async ({ query }) => searchAccounts(deps, query))
  route(app, deps, endpoints.getAccount, async ({ params }) => readAccount(deps, params.id))
  route(app, deps, endpoints.setAccountStatus, async ({ caller, params, body }) =>
    changeAccountStatus(deps, staff(caller), params.id, body),
  )
  route(app, deps, endpoints.listAccountNotes, async ({ caller, params, query }) =>
    readNotes(deps, staff(caller), params.id, query),
  )
  route(app, deps, endpoints.addAccountNote, async ({ caller, params, body }) =>
    addNote(deps, staff(caller), params.id, body),
  )
  route(app, deps, endpoints.deleteAccountNote, async ({ caller, params }) => {
    await deleteNote(deps, staff(caller), params.id, params.noteId)
    return { ok: true } as const
  })
  route(app, deps, endpoints.staffAccountActivity, async ({ params, query }) =>
    readActivityForStaff(deps, params.id, query),
  )
  route(app, deps, endpoints.viewAccount, async ({ caller, params }) => openView(deps, staff(caller), params.id))
}
