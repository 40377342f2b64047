/** Routes of failed work. */
import * as endpoints from '@waybill/contract/failed-work/failed-work'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { discardFailures, failedWorkPage, retryFailures } from './service.ts'

/** For staff who operate the system. */
export function staffFailedWorkRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listFailedWork, ({ query }) => failedWorkPage(deps, query))
  route(app, deps, endpoints.exportFailedWork, async (call) => {
    const { t } = call
    return sendListSheet<endpoints.FailedWork>(deps, call, {
      file: 'failed-jobs',
      title: 'failedWork.title',
      columns: [
        { header: t('fields.kind'), kind: 'text', width: 12, value: ({ kind }) => t(`failedWork.${kind}`) },
        { header: t('fields.id'), kind: 'text', width: 12, value: ({ id }) => id },
        { header: t('failedWork.work'), kind: 'text', width: 28, value: ({ name }) => name },
        { header: t('failedWork.error'), kind: 'text', width: 80, value: ({ error }) => error },
        { header: t('failedWork.attempts'), kind: 'number', value: ({ attempts }) => attempts },
        { header: t('failedWork.created'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
        { header: t('failedWork.failed'), kind: 'time', value: ({ failedAt }) => new Date(failedAt) },
      ],
      read: (window) => failedWorkPage(deps, { ...window, sort: undefined }),
    })
  })
  route(app, deps, endpoints.retryFailedWork, ({ body, caller, request }) =>
    retryFailures(deps, { caller: staff(caller), body, ip: request.ip }),
  )
  route(app, deps, endpoints.discardFailedWork, ({ body, caller, request }) =>
    discardFailures(deps, { caller: staff(caller), body, ip: request.ip }),
  )
}
