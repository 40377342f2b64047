import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { OnlyFor } from '../src/components/feedback/only-for.tsx'

// Components cannot subscribe to the language or the session without a browser.
const session = vi.hoisted(() => ({ auth: { permissions: [] as string[], user: { account: { isOwner: false } } } }))
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/session.ts', () => ({
  useSession: (select: (state: typeof session) => unknown) => select(session),
}))
vi.mock('../src/components/layout/page-header.tsx', () => ({
  PageHeader: ({ title }: { title: string }) => createElement('h1', null, title),
}))

const render = (permissions: string[], isOwner: boolean) => {
  session.auth = { permissions, user: { account: { isOwner } } }
  return renderToString(
    createElement(OnlyFor, { rule: 'corporate.users', title: 'Users' }, createElement('p', null, 'New')),
  )
}

test('a page is closed to members without its permission, with its title and whom to ask', () => {
  const html = render(['customer.view'], false)
  expect(html).not.toContain('<p>New')
  for (const words of ['<h1>Users</h1>', 'list.forbidden', 'errors.forbidden']) expect(html).toContain(words)
})

test('a page is open to members with its permission, to owners, and while the profile is loading', () => {
  for (const html of [
    render(['customer.view', 'corporate.users'], false),
    render(['customer.view'], true),
    render([], false),
  ])
    expect(html).toBe('<p>New</p>')
})
