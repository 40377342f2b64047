import { getDrawer } from '@waybill/contract/payments/cash-desk'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Columns, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { HoldersCard } from '../cod/holders-card.tsx'
import { DrawerCard } from './drawer-card.tsx'
import { MovementList } from './movement-list.tsx'
import { OpenForm } from './open-form.tsx'
import { SaleForm } from './sale-form.tsx'

/** The station's cash drawer: opened in the morning, used all day, counted in the evening. */
export function CashPage() {
  const t = useT()
  const format = useFormat()
  const now = useCall(getDrawer, {}, { staleTime: 0 })
  const header = (description?: string) => (
    <PageHeader
      title={t('cashPage.title')}
      description={description}
      actions={<ButtonLink to="/staff/cash/closes">{t('cashPage.closes')}</ButtonLink>}
    />
  )
  if (!now.data) {
    const stationless = now.error instanceof ApiError && now.error.code === 'no_station'
    return (
      <>
        {stationless ? <PageHeader title={t('cashPage.title')} /> : header()}
        {stationless ? (
          <MessagePanel kind="empty" title={t('cashPage.noStation')} text={t('errors.no_station')} />
        ) : now.error ? (
          <ErrorPanel error={now.error} retry={() => void now.refetch()} />
        ) : (
          <Loading />
        )}
      </>
    )
  }
  const { station, drawer, dayOver, closedToday } = now.data
  return (
    <>
      {header(`${station.code} · ${station.name}`)}
      {!drawer && (
        <Columns template="minmax(0, 1fr) minmax(300px, 400px)">
          <Stack>
            {closedToday ? (
              <MessagePanel kind="empty" title={t('cashPage.closedToday')} text={t('cashPage.closedTodayHint')} />
            ) : (
              <OpenForm key={now.data.carriedMinor} now={now.data} />
            )}
          </Stack>
          <Stack>
            <HoldersCard holders={now.data.holders} currency={now.data.currency} open={false} />
          </Stack>
        </Columns>
      )}
      {drawer && (
        <>
          <Columns template="minmax(0, 1fr) minmax(300px, 400px)">
            <Stack>
              {dayOver ? (
                <MessagePanel
                  kind="error"
                  title={t('cashPage.dayOver', { day: format.day(drawer.day) })}
                  text={t('cashPage.dayOverHint')}
                />
              ) : (
                <SaleForm />
              )}
            </Stack>
            <Stack>
              <DrawerCard drawer={drawer} dayOver={dayOver} />
              <HoldersCard holders={now.data.holders} currency={now.data.currency} open={!dayOver} />
            </Stack>
          </Columns>
          <MovementList drawerId={drawer.id} currency={drawer.currency} />
        </>
      )}
    </>
  )
}
