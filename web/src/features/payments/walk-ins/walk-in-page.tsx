import { listDrawers } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import type { PartyValues } from '../../addresses/shared/party-values.ts'
import { DrawersPending } from '../shared/drawers-pending.tsx'
import { type Booking, WalkInDesk } from './walk-in-desk.tsx'
import { WalkInDone } from './walk-in-done.tsx'

/** A sender without an account at the counter: the parcel, the cash and the acceptance on one screen. */
export function WalkInPage() {
  const t = useT()
  const country = useDeployment()?.countryCode
  const [drawerChoice, setDrawerChoice] = useKept<number | null>('cash-drawer', null)
  const now = useCall(listDrawers, {}, { staleTime: 0 })
  const [booking, setBooking] = useState<Booking | null>(null)
  /** The sender of the next parcel, if it is the same one; `visit` counts the parcels, so that each starts anew. */
  const [next, setNext] = useState<{ visit: number; sender: PartyValues | null }>({ visit: 0, sender: null })
  const title = t('walkInPage.title')
  if (!now.data || !country) {
    return (
      <>
        <PageHeader title={title} />
        <DrawersPending error={now.error} retry={() => void now.refetch()} />
      </>
    )
  }
  const { station, drawers, currency } = now.data
  const usable = drawers.filter(({ open, dayOver }) => open !== null && !dayOver).map(({ number }) => number)
  const drawerNumber = usable.find((number) => number === drawerChoice) ?? usable[0]
  const begin = (sender: PartyValues | null) => {
    setBooking(null)
    setNext({ visit: next.visit + 1, sender })
  }
  return (
    <>
      <PageHeader
        title={title}
        description={`${station.code} · ${station.name}`}
        actions={<ButtonLink to="/staff/counter">{t('walkInPage.toCounter')}</ButtonLink>}
      />
      {booking ? (
        <WalkInDone booking={booking} onNext={() => begin(null)} onAnother={() => begin(booking.sender)} />
      ) : drawerNumber === undefined ? (
        <MessagePanel
          kind="empty"
          title={t('walkInPage.noDrawer')}
          text={t('walkInPage.noDrawerText')}
          action={
            <ButtonLink to="/staff/cash" variant="filled">
              {t('walkInPage.openDrawer')}
            </ButtonLink>
          }
        />
      ) : (
        <>
          {usable.length > 1 && (
            <Tabs
              label={t('cashPage.drawers')}
              current={String(drawerNumber)}
              onSelect={(number) => setDrawerChoice(Number(number))}
              tabs={usable.map((number) => ({ key: String(number), label: t('cashPage.drawer', { number }) }))}
            />
          )}
          <WalkInDesk
            key={next.visit}
            {...{ stationId: station.id, drawerNumber, currency, country, sender: next.sender }}
            onBooked={setBooking}
          />
        </>
      )}
    </>
  )
}
