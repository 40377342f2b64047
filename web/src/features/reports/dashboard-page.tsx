import { type TrackingStatus, trackingStatusLabels } from '@waybill/contract/ground/enums'
import { trackingStatusLooks } from '@waybill/contract/ground/status-look'
import { getDashboard } from '@waybill/contract/reports/dashboard'
import { ButtonLink, TextLink } from '../../components/buttons/link.tsx'
import { BarChart } from '../../components/display/bar-chart.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Columns, Grid, LineList, Panel, Section, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Figure, Note } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Banners } from './banners.tsx'
import classes from './dashboard.module.css'

/** The customer's open tasks, most urgent first, with links. */
const todo = [
  { key: 'failedDeliveries', to: '/parcels', search: { tab: 'problem' } },
  { key: 'stuck', to: '/parcels', search: { tab: 'moving' } },
  { key: 'outstanding', to: '/outstanding', search: {} },
  { key: 'unpaid', to: '/parcels', search: { tab: 'unpaid' } },
  { key: 'toHandOver', to: '/parcels', search: { tab: 'to_hand_over' } },
  { key: 'inCart', to: '/cart', search: {} },
  { key: 'drafts', to: '/parcels', search: { tab: 'draft' } },
] as const

/** The dashboard: today's tasks, then figures. */
export function DashboardPage() {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const name = useSession((state) => state.auth.user?.name ?? '')
  const mayCreate = useSession((state) => state.auth.permissions.includes('parcels.create'))
  const dashboard = useCall(getDashboard, {})
  const header = (
    <PageHeader
      title={t('dashboardPage.title')}
      description={name && t('dashboardPage.hello', { name })}
      actions={
        mayCreate && (
          <ButtonLink to="/parcels/new" variant="filled">
            {t('dashboardPage.newParcel')}
          </ButtonLink>
        )
      }
    />
  )
  if (!dashboard.data) {
    return (
      <>
        {header}
        {dashboard.error ? <ErrorPanel error={dashboard.error} retry={() => void dashboard.refetch()} /> : <Loading />}
      </>
    )
  }
  const { data } = dashboard
  const openTasks = todo.filter(({ key }) => data.todo[key] > 0)
  const statuses = (Object.keys(trackingStatusLabels) as TrackingStatus[]).filter(
    (status) => (data.byTrackingStatus[status] ?? 0) > 0,
  )
  return (
    <>
      {header}
      <Section aria-labelledby="dashboard-todo" style={{ marginBlockEnd: 24 }}>
        <h2 id="dashboard-todo">{t('dashboardPage.todo')}</h2>
        {openTasks.length === 0 ? (
          <Note>{t('dashboardPage.nothing')}</Note>
        ) : (
          <Grid as="ul" min={168} gap={12}>
            {openTasks.map(({ key, to, search }) => (
              <li key={key}>
                <TextLink to={to} search={search} className={classes.task} underline="never">
                  <Figure as="span">{format.number(data.todo[key])}</Figure>
                  <span>{t(`dashboardPage.task.${key}`, { count: data.todo[key], hours: data.silenceHours })}</span>
                </TextLink>
              </li>
            ))}
          </Grid>
        )}
      </Section>
      <Columns template="minmax(0, 2fr) minmax(260px, 1fr)">
        <Panel className={classes.tall}>
          <BarChart
            title={t('dashboardPage.perDay')}
            series={[
              { key: 'created', label: t('dashboardPage.created'), tone: 'first' },
              { key: 'delivered', label: t('dashboardPage.delivered'), tone: 'second' },
            ]}
            bars={data.perDay.map(({ day, created, delivered }) => ({
              key: day,
              label: format.day(day),
              values: { created, delivered },
            }))}
            format={format.number}
          />
        </Panel>
        <Stack gap={24}>
          {data.walletBalanceMinor !== null && (
            <Panel title={t('dashboardPage.wallet')}>
              <Figure>{format.credits(data.walletBalanceMinor)}</Figure>
              <TextLink to="/wallet">{t('dashboardPage.toWallet')}</TextLink>
            </Panel>
          )}
          <Panel title={t('dashboardPage.now')}>
            {statuses.length === 0 ? (
              <Note>{t('dashboardPage.noParcels')}</Note>
            ) : (
              <LineList>
                {statuses.map((status) => (
                  <li key={status}>
                    <StatusPill look={trackingStatusLooks[status]} label={label(trackingStatusLabels, status)} />
                    <span>{format.number(data.byTrackingStatus[status] ?? 0)}</span>
                  </li>
                ))}
              </LineList>
            )}
          </Panel>
        </Stack>
      </Columns>
      {/* Last, so that loading them late does not shift the page. */}
      <Banners />
    </>
  )
}
