import type { SessionUser } from '@waybill/contract/accounts/sign-in'
import type { GeneralSettings } from '@waybill/contract/settings/settings'
import { beforeEach, expect, test } from 'vitest'
import { createFormat } from '../src/lib/format.ts'
import { clearSession, storeProfile, storeSettings } from '../src/lib/session.ts'
import { presentDeployment } from '../src/lib/settings/deployment.ts'

const metric = {
  timezone: 'Asia/Kuala_Lumpur',
  currency: 'MYR',
  weightUnit: 'kg',
  dimensionUnit: 'cm',
  dateFormat: 'DD MMM YYYY',
  dateTimeFormat: 'DD MMM YYYY HH:mm',
  creditLabel: 'LP',
} as GeneralSettings
/** With the setting `units.own`. */
const withOwn = (ownUnits: boolean) => ({ ...metric, ownUnits })
const american = { id: 'u1', permissions: [], photoUrl: null, weightUnit: 'lb', dimensionUnit: 'in' }

/** Formats values as a component does, with the settings of the store. */
function write() {
  const format = createFormat(presentDeployment() ?? undefined)
  return { weight: format.weight(1250), length: format.length(305), typed: format.readWeight('2') }
}

const inMetric = { weight: '1.25\u00a0kg', length: '30.5\u00a0cm', typed: 2000 }
const inOwn = { weight: '2.76\u00a0lb', length: '12.01\u00a0in', typed: 907 }

beforeEach(() => clearSession())

test('uses own units only if the setting allows it', () => {
  storeSettings(withOwn(true))
  expect(write()).toEqual(inMetric)
  storeProfile(american as unknown as SessionUser)
  expect(write()).toEqual(inOwn)
  storeSettings(withOwn(false))
  expect(write()).toEqual(inMetric)
})

test('uses the unit of the deployment for each unit that the user has not chosen', () => {
  storeSettings(withOwn(true))
  storeProfile({ ...american, weightUnit: null } as unknown as SessionUser)
  expect(write()).toEqual({ ...inOwn, weight: inMetric.weight, typed: inMetric.typed })
})

test('uses the units of the deployment again when the session ends', () => {
  storeSettings(withOwn(true))
  storeProfile(american as unknown as SessionUser)
  clearSession()
  expect(write()).toEqual(inMetric)
})
