import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { MemberStatus } from '../src/features/accounts/company/member-status.tsx'

vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/labels.ts', () => ({ useLabel: () => (_: unknown, value: string) => value }))

const render = (status: 'active' | 'inactive', invited: boolean) =>
  renderToString(createElement(MemberStatus, { status, invited }))

test('someone who has not accepted the invitation is invited, not active', () => {
  expect(render('active', true)).toContain('usersPage.invited')
  expect(render('active', true)).not.toContain('active')
  expect(render('active', false)).toContain('active')
})

test('someone who is suspended before accepting the invitation is suspended', () => {
  expect(render('inactive', true)).toContain('inactive')
})
