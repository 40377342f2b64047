import { Button } from '@mantine/core'
import type { StationDrawer } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { OpenDialog } from '../cash-desk/open-form.tsx'

/** Whether a drawer takes cash: it is open, and was opened today. */
export const takesCash = ({ open, dayOver }: StationDrawer) => open !== null && !dayOver

/** Instead of the desk: no drawer of the station takes cash. One that is closed can be opened here. */
export function NoDrawer({ drawers, currency }: { drawers: readonly StationDrawer[]; currency: string }) {
  const t = useT()
  const format = useFormat()
  const [opening, setOpening] = useState(false)
  const closedDrawer = drawers.find(({ open }) => open === null)
  const [first] = drawers
  if (!closedDrawer && first?.open) {
    return (
      <MessagePanel
        kind="empty"
        title={t('cashPage.dayOver', { number: first.number, day: format.day(first.open.day) })}
        text={t('cashPage.dayOverHint')}
        action={
          <ButtonLink to="/staff/cash" variant="filled">
            {t('walkInPage.toCash')}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <>
      <MessagePanel
        kind="empty"
        title={t('walkInPage.noDrawer')}
        text={t('walkInPage.noDrawerText')}
        action={
          closedDrawer && (
            <Button variant="filled" onClick={() => setOpening(true)}>
              {t('cashPage.open', { number: closedDrawer.number })}
            </Button>
          )
        }
      />
      {opening && closedDrawer && (
        <OpenDialog drawer={closedDrawer} currency={currency} onClose={() => setOpening(false)} />
      )}
    </>
  )
}

/**
 * Above the button that takes the cash: the drawer was closed while the clerk was typing. A drawer of an earlier day is
 * counted on its page, in another tab, so that the input stays.
 */
export function ClosedDrawerNotice({
  drawer: { number, open },
  onOpen,
}: {
  drawer: StationDrawer
  onOpen: () => void
}) {
  const t = useT()
  const format = useFormat()
  if (open) {
    return (
      <Notice as="div" tone="danger" role="alert">
        <Stack gap={4}>
          <strong>{t('cashPage.dayOver', { number, day: format.day(open.day) })}</strong>
          <span>{t('cashPage.dayOverHint')}</span>
        </Stack>
        <ButtonLink to="/staff/cash" target="_blank">
          {t('walkInPage.toCash')}
        </ButtonLink>
      </Notice>
    )
  }
  return (
    <Notice as="div" tone="danger" role="alert">
      <span>{t('walkInPage.drawerClosed', { number })}</span>
      <Button onClick={onOpen}>{t('cashPage.open', { number })}</Button>
    </Notice>
  )
}
