import { stuckLimit, type Todo } from '@waybill/contract/dashboard/dashboard'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { LineList, Panel } from '../../components/layout/boxes.tsx'
import { Note, Quiet, Tag } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './dashboard.module.css'

/**
 * Possible tasks of the customer, most urgent first, with their pages. If a tab also has parcels of other statuses,
 * the link filters them out, so that the list shows the same number.
 */
const tasks = [
  { key: 'overdueStatements', to: '/statements', search: {} },
  { key: 'failedDeliveries', to: '/parcels', search: { tab: 'problem', status: 'fail-to-deliver' } },
  { key: 'stuck', to: '/parcels', search: { silent: 'true' } },
  { key: 'approvals', to: '/approvals', search: {} },
  { key: 'outstanding', to: '/outstanding', search: {} },
  { key: 'unpaid', to: '/parcels', search: { tab: 'unpaid', status: 'pending_payment' } },
  { key: 'toHandOver', to: '/parcels', search: { tab: 'to_hand_over' } },
  { key: 'inCart', to: '/cart', search: {} },
  { key: 'drafts', to: '/parcels', search: { tab: 'draft', status: 'pending' } },
] as const

/** Whether the user has any tasks. */
export const hasTasks = (todo: Todo): boolean => tasks.some(({ key }) => todo[key] > 0)

const isEnding = (todo: Todo, key: string) => key === 'unpaid' && todo.unpaidEndsSoon

/** The to-do list: one sentence per task, with its action. */
export function TodoList({ todo, silenceHours }: { todo: Todo; silenceHours: number }) {
  const t = useT()
  const format = useFormat()
  // A checkout that expires soon comes before more urgent tasks.
  const open = tasks
    .filter(({ key }) => todo[key] > 0)
    .sort((a, b) => Number(isEnding(todo, b.key)) - Number(isEnding(todo, a.key)))
  return (
    <Panel title={t('dashboardPage.todo')} gap={4} style={{ marginBlockEnd: 24 }}>
      {open.length === 0 ? (
        <Note>{t('dashboardPage.nothing')}</Note>
      ) : (
        <LineList className={classes.todo}>
          {open.map(({ key, to, search }) => {
            const count = todo[key]
            const number = `${format.number(count)}${key === 'stuck' && count === stuckLimit ? '+' : ''}`
            return (
              <li key={key}>
                <div>
                  {t(`dashboardPage.task.${key}`, { count, number, hours: silenceHours })}
                  {key === 'unpaid' && todo.unpaidUntil && (
                    <Quiet>
                      {isEnding(todo, key) && <Tag tone="warning">{t('dashboardPage.endsSoon')}</Tag>}{' '}
                      {t('dashboardPage.unpaidUntil', { time: format.dateTime(todo.unpaidUntil) })}
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
