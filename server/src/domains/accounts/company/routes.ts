/** Routes of a company's users. */
import * as endpoints from '@waybill/contract/accounts/company'
import { accountStatusLabels, memberPermissionLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { inviteAgain } from './invitations.ts'
import {
  addMember,
  changeApprovalRule,
  changeMember,
  changeMemberStatus,
  endMembership,
  listCompanyMembers,
  listMemberActions,
  readApprovalRule,
  readMember,
} from './service.ts'

/** Routes for the owner, and for users whom the owner lets manage users. */
export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listMembers, async ({ caller, query }) =>
    listCompanyMembers(deps, customer(caller), query),
  )
  route(app, deps, endpoints.exportMembers, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<endpoints.Member>(deps, call, {
      file: 'users',
      title: 'usersPage.title',
      columns: [
        { header: t('fields.personName'), kind: 'text', width: 24, value: ({ name }) => name },
        { header: t('fields.email'), kind: 'text', width: 30, value: ({ email }) => email },
        { header: t('fields.phone'), kind: 'text', width: 18, value: ({ phone }) => phone },
        { header: t('fields.jobTitle'), kind: 'text', value: ({ jobTitle }) => jobTitle },
        { header: t('fields.costCentre'), kind: 'text', value: ({ costCentre }) => costCentre },
        {
          header: t('fields.permissions'),
          kind: 'text',
          width: 40,
          value: ({ isOwner, permissions }) =>
            isOwner
              ? t('usersPage.everything')
              : permissions.map((each) => enumLabel(memberPermissionLabels, each, locale)).join(' · '),
        },
        {
          header: t('phrase.detail', { text: t('fields.monthlyLimitMinor'), detail: deps.settings.get('currency') }),
          kind: 'money',
          value: ({ monthlyLimitMinor }) => monthlyLimitMinor,
        },
        {
          header: t('fields.status'),
          kind: 'text',
          width: 12,
          value: ({ status, invited, isOwner }) =>
            status === 'active' && invited && !isOwner
              ? t('usersPage.invited')
              : enumLabel(accountStatusLabels, status, locale),
        },
        {
          header: t('usersPage.lastLogin'),
          kind: 'time',
          value: ({ lastLoginAt }) => lastLoginAt && new Date(lastLoginAt),
        },
      ],
      read: (window) => listCompanyMembers(deps, customer(caller), { ...query, ...window, sort: '+name' }),
    })
  })
  route(app, deps, endpoints.createMember, async ({ caller, body, request }) =>
    addMember(deps, customer(caller), body, request.ip),
  )
  route(app, deps, endpoints.getMember, async ({ caller, params }) => readMember(deps, customer(caller), params.id))
  route(app, deps, endpoints.updateMember, async ({ caller, params, body, request }) =>
    changeMember(deps, customer(caller), params.id, body, request.ip),
  )
  route(app, deps, endpoints.removeMember, async ({ caller, params, request }) => {
    await endMembership(deps, customer(caller), params.id, request.ip)
    return { ok: true } as const
  })
  route(app, deps, endpoints.setMemberStatus, async ({ caller, params, request }) =>
    changeMemberStatus(deps, customer(caller), params.id, params.status, request.ip),
  )
  route(app, deps, endpoints.resendCredential, async ({ caller, params }) =>
    inviteAgain(deps, customer(caller), params.id),
  )
  route(app, deps, endpoints.memberActivity, async ({ caller, params, query }) =>
    listMemberActions(deps, customer(caller), params.id, query),
  )
  route(app, deps, endpoints.getApprovalRule, async ({ caller }) => readApprovalRule(deps, customer(caller)))
  route(app, deps, endpoints.setApprovalRule, async ({ caller, body, request }) =>
    changeApprovalRule(deps, customer(caller), body, request.ip),
  )
}
