import { viewAccount } from '@waybill/contract/accounts/directory'
import { type AccessRule, accessTable } from '@waybill/contract/ground/access'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import {
  type ApiScope,
  apiScopeLabels,
  memberPermissionLabels,
  staffRoleLabels,
} from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { isCallInScope } from '@waybill/contract/integrations/api-scopes'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, fillPath, type TestApp } from '../testing/app.ts'
import { closedToViews, openToViews } from '../testing/closed-to-views.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { createApiKey } from '../testing/factories/api-keys.ts'

/** Endpoints of the contract without a route. This list may only shrink: an endpoint with a route must be removed. */
const missingRoutes: readonly string[] = []

const permissions = labelValues(memberPermissionLabels)
const roles = labelValues(staffRoleLabels)

/** Callers without any rights, whatever credentials they send. */
const nobodies = ['no token', 'garbage', 'expired token', 'blocked account', 'blocked user', 'blocked staff']
const members = permissions.map((permission) => `member: ${permission}`)
const active = ['individual', 'owner', 'member', ...members]
const suspended = ['suspended individual', 'suspended owner', 'suspended user']
const leaders = ['superadmin', 'admin']
const staffWith = (...roleNames: (typeof roles)[number][]) => [...leaders, ...roleNames.map((role) => `staff: ${role}`)]
const everyStaff = staffWith(...roles)
const powerless = ['staff without role', 'suspended staff']
const scopes = labelValues(apiScopeLabels)
const scopedKeys = scopes.map((scope) => `API key: ${scope}`)
/** Invalid keys: revoked and expired ones, and those of a blocked account or a blocked creator. */
const deadKeys = ['revoked API key', 'expired API key', 'API key of a blocked account', 'API key of a blocked creator']
/** Keys with every scope whose account, or whose creator, is suspended. */
const stoppedKeys = ['API key of a suspended account', 'API key of a suspended creator']
/** A view of a company by staff: may call what the owner may call, if it only reads. */
const view = 'view by staff'
const people = [...active, ...suspended, ...everyStaff, ...powerless]
const everybody = [...nobodies, ...deadKeys, ...people, ...scopedKeys, ...stoppedKeys, view]

const callersWith = (permission: (typeof permissions)[number]) => ['individual', 'owner', `member: ${permission}`]

/**
 * The callers of each row, written by hand from docs/rules/accounts.md, so that a mistake in the table or in its use is
 * found.
 */
const allowedCallers: Record<AccessRule, readonly string[]> = {
  public: [...nobodies, ...deadKeys, ...people, ...scopedKeys, ...stoppedKeys],
  signedIn: [...active, ...suspended, ...everyStaff],
  'customer.view': [...active, ...suspended],
  'customer.act': active,
  support: [...active, ...suspended],
  'parcels.create': callersWith('parcels.create'),
  'parcels.settle': [...callersWith('parcels.create'), ...suspended],
  pay: callersWith('pay'),
  'pay.owed': [...callersWith('pay'), ...suspended],
  'wallet.view': [...callersWith('wallet'), ...suspended],
  wallet: callersWith('wallet'),
  reports: [...callersWith('reports'), ...suspended],
  'addresses.view': [...active, ...suspended],
  addresses: callersWith('addresses'),
  'account.owner.view': ['individual', 'owner', ...suspended],
  'account.owner': ['individual', 'owner'],
  logs: ['individual', 'owner', ...suspended, ...staffWith('admin', 'it_executive')],
  'corporate.users': ['owner', 'member: users'],
  'corporate.pay': ['owner', 'member: pay', 'suspended owner'],
  'corporate.owner': ['owner'],
  'staff.any': everyStaff,
  'staff.operate': staffWith('admin', 'normal_staff'),
  'staff.parcels': staffWith('admin', 'normal_staff', 'account_manager', 'inside_sales_representative'),
  'staff.takeOver': staffWith('admin', 'normal_staff'),
  'staff.supervise': staffWith('admin'),
  'staff.rates': staffWith('admin', 'product_manager'),
  'staff.stations': staffWith('admin'),
  'staff.setup': staffWith('admin'),
  'staff.content': staffWith('admin', 'e_marketing'),
  'staff.accounts': staffWith('admin', 'account_manager', 'inside_sales_representative'),
  'staff.terms': staffWith('admin', 'product_manager', 'account_manager', 'inside_sales_representative'),
  'staff.finance': staffWith('admin', 'account_manager'),
  'staff.settings': staffWith('admin', 'it_executive'),
  'staff.logs': staffWith('admin', 'it_executive'),
  'staff.users': staffWith('admin', 'it_executive'),
  'staff.system': ['superadmin'],
}

