import { isCallInView } from '@waybill/contract/accounts/view-scope'
import type { AccessRule } from '@waybill/contract/ground/access'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { type ApiScope, apiScopeLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { apiScopes, isCallInScope } from '@waybill/contract/integrations/api-scopes'
import { beforeAll, describe, expect, it } from 'vitest'
import { closedToViews, openToViews } from '../testing/closed-to-views.ts'
import { contractEndpoints } from '../testing/contract.ts'

const scopes = labelValues(apiScopeLabels)

/** The calls that an API key may make at most, written by hand to find mistakes in the table of scopes. */
const openToKeys: Record<ApiScope, RegExp> = {
  quotes: /^(prices\.summary|pickups\.slots|zones\.(list|get))$/,
  addresses: /^addresses\.\w+$/,
  parcels:
    /^parcels\.(list|get|multiple|trackno|create|update|(addTo|takeOutOf)?[cC]art(Count)?|remove|(change|cancel)\w*)$/,
  pickups: /^pickups\.\w+$/,
  orders: /^(prices\.summary|orders\.(list|get|create|cancel|invoice\w*|creditNote\w*)|checkouts\.pending\w*)$/,
  payments: /^payments\.(expressCredit|corporate|get)$/,
  labels: /^(parcels\.(generateCn\w*|(createP|p)rintRun\w*|customs)|carriers\.label)$/,
  tracking: /^(parcels\.(tracks|trackno)|carriers\.booking)$/,
}
/** Calls that no API key may make, whatever its scopes. */
const closedGroups = [
  'auth',
  'corporate',
  'wallet',
  'cod',
  'settings',
  'apiKeys',
  'webhooks',
  'approvals',
  'billing',
  'staff',
  'attachments',
  'artworks',
  'events',
  'chat',
  'tickets',
]
const closedToKeys = new RegExp(`^(${closedGroups.join('|')})\\.`)

describe('the scopes of API keys and views', () => {
  let endpoints: EndpointShape[]
  beforeAll(async () => {
    endpoints = await contractEndpoints()
  })

  it('allow API keys only the listed calls, and never the forbidden ones', () => {
    const ids = new Set(endpoints.map(({ id }) => id))
    for (const scope of scopes) {
      const { calls } = apiScopes[scope]
      expect(
        calls.filter((id) => !ids.has(id)),
        scope,
      ).toEqual([])
      expect(
        calls.filter((id) => !openToKeys[scope].test(id) || closedToKeys.test(id)),
        scope,
      ).toEqual([])
    }
    const callable = endpoints.filter(({ id }) => isCallInScope(scopes, id))
    const rows: readonly AccessRule[] = ['account.owner', 'corporate.owner', 'corporate.users', 'corporate.pay']
    expect(callable.filter(({ access }) => access.startsWith('staff.') || rows.includes(access))).toEqual([])
  })

  it('allow views by staff only reading, and none of the forbidden calls', () => {
    const customers = endpoints.filter(({ access }) => !access.startsWith('staff.'))
    const reads = customers.filter(({ method }) => method === 'GET')
    expect(
      reads
        .filter((each) => !isCallInView(each))
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...closedToViews].sort())
    const writes = customers.filter(({ method }) => method !== 'GET')
    const openIds = writes.filter(isCallInView).map(({ id }) => id)
    expect(openIds.sort()).toEqual([...openToViews].sort())
  })
})
