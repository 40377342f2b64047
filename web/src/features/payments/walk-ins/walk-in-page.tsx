import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { listDrawers } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { DrawerTabs } from '../shared/drawer-tabs.tsx'
import { DrawersPending } from '../shared/drawers-pending.tsx'
import { NoDrawer, takesCash } from './no-drawer.tsx'
import { type Booking, WalkInDesk, type WalkInSender } from './walk-in-desk.tsx'
import { WalkInDone } from './walk-in-done.tsx'

/** A sender without an account at the counter: the parcel, the cash and the acceptance on one screen. */
export function WalkInPage() {
  const t = useT()
  const country = useDeployment()?.countryCode
  const now = useCall(listDrawers, {}, { staleTime: 0 })
  if (!now.data || !country) {
    return (
      <>
        <PageHeader title={t('walkInPage.title')} />
        <DrawersPending error={now.error} retry={() => void now.refetch()} />
      </>
    )
  }
  return <WalkInCounter desk={now.data} country={country} />
}

type Props = { desk: ResponseOf<typeof listDrawers>; country: string }

/** The counter with its drawer. A drawer that a colleague closes meanwhile is neither replaced, nor is input lost. */
function WalkInCounter({ desk: { station, drawers, currency }, country }: Props) {
  const t = useT()
  const open = drawers.filter(takesCash).map(({ number }) => number)
  const [drawerChoice, setDrawerChoice] = useKept<number | null>('cash-drawer', null)
  const [chosenDrawer, setChosenDrawer] = useState(() => open.find((number) => number === drawerChoice) ?? open[0])
  const [booking, setBooking] = useState<Booking | null>(null)
  /** The sender of the next parcel, if it is the same one; `visit` counts the parcels, so that each starts anew. */
  const [next, setNext] = useState<{ visit: number; sender: WalkInSender | null }>({ visit: 0, sender: null })
  const drawerNumber = chosenDrawer ?? open[0]
  if (drawerNumber !== chosenDrawer) setChosenDrawer(drawerNumber)
  const begin = (sender: WalkInSender | null) => {
    setBooking(null)
    setNext({ visit: next.visit + 1, sender })
  }
  const place = `${station.code} · ${station.name}`
  const header = (description: string) => (
    <PageHeader
      title={t('walkInPage.title')}
      description={description}
      actions={<ButtonLink to="/staff/counter">{t('walkInPage.toCounter')}</ButtonLink>}
    />
  )
  const drawer = drawers.find(({ number }) => number === drawerNumber)
  if (!drawer) {
    return (
      <>
        {header(place)}
        <NoDrawer drawers={drawers} currency={currency} />
      </>
    )
  }
  const numbers = [...new Set([...open, drawer.number])].sort((one, other) => one - other)
  return (
    <>
      {header(`${place} · ${t('cashPage.drawer', { number: drawer.number })}`)}
      {booking ? (
        <WalkInDone booking={booking} onNext={() => begin(null)} onAnother={() => begin(booking.sender)} />
      ) : (
        <>
          <DrawerTabs
            numbers={numbers}
            current={drawer.number}
            onSelect={(number) => {
              setChosenDrawer(number)
              setDrawerChoice(number)
            }}
            state={(number) => (open.includes(number) ? undefined : t('cashPage.state.closed'))}
          />
          <WalkInDesk
            key={next.visit}
            {...{ stationId: station.id, drawer, currency, country, sender: next.sender }}
            onBooked={setBooking}
          />
        </>
      )}
    </>
  )
}