/**
 * Calls of visitors outside `/api/public/`: sign-in, and what is shown before the sign-in
 * (docs/rules/settings.md, docs/rules/accounts.md, docs/rules/places.md and docs/pricing.md).
 */
const openToVisitors = [
  'auth.login',
  'auth.staffLogin',
  'auth.secondFactor',
  'auth.secondFactorSetup',
  'auth.secondFactorConfirm',
  'auth.register',
  'auth.registerVerify',
  'auth.registerResend',
  'auth.refresh',
  'auth.forgetPassword',
  'auth.resetPassword',
  'auth.providerStart',
  'auth.providerCallback',
  'auth.providerEmail',
  'auth.providerEmailVerify',
  'auth.providerRegister',
  'settings.general',
  'settings.options',
  'settings.selector',
  'addresses.postcode',
  'addresses.availablePostcode',
  'stations.list',
  'stations.nearby',
  'stations.selfCollection',
  'stations.dropOff',
  'stations.hub',
  'prices.services',
  'prices.insurance',
  'prices.pickup',
  'parcels.calculateVweight',
  'parcels.calculateMultipleVweight',
  'content.banners',
  'attachments.file',
]

const pathValues: Record<string, string> = {
  id: newId(),
  ids: newId(),
  name: 'banks',
  status: 'active',
  no: 'WB00000000005',
  x: '50000',
  provider: 'keycloak',
}

