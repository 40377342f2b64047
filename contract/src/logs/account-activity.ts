/** The activity of one account, for staff. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { idParams } from '../ground/fields.ts'
import { keysetPage, keysetQuery } from '../ground/paging.ts'
import { logEntry } from './logs.ts'

const accountAction = z.pick(logEntry, { id: true, action: true, level: true, by: true, at: true, about: true })
export type AccountAction = z.output<typeof accountAction>

export const staffAccountActivity = endpoint({
  id: 'accounts.activity',
  method: 'GET',
  path: '/api/staff/accounts/:id/activity',
  access: 'staff.accounts',
  summary: 'The actions of users and staff in an account, newest first, with the records that they are about',
  params: idParams,
  query: keysetQuery(),
  response: keysetPage(accountAction),
})
