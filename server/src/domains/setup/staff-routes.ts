/** Routes of the setup of a new deployment. */
import { confirmSetupStep, getSetup, sendTestMail } from '@waybill/contract/setup/setup'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { confirmStep, readSetup } from './service.ts'
import { testMail } from './test-mail.ts'

/** The state of the setup, its confirmations, and the test of the mail settings. */
export function staffSetupRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getSetup, () => readSetup(deps))
  route(app, deps, confirmSetupStep, ({ caller, body }) => confirmStep(deps, staff(caller), body.step))
  route(app, deps, sendTestMail, ({ caller }) => testMail(deps, staff(caller)))
}