describe('access', () => {
  let test: TestApp
  let endpoints: EndpointShape[]
  const headers = new Map<string, Record<string, string>>()

  beforeAll(async () => {
    test = await buildTestApp()
    endpoints = await contractEndpoints()
    const bearer = (name: string, token: string) => headers.set(name, { authorization: `Bearer ${token}` })
    const customer = async (name: string, overrides: Parameters<typeof createCustomer>[1]) =>
      bearer(name, (await createCustomer(test, overrides)).token)
    const staff = async (name: string, overrides: Parameters<typeof createStaff>[1]) =>
      bearer(name, (await createStaff(test, overrides)).token)

    headers.set('no token', {})
    bearer('garbage', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.')
    bearer('expired token', await expiredToken())
    await customer('blocked account', { accountStatus: 'blacklisted' })
    await customer('blocked user', { userStatus: 'blacklisted' })
    await staff('blocked staff', { type: 'superadmin', status: 'blacklisted' })
    await customer('individual', {})
    const corporate = { userType: 'corporate' } as const
    await customer('owner', corporate)
    await customer('member', { ...corporate, isOwner: false })
    for (const each of permissions) {
      await customer(`member: ${each}`, { ...corporate, isOwner: false, permissions: [each] })
    }
    await customer('suspended individual', { accountStatus: 'inactive' })
    await customer('suspended owner', { ...corporate, accountStatus: 'inactive' })
    await customer('suspended user', { userStatus: 'inactive' })
    for (const type of ['superadmin', 'admin'] as const) await staff(type, { type })
    for (const role of roles) await staff(`staff: ${role}`, { role })
    for (const scope of scopes) bearer(`API key: ${scope}`, (await createKey({}, [scope])).secret)
    bearer('revoked API key', (await createKey({}, scopes, { revoked_at: test.clock.now() })).secret)
    bearer('expired API key', (await createKey({}, scopes, { expires_at: test.clock.now() })).secret)
    bearer('API key of a blocked account', (await createKey({ accountStatus: 'blacklisted' })).secret)
    bearer('API key of a blocked creator', (await createKey({ userStatus: 'blacklisted' })).secret)
    bearer('API key of a suspended account', (await createKey({ accountStatus: 'inactive' })).secret)
    bearer('API key of a suspended creator', (await createKey({ userStatus: 'inactive' })).secret)
    const { accountId } = await createCustomer(test, corporate)
    const viewer = (await createStaff(test, { role: 'account_manager' })).token
    bearer(view, (await test.call(viewAccount, { token: viewer, params: { id: accountId } })).body.token)
    await staff('staff without role', { role: null })
    await staff('suspended staff', { type: 'superadmin', status: 'inactive' })
  })

  async function createKey(
    owner: Parameters<typeof createCustomer>[1],
    granted: readonly ApiScope[] = scopes,
    columns: Parameters<typeof createApiKey>[3] = {},
  ) {
    return createApiKey(test, await createCustomer(test, { userType: 'corporate', ...owner }), granted, columns)
  }

  async function expiredToken(): Promise<string> {
    const { userId, accountId } = await createCustomer(test)
    const hourAgo = Math.floor(test.clock.now().getTime() / 1000) - 3600
    const claims = {
      k: 'c',
      sub: userId,
      sid: newId(),
      a: accountId,
      ut: 'customer',
      as: 'active',
      us: 'active',
      o: true,
      p: [],
    }
    return new SignJWT({ ...claims, iat: hourAgo })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('waybill')
      .setAudience('waybill-api')
      .setExpirationTime(hourAgo + 600)
      .sign(test.deps.keys.derive('access tokens'))
  }

  type Answer = { status: number; code: unknown; message: unknown }

  /**
   * A request that passes the access check fails at the next step: with validation if it has a body, with 404 if it has
   * an id.
   */
  async function ask(endpoint: EndpointShape, caller: string): Promise<Answer> {
    const answer = await test.app.inject({
      method: endpoint.method,
      url: fillPath(endpoint, pathValues),
      headers: { ...headers.get(caller), ...(endpoint.body ? { 'content-type': 'application/json' } : {}) },
      // Event streams never end.
      payloadAsStream: true,
      ...(endpoint.body ? { payload: '"no object"' } : {}),
    })
    const stream = answer.stream()
    const isJson = String(answer.headers['content-type']).includes('json')
    const text = isJson ? Buffer.concat(await stream.toArray()).toString() : ''
    stream.destroy()
    const { code, message } = text ? JSON.parse(text) : {}
    return { status: answer.statusCode, code, message }
  }

  it('has a rule for every kind of caller', () => {
    expect(Object.keys(allowedCallers).sort()).toEqual(Object.keys(accessTable).sort())
    expect([...headers.keys()].sort()).toEqual([...everybody].sort())
  })

  it('has a row for every call under /api/, and a route for every endpoint of the contract', () => {
    const servedIds = test.app.routes.flatMap(({ endpoint }) => (endpoint ? [endpoint.id] : []))
    for (const { url, endpoint } of test.app.routes) {
      if (!url.startsWith('/api/') || /^\/api\/(openapi\.json$|docs)/.test(url)) continue
      expect(endpoint, url).not.toBeNull()
      expect(Object.keys(accessTable), url).toContain(endpoint?.access)
    }
    expect(new Set(servedIds).size).toBe(servedIds.length)
    const unservedIds = endpoints.map(({ id }) => id).filter((id) => !servedIds.includes(id))
    expect(unservedIds.filter((id) => !missingRoutes.includes(id))).toEqual([])
    expect(missingRoutes.filter((id) => servedIds.includes(id))).toEqual([])
  })

  it('allows visitors only the listed calls, and only staff under /api/staff/', () => {
    const publicCalls = endpoints.filter(({ access, path }) => access === 'public' && !path.startsWith('/api/public/'))
    expect(publicCalls.map(({ id }) => id).sort()).toEqual([...openToVisitors].sort())
    const staffPaths = endpoints.filter(
      ({ path, id }) => path.startsWith('/api/staff/') && !openToVisitors.includes(id),
    )
    expect(staffPaths.filter(({ access }) => !access.startsWith('staff.'))).toEqual([])
    const publicPaths = endpoints.filter(({ path }) => path.startsWith('/api/public/'))
    expect(publicPaths.filter(({ access }) => access !== 'public')).toEqual([])
  })

  it('returns the code account_suspended to suspended callers', async () => {
    const act = test.app.routes.find(
      ({ endpoint }) => endpoint?.access === 'customer.act' || endpoint?.access === 'wallet',
    )
    if (!act?.endpoint) throw new Error('no route that only active customers may call')
    expect((await ask(act.endpoint, 'suspended individual')).code).toBe('account_suspended')
    expect((await ask(act.endpoint, 'admin')).code).toBe('forbidden')
  })

  it('explains a refusal to staff and customers in different words', async () => {
    const findEndpoint = (access: string) => {
      const route = test.app.routes.find(({ endpoint }) => endpoint?.access === access)?.endpoint
      if (!route) throw new Error(`no route of ${access}`)
      return route
    }
    const staff = await ask(findEndpoint('staff.finance'), 'staff: normal_staff')
    expect(staff).toMatchObject({ status: 403, code: 'forbidden' })
    expect(staff.message).toContain('Your role')
    const customer = await ask(findEndpoint('staff.finance'), 'individual')
    expect(customer).toMatchObject({ status: 403, code: 'forbidden' })
    expect(customer.message).toContain('account owner')
  })

  it('allows exactly the callers of the table on every route', async () => {
    const mistakes: string[] = []
    const routes = test.app.routes.flatMap(({ endpoint }) => (endpoint ? [endpoint] : []))
    // The sign-out comes last: it would end the sessions of the callers.
    routes.sort((a, b) => Number(a.id === 'auth.logout') - Number(b.id === 'auth.logout'))
    let passCount = 0
    for (const endpoint of routes) {
      for (const caller of everybody) {
        const { status, code } = await ask(endpoint, caller)
        const answer = `${endpoint.method} ${endpoint.path} (${endpoint.access}) by ${caller}: ${status} ${code ?? ''}`
        const scope =
          scopedKeys.includes(caller) && endpoint.access !== 'public' ? caller.slice('API key: '.length) : null
        const reads =
          endpoint.method === 'GET' ? !closedToViews.includes(endpoint.id) : openToViews.includes(endpoint.id)
        // Other rules refuse a view the questions of staff.
        const isClosed = caller === view && !reads && !endpoint.question
        const passes = scope
          ? isCallInScope([scope as ApiScope], endpoint.id)
          : allowedCallers[endpoint.access].includes(caller === view ? 'owner' : caller) && !isClosed
        if (passes) {
          passCount += 1
          const right = endpoint.body ? status === 422 && code === 'validation' : ![401, 403, 429].includes(status)
          if (!right || status >= 500) mistakes.push(`${answer}, but should pass`)
        } else if (isClosed) {
          if (status !== 403 || code !== 'view_only') mistakes.push(`${answer}, but should be read-only`)
        } else if (nobodies.includes(caller) || deadKeys.includes(caller)) {
          if (status !== 401 || code !== 'unauthorized') mistakes.push(`${answer}, but should be 401`)
        } else if (status !== 403 || !['forbidden', 'account_suspended'].includes(String(code))) {
          mistakes.push(`${answer}, but should be 403`)
        }
      }
    }
    expect(mistakes).toEqual([])
    expect(passCount).toBeGreaterThan(routes.length)
  }, 300_000)
})
