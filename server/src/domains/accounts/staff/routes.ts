/** Routes of staff's accounts. */
import * as factors from '@waybill/contract/accounts/second-factor'
import * as users from '@waybill/contract/accounts/staff'
import * as team from '@waybill/contract/accounts/team'
import { accountStatusLabels, adminUserTypeLabels, staffRoleLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { requestDevice } from '../devices/request-device.ts'
import { finishFactorChange, getOwnSecondFactor, startFactorChange } from '../second-factor/change.ts'
import { confirmFirstFactor, setUpFirstFactor, signInByFactor } from '../second-factor/sign-in.ts'
import { endSessionsOfUser, listCustomerUsers, resetFactorOfUser } from './manage-users.ts'
import { changeColleague, changeColleagueStatus, readColleague, readColleagueActivity, readTeam } from './team.ts'
import { addColleague, sendLinkToColleague, withdrawColleague } from './team-invitations.ts'

/** Routes for the second factor of a sign-in, after the password. */
export function publicFactorRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, factors.signInWithFactor, ({ body, request }) => signInByFactor(deps, body, requestDevice(request)))
  route(app, deps, factors.setUpFactor, ({ body }) => setUpFirstFactor(deps, body))
  route(app, deps, factors.confirmFactor, ({ body, request }) => confirmFirstFactor(deps, body, requestDevice(request)))
}

/** Routes for the caller's own second factor, and an administrator's actions on others. */
export function staffAccountRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, factors.getOwnFactor, async ({ caller }) => getOwnSecondFactor(deps, staff(caller)))
  route(app, deps, factors.changeFactor, async ({ caller, body, request }) =>
    startFactorChange(deps, staff(caller), body, requestDevice(request)),
  )
  route(app, deps, factors.confirmFactorChange, async ({ caller, body, request }) =>
    finishFactorChange(deps, staff(caller), body, requestDevice(request)),
  )
  route(app, deps, users.listUsers, async ({ query }) => listCustomerUsers(deps, query))
  route(app, deps, users.exportUsers, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<users.PortalUser>(deps, call, {
      file: 'users',
      title: 'teamPage.customers',
      columns: [
        { header: t('fields.personName'), kind: 'text', width: 24, value: ({ name }) => name },
        { header: t('fields.email'), kind: 'text', width: 30, value: ({ email }) => email },
        { header: t('usersAdmin.role'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 12,
          value: ({ status }) => enumLabel(accountStatusLabels, status, locale),
        },
        {
          header: t('usersPage.lastLogin'),
          kind: 'time',
          value: ({ lastLoginAt }) => lastLoginAt && new Date(lastLoginAt),
        },
        { header: t('usersAdmin.devices'), kind: 'number', value: ({ sessions }) => sessions },
      ],
      read: (window) => listCustomerUsers(deps, { ...query, ...window, sort: '+name' }),
    })
  })
  route(app, deps, users.endUserSessions, async ({ caller, params, request }) =>
    endSessionsOfUser(deps, staff(caller), params.id, request.ip),
  )
  route(app, deps, factors.resetFactor, async ({ caller, params, request }) => {
    await resetFactorOfUser(deps, staff(caller), params.id, request.ip)
    return { ok: true } as const
  })
}

/** Routes for the deployment's staff, for those who manage users. */
export function teamRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, team.listTeam, async ({ caller, query }) => readTeam(deps, staff(caller), query))
  route(app, deps, team.inviteColleague, async ({ caller, body, request }) =>
    addColleague(deps, staff(caller), body, request.ip),
  )
  route(app, deps, team.exportTeam, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<team.Colleague>(deps, call, {
      file: 'team',
      title: 'teamPage.title',
      columns: [
        { header: t('fields.personName'), kind: 'text', width: 24, value: ({ name }) => name },
        { header: t('fields.email'), kind: 'text', width: 30, value: ({ email }) => email },
        { header: t('fields.phone'), kind: 'text', width: 18, value: ({ phone }) => phone },
        {
          header: t('teamPage.role'),
          kind: 'text',
          value: ({ type, role }) =>
            role ? enumLabel(staffRoleLabels, role, locale) : enumLabel(adminUserTypeLabels, type, locale),
        },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 12,
          value: ({ status, invited }) =>
            status === 'active' && invited ? t('teamPage.invited') : enumLabel(accountStatusLabels, status, locale),
        },
        {
          header: t('usersPage.lastLogin'),
          kind: 'time',
          value: ({ lastLoginAt }) => lastLoginAt && new Date(lastLoginAt),
        },
      ],
      read: (window) => readTeam(deps, staff(caller), { ...query, ...window, before: undefined }),
    })
  })
  route(app, deps, team.getColleague, async ({ caller, params }) => readColleague(deps, staff(caller), params.id))
  route(app, deps, team.updateColleague, async ({ caller, params, body, request }) =>
    changeColleague(deps, staff(caller), params.id, body, request.ip),
  )
  route(app, deps, team.setColleagueStatus, async ({ caller, params, body, request }) =>
    changeColleagueStatus(deps, staff(caller), params.id, body, request.ip),
  )
  route(app, deps, team.withdrawInvitation, async ({ caller, params, request }) => {
    await withdrawColleague(deps, staff(caller), params.id, request.ip)
    return { ok: true } as const
  })
  route(app, deps, team.sendColleagueLink, async ({ caller, params, request }) =>
    sendLinkToColleague(deps, staff(caller), params.id, request.ip),
  )
  route(app, deps, team.colleagueActivity, async ({ params, query }) => readColleagueActivity(deps, params.id, query))
}
