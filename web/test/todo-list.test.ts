import type { Todo } from '@waybill/contract/dashboard/dashboard'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { TodoList } from '../src/features/dashboard/todo-list.tsx'

const session = vi.hoisted(() => ({ auth: { permissions: [] as string[] } }))

// Components cannot subscribe to the language, the settings or the session without a browser.
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/format.ts', () => ({ useFormat: () => ({ number: String, dateTime: String }) }))
vi.mock('../src/lib/session.ts', () => ({
  useSession: (select: (state: typeof session) => unknown) => select(session),
}))
vi.mock('../src/components/buttons/link.tsx', () => ({ ButtonLink: () => null }))

const todo: Todo = {
  ...{ overdueStatements: 0, failedDeliveries: 1, stuck: 2, approvals: 0, outstanding: 1, unpaid: 3 },
  ...{
    unpaidUntil: null,
    unpaidEndsSoon: false,
    toHandOver: 4,
    withoutPickup: 0,
    failedPickups: 1,
    inCart: 5,
    drafts: 6,
  },
}

/** The keys of the tasks that a user with these permissions sees. */
function listTasks(permissions: string[]): string[] {
  session.auth.permissions = permissions
  const html = renderToString(createElement(TodoList, { todo, silenceHours: 36 }))
  return [...html.matchAll(/dashboardPage\.task\.(\w+)/g)].map(([, key]) => key ?? '')
}

test('lists only the tasks that the user may do', () => {
  expect(listTasks(['customer.view'])).toEqual(['stuck', 'toHandOver'])
  expect(listTasks(['customer.view', 'parcels.create', 'parcels.settle', 'pay', 'pay.owed'])).toHaveLength(8)
})

test('lists all tasks until the permissions are loaded', () => {
  expect(listTasks([])).toHaveLength(8)
})
