import { type Todo, todoLimit } from '@waybill/contract/dashboard/dashboard'
import type { AccessRule } from '@waybill/contract/ground/access'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { LineList, Panel } from '../../components/layout/boxes.tsx'
import { Note, Quiet, Tag } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import classes from './dashboard.module.css'

type Task = {
  key: Exclude<keyof Todo, 'unpaidUntil' | 'unpaidEndsSoon'>
  to: '/statements' | '/parcels' | '/orders' | '/approvals' | '/outstanding' | '/pickups' | '/cart'
  search: Record<string, string>
  rule?: AccessRule
}

/**
 * Possible tasks of the customer, most urgent first, with their pages and the permission that they need. If a tab also
 * has parcels of other statuses, the link filters them out, so that the list shows the same number.
 */
const tasks: readonly Task[] = [
  { key: 'overdueStatements', to: '/statements', search: {} },
  {
    key: 'failedDeliveries',
    to: '/parcels',
    search: { tab: 'problem', undecided: 'true' },
    rule: 'parcels.settle',
  },
  { key: 'stuck', to: '/parcels', search: { silent: 'true' } },
  { key: 'approvals', to: '/approvals', search: {} },
  { key: 'outstanding', to: '/outstanding', search: {}, rule: 'pay.owed' },
  { key: 'unpaid', to: '/orders', search: { payable: 'true' }, rule: 'pay' },
  { key: 'failedPickups', to: '/pickups', search: { tab: 'failed' }, rule: 'parcels.create' },
  { key: 'withoutPickup', to: '/pickups', search: {}, rule: 'parcels.create' },
  { key: 'toHandOver', to: '/parcels', search: { tab: 'to_hand_over' } },
  { key: 'inCart', to: '/cart', search: {}, rule: 'pay' },
  { key: 'drafts', to: '/parcels', search: { tab: 'draft', status: 'pending' }, rule: 'parcels.create' },
]

/** Whether the user has any tasks. */
export const hasTasks = (todo: Todo): boolean => tasks.some(({ key }) => todo[key] > 0)

const isEnding = (todo: Todo, key: string) => key === 'unpaid' && todo.unpaidEndsSoon

/** Whether counting stops at `todoLimit`. */
const isCutOff = (key: string) => key === 'stuck' || key === 'failedDeliveries'

/** The to-do list: one sentence per task, with its action. */
export function TodoList({ todo, silenceHours }: { todo: Todo; silenceHours: number }) {
  const t = useT()
  const format = useFormat()
  const permissions = useSession((state) => state.auth.permissions)
  // Until the profile is loaded there are no permissions.
  const may = ({ rule }: Task) => !rule || permissions.length === 0 || permissions.includes(rule)
  // A checkout that expires soon comes before more urgent tasks.
  const open = tasks
    .filter((task) => todo[task.key] > 0 && may(task))
    .sort((a, b) => Number(isEnding(todo, b.key)) - Number(isEnding(todo, a.key)))
  return (
    <Panel title={t('dashboardPage.todo')} style={{ marginBlockEnd: 24 }}>
      {open.length === 0 ? (
        <Note>{t('dashboardPage.nothing')}</Note>
      ) : (
        <LineList className={classes.todo}>
          {open.map(({ key, to, search }) => {
            const count = todo[key]
            const number = `${format.number(count)}${isCutOff(key) && count === todoLimit ? '+' : ''}`
            return (
              <li key={key}>
                <div>
                  {t(`dashboardPage.task.${key}`, { count, number, hours: silenceHours })}
                  {key === 'unpaid' && todo.unpaidUntil && (
                    <Quiet>
                      {isEnding(todo, key) && <Tag tone="warning">{t('dashboardPage.endsSoon')}</Tag>}{' '}
                      {t('dashboardPage.unpaidUntil', { count, time: format.dateTime(todo.unpaidUntil) })}
                    </Quiet>
                  )}
                </div>
                <ButtonLink to={to} search={search}>
                  {t(`dashboardPage.taskAction.${key}`)}
                </ButtonLink>
              </li>
            )
          })}
        </LineList>
      )}
    </Panel>
  )
}
