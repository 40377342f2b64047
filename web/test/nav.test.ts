import { decide, listPermissions } from '@waybill/contract/ground/access'
import { labelValues, staffRoleLabels } from '@waybill/contract/ground/enums'
import { expect, test } from 'vitest'
import chinese from '../public/locales/cn_zh/global.json' with { type: 'json' }
import english from '../public/locales/en/global.json' with { type: 'json' }
import { findNavItem, portalNav, staffNav, visibleNav } from '../src/app/nav/nav.ts'
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

test('Home comes first, and Home and Ship stay on screen', () => {
  expect(portalNav.map(({ label }) => label).slice(0, 3)).toEqual(['home', 'ship', 'follow'])
  expect(portalNav.filter(({ pinned }) => pinned).map(({ label }) => label)).toEqual(['home', 'ship'])
})

test('a member with reports finds statements; one without, and an individual, do not', () => {
  const visibleLabels = (permissions: readonly string[], company: boolean) =>
    labels(visibleNav(portalNav, { permissions, company }))
  expect(visibleLabels(member('reports'), true)).toContain('statements')
  expect(visibleLabels(member(), true)).not.toContain('statements')
  expect(visibleLabels(member('reports'), false)).not.toContain('statements')
})

test('only an account with cash on delivery finds its screen', () => {
  const visibleLabels = (hasCod: boolean) => labels(visibleNav(portalNav, { permissions: ['wallet.view'], hasCod }))
  expect(visibleLabels(true)).toContain('cod')
  expect(visibleLabels(false)).not.toContain('cod')
})

test('the set-up is in the navigation until the deployment is complete', () => {
  const visibleLabels = (setupOpen: boolean) =>
    labels(visibleNav(staffNav, { permissions: ['staff.setup'], setupOpen }))
  expect(visibleLabels(true)).toEqual(['setup'])
  expect(visibleLabels(false)).toEqual([])
})

test('before the profile has come there is nothing to show', () => {
  expect(visibleNav(portalNav, { permissions: [] })).toEqual([])
})

test('the longest path that fits is the present item', () => {
  expect(findNavItem(portalNav, '/parcels/new')?.to).toBe('/parcels/new')
  expect(findNavItem(portalNav, '/parcels/0190')?.to).toBe('/parcels')
  expect(findNavItem(portalNav, '/parcelsX')).toBeUndefined()
})

test('every role finds exactly those staff screens that the access table lets it use', () => {
  for (const staffRole of labelValues(staffRoleLabels)) {
    const caller = { kind: 'staff', staffType: 'staff', staffRole, userStatus: 'active' } as const
    const visible = labels(visibleNav(staffNav, { permissions: listPermissions(caller), setupOpen: true }))
    const permitted = staffNav
      .flatMap(({ items }) => items)
      .filter(({ access }) => decide(access, caller) === 'pass')
      .map(({ label }) => label)
    expect(visible, staffRole).toEqual(permitted)
    // Every role has a page to land on.
    expect(visible.length, staffRole).toBeGreaterThan(0)
  }
})

test('the owner and members with parcels.view_all see the parcels of others', () => {
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
])('each group and item has its text in %s, and a short one in the bar of a phone', (_, { nav }) => {
  const texts: Record<string, unknown> = nav
  const missing = [...portalNav, ...staffNav].flatMap(({ label: group, items }) => [
    ...(group in nav.groups ? [] : [`groups.${group}`]),
    ...items.flatMap(({ label, mostUsed }) => [
      ...(typeof texts[label] === 'string' ? [] : [label]),
      ...(mostUsed && !(label in nav.short) ? [`short.${label}`] : []),
    ]),
  ])
  expect(missing).toEqual([])
})
