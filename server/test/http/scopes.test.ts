import { isCallInView } from '@waybill/contract/accounts/view-scope'
import type { AccessRule } from '@waybill/contract/ground/access'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { type ApiScope, apiScopeLabels, labelValues } from '@waybill/contract/ground/enums'
import { apiScopes, isCallInScope } from '@waybill/contract/integrations/api-scopes'
import { beforeAll, describe, expect, it } from 'vitest'
import { closedToViews } from '../testing/closed-to-views.ts'
import { contractEndpoints } from '../testing/contract.ts'

const scopes = labelValues(apiScopeLabels)

/** What an API key may call at the very most, written out by hand: a slip in the table of scopes opens nothing else. */
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
/** No key reaches the calls of these groups, whatever its scopes. */
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

describe('the scopes of callers that are no people', () => {
  let endpoints: EndpointShape[]
  beforeAll(async () => {
    endpoints = await contractEndpoints()
  })

  it('opens to the scopes of API keys only what is written down here, and never what a key must not reach', () => {
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

  it('opens to views by staff only what reads, and nothing that is written down here', () => {
    const customers = endpoints.filter(({ access }) => !access.startsWith('staff.'))
    const reading = customers.filter(({ method }) => method === 'GET')
    expect(
      reading
        .filter((each) => !isCallInView(each))
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...closedToViews].sort())
    const writing = customers.filter(({ method }) => method !== 'GET')
    expect(writing.filter(isCallInView).map(({ id }) => id)).toEqual(['auth.logout'])
  })
})
