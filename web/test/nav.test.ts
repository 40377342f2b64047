import { decide, listPermissions } from '@waybill/contract/ground/access'
import { staffRoleLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { expect, test } from 'vitest'
import chinese from '../public/locales/cn_zh/global.json' with { type: 'json' }
import english from '../public/locales/en/global.json' with { type: 'json' }
import { findNavItem, portalActions, portalNav, visibleNav } from '../src/app/nav/nav.ts'
import { staffNav } from '../src/app/nav/staff-nav.ts'
import { sheetKinds } from '../src/features/sheet-imports/kinds.ts'
import { seesAllParcels } from '../src/lib/session.ts'

const labels = (groups: ReturnType<typeof visibleNav>) => groups.flatMap(({ items }) => items.map(({ label }) => label))

function member(...permissions: readonly ('reports' | 'parcels.create' | 'parcels.view_all')[]) {
  const caller = {
    kind: 'customer',
    userType: 'corporate',
    accountStatus: 'active',
    userStatus: 'active',
    isOwner: false,
    permissions,
  } as const
  return listPermissions(caller)
}

test('shows Home first, and always shows Home and Ship', () => {
  expect(portalNav.map(({ label }) => label).slice(0, 3)).toEqual(['home', 'ship', 'follow'])
  expect(portalNav.filter(({ pinned }) => pinned).map(({ label }) => label)).toEqual(['home', 'ship'])
})

test('shows statements to a member with the reports permission, but not to other members or individuals', () => {
  const visibleLabels = (permissions: readonly string[], company: boolean) =>
    labels(visibleNav(portalNav, { permissions, company }))
  expect(visibleLabels(member('reports'), true)).toContain('statements')
  expect(visibleLabels(member(), true)).not.toContain('statements')
  expect(visibleLabels(member('reports'), false)).not.toContain('statements')
})

test('shows the screen of cash on delivery only to an account that uses it', () => {
  const visibleLabels = (hasCod: boolean) => labels(visibleNav(portalNav, { permissions: ['wallet.view'], hasCod }))
  expect(visibleLabels(true)).toContain('cod')
  expect(visibleLabels(false)).not.toContain('cod')
})

test('shows the set-up until the deployment is complete', () => {
  const visibleLabels = (setupOpen: boolean) =>
    labels(visibleNav(staffNav, { permissions: ['staff.setup'], setupOpen }))
  expect(visibleLabels(true)).toEqual(['setup'])
  expect(visibleLabels(false)).toEqual([])
})

test('shows nothing before the profile is loaded', () => {
  expect(visibleNav(portalNav, { permissions: [] })).toEqual([])
})

test('lets the search box find actions by the rights of the user', () => {
  const visibleActions = (permissions: readonly string[]) => labels(visibleNav(portalActions, { permissions }))
  expect(visibleActions(member('parcels.create'))).toEqual(['packGunny', 'profile', 'preferences'])
  expect(visibleActions(member())).toEqual(['profile', 'preferences'])
})

test('marks the item with the longest matching path as current', () => {
  expect(findNavItem(portalNav, '/parcels/new')?.to).toBe('/parcels/new')
  expect(findNavItem(portalNav, '/parcels/0190')?.to).toBe('/parcels')
  expect(findNavItem(portalNav, '/parcelsX')).toBeUndefined()
})

test('marks the records of a spreadsheet as current on its page, and every kind of spreadsheet belongs to some', () => {
  const items = Object.fromEntries(sheetKinds.map((kind) => [kind, findNavItem(staffNav, `/staff/sheets/${kind}`)?.to]))
  expect(items).toEqual({
    stations: '/staff/stations',
    coverage: '/staff/stations',
    zones: '/staff/zones',
    'rate-lines': '/staff/rates',
  })
})

test('shows each role exactly the staff screens that the access table allows', () => {
  for (const staffRole of labelValues(staffRoleLabels)) {
    const caller = { kind: 'staff', staffType: 'staff', staffRole, userStatus: 'active' } as const
    const visible = labels(visibleNav(staffNav, { permissions: listPermissions(caller), setupOpen: true }))
    const permitted = staffNav
      .flatMap(({ items }) => items)
      .filter(({ access }) => decide(access, caller) === 'pass')
      .map(({ label }) => label)
    expect(visible, staffRole).toEqual(permitted)
    // Every role has a start page.
    expect(visible.length, staffRole).toBeGreaterThan(0)
  }
})

test('shows the parcels of other members to the owner and to members with parcels.view_all', () => {
  const user = (isOwner: boolean, memberPermissions: readonly string[]) =>
    ({ account: { isOwner, memberPermissions } }) as never
  expect(seesAllParcels(user(true, []))).toBe(true)
  expect(seesAllParcels(user(false, ['parcels.view_all']))).toBe(true)
  expect(seesAllParcels(user(false, ['reports']))).toBe(false)
  expect(seesAllParcels(null)).toBe(false)
})

test.each([
  ['English', english],
  ['Chinese', chinese],
])('has a text in %s for each group and item, and a short one for the bottom bar of a phone', (_, { nav }) => {
  const texts: Record<string, unknown> = nav
  const missing = [...portalNav, ...portalActions, ...staffNav].flatMap(({ label: group, items }) => [
    ...(group in nav.groups ? [] : [`groups.${group}`]),
    ...items.flatMap(({ label, mostUsed }) => [
      ...(typeof texts[label] === 'string' ? [] : [label]),
      ...(mostUsed && !(label in nav.short) ? [`short.${label}`] : []),
    ]),
  ])
  expect(missing).toEqual([])
})
