import { Button } from '@mantine/core'
import { type CashHolder, listDrawers, type StationDrawer } from '@waybill/contract/payments/cash-desk'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Columns, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { HoldersCard } from '../cod/holders-card.tsx'
import { DrawerTabs } from '../shared/drawer-tabs.tsx'
import { DrawersPending, isStationless } from '../shared/drawers-pending.tsx'
import { DrawerCard } from './drawer-card.tsx'
import { MovementList } from './movement-list.tsx'
import { OpenForm } from './open-form.tsx'
import { SaleForm } from './sale-form.tsx'

/** The station's cash drawers: each is opened with its float, used for a shift, and counted. */
export function CashPage() {
  const t = useT()
  /** The number of the selected drawer, stored on this device. */
  const [drawerChoice, setDrawerChoice] = useKept<number | null>('cash-drawer', null)
  const now = useCall(listDrawers, {}, { staleTime: 0 })
  const header = (description?: string, action?: ReactNode) => (
    <PageHeader
      title={t('cashPage.title')}
      description={description}
      actions={
        <>
          {action}
          <ButtonLink to="/staff/cash/shifts">{t('cashPage.shifts')}</ButtonLink>
        </>
      }
    />
  )
  if (!now.data) {
    return (
      <>
        {isStationless(now.error) ? <PageHeader title={t('cashPage.title')} /> : header()}
        <DrawersPending error={now.error} retry={() => void now.refetch()} />
      </>
    )
  }
  const { station, currency, drawers, nextNumber, holders } = now.data
  const unused = { open: null, dayOver: false, lastClosed: null, carriedMinor: 0 }
  const drawer =
    drawers.find(({ number }) => number === drawerChoice) ??
    (drawerChoice !== null && drawerChoice === nextNumber ? { ...unused, number: drawerChoice } : usualDrawer(drawers))
  const openNumbers = new Set(drawers.filter(({ open }) => open !== null).map(({ number }) => number))
  const numbers = [...new Set([...drawers.map(({ number }) => number), drawer.number])]
  return (
    <>
      {header(
        `${station.code} · ${station.name}`,
        nextNumber !== null && drawer.number !== nextNumber && (
          <Button onClick={() => setDrawerChoice(nextNumber)}>{t('cashPage.another')}</Button>
        ),
      )}
      <DrawerTabs
        numbers={numbers}
        current={drawer.number}
        onSelect={setDrawerChoice}
        state={(number) =>
          openNumbers.has(number)
            ? undefined
            : t(number === nextNumber ? 'cashPage.newDrawer' : 'cashPage.state.closed')
        }
      />
      <DrawerDesk key={drawer.number} drawer={drawer} holders={holders} currency={currency} />
    </>
  )
}

/** The drawer to begin with: the first open one. */
const usualDrawer = (drawers: readonly StationDrawer[]) =>
  drawers.find(({ open }) => open !== null) ?? (drawers[0] as StationDrawer)

type DeskProps = { drawer: StationDrawer; holders: readonly CashHolder[]; currency: string }

/** One drawer: what is due at its counter, its cash, and its movements. */
function DrawerDesk({ drawer, holders, currency }: DeskProps) {
  const t = useT()
  const format = useFormat()
  const { number, open, dayOver } = drawer
  return (
    <>
      <Columns template="minmax(0, 1fr) minmax(300px, 400px)">
        <Stack>
          {!open ? (
            <OpenForm key={drawer.carriedMinor} drawer={drawer} currency={currency} />
          ) : dayOver ? (
            <MessagePanel
              kind="error"
              title={t('cashPage.dayOver', { number, day: format.day(open.day) })}
              text={t('cashPage.dayOverHint')}
            />
          ) : (
            <SaleForm drawerNumber={number} />
          )}
        </Stack>
        <Stack>
          {open && <DrawerCard drawer={open} dayOver={dayOver} />}
          <HoldersCard holders={holders} currency={currency} drawerNumber={open && !dayOver ? number : null} />
        </Stack>
      </Columns>
      {open && <MovementList drawerId={open.id} currency={open.currency} />}
    </>
  )
}
