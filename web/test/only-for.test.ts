import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { OnlyFor } from '../src/components/access/only-for.tsx'

// Components cannot subscribe to the language or the session without a browser.
type Account = { userType: 'customer' | 'corporate'; status: 'active' | 'inactive'; isOwner: boolean }
const member: Account = { userType: 'corporate', status: 'active', isOwner: false }
const session = vi.hoisted(() => ({
  auth: { permissions: [] as string[], user: { status: 'active', account: {} as object } },
}))
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/session.ts', () => ({
  useSession: (select: (state: typeof session) => unknown) => select(session),
}))
vi.mock('../src/components/layout/page-header.tsx', () => ({
  PageHeader: ({ title }: { title: string }) => createElement('h1', null, title),
}))

const render = (permissions: string[], account: Partial<Account> & { userStatus?: string } = {}) => {
  const { userStatus = 'active', ...ofAccount } = account
  session.auth = { permissions, user: { status: userStatus, account: { ...member, ...ofAccount } } }
  return renderToString(
    createElement(OnlyFor, { rule: 'corporate.users', title: 'Users' }, createElement('p', null, 'New')),
  )
}

test.each([
  ['members without its permission', {}, 'errors.forbidden'],
  ['individuals, who own their account', { userType: 'customer', isOwner: true }, 'list.companiesOnly'],
  ['owners of a suspended company', { status: 'inactive', isOwner: true }, 'errors.account_suspended<'],
  ['suspended members', { userStatus: 'inactive' }, 'errors.account_suspended_member'],
] as const)('a page is closed to %s, with its title and the reason', (_name, account, reason) => {
  const html = render(['customer.view'], account)
  expect(html).not.toContain('<p>New')
  for (const words of ['<h1>Users</h1>', 'list.forbidden', reason]) expect(html).toContain(words)
})

test('a page is open to users with its permission, and while the profile is loading', () => {
  for (const html of [
    render(['customer.view', 'corporate.users']),
    render(['customer.view', 'corporate.users'], { isOwner: true }),
    render([]),
  ])
    expect(html).toBe('<p>New</p>')
})

test('a page for companies is closed to individuals, even with its permission', () => {
  const renderPage = (userType: Account['userType']) => {
    session.auth = { permissions: ['reports'], user: { status: 'active', account: { ...member, userType } } }
    const props = { rule: 'reports', title: 'Monthly billing', companyOnly: true } as const
    return renderToString(createElement(OnlyFor, props, createElement('p', null, 'Statements')))
  }
  expect(renderPage('customer')).toContain('list.companiesOnly')
  expect(renderPage('customer')).not.toContain('Statements')
  expect(renderPage('corporate')).toBe('<p>Statements</p>')
})
