import { Button } from '@mantine/core'
import { IconLayoutGrid } from '@tabler/icons-react'
import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import { lazy, useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay, useSession } from '../../lib/session.ts'
import { FirstSteps } from './first-steps.tsx'
import { hasTasks, TodoList } from './todo-list.tsx'
import { WidgetGrid } from './widget-grid.tsx'

// With its drag-and-drop library it is as large as the page itself, and most visits do not need it.
const ArrangePanel = lazy(async () => ({ default: (await import('./arrange-panel.tsx')).ArrangePanel }))

/** The home page: a new user's first steps, the to-do list, then the widgets that the user has arranged. */
export function DashboardPage() {
  const t = useT()
  const name = useSession((state) => state.auth.user?.name ?? '')
  const mayCreate = useMay('parcels.create')
  const [arranging, setArranging] = useState(false)
  const dashboard = useCall(getDashboard, {})
  const { data } = dashboard
  // A user who may not create parcels, such as one of a suspended account, has no steps to take.
  const steps = mayCreate ? data?.firstSteps : null
  // Empty charts mean nothing to a new user. Users who have arranged the page see their arrangement.
  const isBare = Boolean(data?.firstSteps) && !arranging && data?.widgets.every(({ version }) => version === 1)
  const widgets = (data?.widgets ?? []).filter(({ kind }) => !isBare || kind === 'banner')
  return (
    <>
      <PageHeader
        title={t('dashboardPage.title')}
        description={name && t('dashboardPage.hello', { name })}
        actions={
          <>
            {data && (
              <Button
                leftSection={<IconLayoutGrid size={18} aria-hidden />}
                aria-expanded={arranging}
                onClick={() => setArranging(!arranging)}
              >
                {arranging ? t('dashboardPage.arrange.done') : t('dashboardPage.arrange.open')}
              </Button>
            )}
            {mayCreate && !steps && (
              <ButtonLink to="/parcels/new" variant="filled">
                {t('dashboardPage.newParcel')}
              </ButtonLink>
            )}
          </>
        }
      />
      {data ? (
        <>
          {arranging ? (
            <LazyPart fallback={<Loading />}>
              <ArrangePanel widgets={data.widgets} available={data.available} />
            </LazyPart>
          ) : (
            <>
              {steps && <FirstSteps steps={steps} />}
              {(!steps || hasTasks(data.todo)) && <TodoList todo={data.todo} silenceHours={data.silenceHours} />}
            </>
          )}
          <WidgetGrid widgets={widgets} />
        </>
      ) : dashboard.error ? (
        <ErrorPanel error={dashboard.error} retry={() => void dashboard.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}
