import { type TrackingStatus, trackingStatusLabels } from '@waybill/contract/ground/enums'
import { trackingStatusLooks } from '@waybill/contract/ground/status-look'
import { getDashboard } from '@waybill/contract/reports/dashboard'
import { BarChart } from '../../components/bar-chart.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { ErrorPanel } from '../../components/message-panel.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusPill } from '../../components/status-pill.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Banners } from './banners.tsx'
import classes from './dashboard.module.css'

/** What needs the customer, most urgent first, and where each is dealt with. */
const todo = [
  { key: 'failedDeliveries', to: '/parcels', search: { tab: 'problem' } },
  { key: 'stuck', to: '/parcels', search: { tab: 'moving' } },
  { key: 'outstanding', to: '/outstanding', search: {} },
  { key: 'unpaid', to: '/parcels', search: { tab: 'unpaid' } },
  { key: 'toHandOver', to: '/parcels', search: { tab: 'to_hand_over' } },
  { key: 'inCart', to: '/cart', search: {} },
  { key: 'drafts', to: '/parcels', search: { tab: 'draft' } },
] as const

/** The home page: what needs you today, then figures. */
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
  const needed = todo.filter(({ key }) => data.todo[key] > 0)
  const statuses = (Object.keys(trackingStatusLabels) as TrackingStatus[]).filter(
    (status) => (data.byTrackingStatus[status] ?? 0) > 0,
  )
  return (
    <>
      {header}
      <section className={classes.section} aria-labelledby="dashboard-todo">
        <h2 id="dashboard-todo" className={classes.heading}>
          {t('dashboardPage.todo')}
        </h2>
        {needed.length === 0 ? (
          <p className={classes.quiet}>{t('dashboardPage.nothing')}</p>
        ) : (
          <ul className={classes.todo}>
            {needed.map(({ key, to, search }) => (
              <li key={key}>
                <TextLink to={to} search={search} className={classes.task} underline="never">
                  <span className={classes.figure}>{format.number(data.todo[key])}</span>
                  <span>{t(`dashboardPage.task.${key}`, { count: data.todo[key], hours: data.silenceHours })}</span>
                </TextLink>
              </li>
            ))}
          </ul>
        )}
      </section>
      <div className={classes.columns}>
        <section className={classes.card}>
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
        </section>
        <div className={classes.column}>
          {data.walletBalanceMinor !== null && (
            <section className={classes.card}>
              <h2 className={classes.cardTitle}>{t('dashboardPage.wallet')}</h2>
              <p className={classes.balance}>{format.credits(data.walletBalanceMinor)}</p>
              <TextLink to="/wallet">{t('dashboardPage.toWallet')}</TextLink>
            </section>
          )}
          <section className={classes.card}>
            <h2 className={classes.cardTitle}>{t('dashboardPage.now')}</h2>
            {statuses.length === 0 ? (
              <p className={classes.quiet}>{t('dashboardPage.noParcels')}</p>
            ) : (
              <ul className={classes.statuses}>
                {statuses.map((status) => (
                  <li key={status}>
                    <StatusPill look={trackingStatusLooks[status]} label={label(trackingStatusLabels, status)} />
                    <span>{format.number(data.byTrackingStatus[status] ?? 0)}</span>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
      </div>
      {/* Last: they come when they come, and push nothing away. */}
      <Banners />
    </>
  )
}
