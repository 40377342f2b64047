import { Button } from '@mantine/core'
import type { DrawerShift, enteredMovementKinds } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { Grid, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { CloseDialog } from './close-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'

type EnteredKind = (typeof enteredMovementKinds)[number]

/** The expected amount in the drawer, and its movements. */
export function DrawerCard({ drawer, dayOver }: { drawer: DrawerShift; dayOver: boolean }) {
  const t = useT()
  const format = useFormat()
  const [dialogKind, setDialogKind] = useState<EnteredKind | 'close' | null>(null)
  const close = () => setDialogKind(null)
  const title = t('cashPage.drawer', { number: drawer.number })
  return (
    <Panel gap={12} padding={20} aria-label={title} title={title}>
      <Note>{t('cashPage.openedBy', { name: drawer.openedBy, time: format.dateTime(drawer.openedAt) })}</Note>
      {drawer.reopened && (
        <Note>
          {t('cashPage.reopenedNote', {
            name: drawer.reopened.by,
            time: format.dateTime(drawer.reopened.at),
            reason: drawer.reopened.reason,
          })}
        </Note>
      )}
      {drawer.sums ? <DrawerSums drawer={drawer} sums={drawer.sums} /> : <BlindDrawer drawer={drawer} />}
      <Grid min={140} gap={8}>
        {!dayOver && (
          <>
            <Button size="sm" onClick={() => setDialogKind('cash_in')}>
              {t('cashPage.putIn')}
            </Button>
            <Button size="sm" onClick={() => setDialogKind('cash_out')}>
              {t('cashPage.takeOut')}
            </Button>
            <Button size="sm" onClick={() => setDialogKind('bank')}>
              {t('cashPage.toBank')}
            </Button>
          </>
        )}
        <Button size="sm" variant={dayOver ? 'filled' : 'default'} onClick={() => setDialogKind('close')}>
          {t('cashPage.close')}
        </Button>
      </Grid>
      {dialogKind === 'close' && <CloseDialog drawer={drawer} onClose={close} />}
      {dialogKind !== null && dialogKind !== 'close' && (
        <MoveDialog kind={dialogKind} drawer={drawer} onClose={close} />
      )}
    </Panel>
  )
}

/** The figures of an open drawer that a blind count does not hide. */
function BlindDrawer({ drawer }: { drawer: DrawerShift }) {
  const t = useT()
  const format = useFormat()
  return (
    <>
      <Facts>
        <Fact label={t('cashDoc.float')}>{format.money(drawer.floatMinor, drawer.currency)}</Fact>
        <Fact label={t('cashPage.salesCount')}>{format.number(drawer.salesCount)}</Fact>
      </Facts>
      <Note>{t('cashPage.blind')}</Note>
    </>
  )
}

function DrawerSums({ drawer, sums }: { drawer: DrawerShift; sums: NonNullable<DrawerShift['sums']> }) {
  const t = useT()
  const format = useFormat()
  const lines: [string, number][] = [
    [t('cashDoc.float'), drawer.floatMinor],
    [t('cashMovement.sale'), sums.salesMinor],
    [t('cashMovement.hand_in'), sums.handedInMinor],
    [t('cashMovement.cash_in'), sums.cashInMinor],
    [t('cashMovement.cash_out'), sums.cashOutMinor],
    [t('cashMovement.bank'), sums.bankMinor],
  ]
  return (
    <Facts>
      {lines.map(([name, minor], n) =>
        minor === 0 && n > 1 ? null : (
          <Fact key={name} label={name}>
            {format.money(minor, drawer.currency)}
          </Fact>
        ),
      )}
      <Fact label={t('cashPage.expected')} total>
        {format.money(sums.expectedMinor, drawer.currency)}
      </Fact>
    </Facts>
  )
}
