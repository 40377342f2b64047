import { Button } from '@mantine/core'
import type { CashHolder } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { Time } from '../../../components/display/time.tsx'
import { Buttons, LineList, Panel } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { HandInDialog } from './hand-in-dialog.tsx'

type Props = {
  holders: readonly CashHolder[]
  currency: string
  /** The drawer that receives the cash; null: none is open. */
  drawerNumber: number | null
}

/** Collected money that riders still hold. At the hand-in another person counts it, and it goes into the drawer. */
export function HoldersCard({ holders, currency, drawerNumber }: Props) {
  const t = useT()
  return (
    <Panel gap={12} padding={20} aria-label={t('cashPage.withRiders')} title={t('cashPage.withRiders')}>
      {holders.length === 0 ? (
        <Note>{t('cashPage.withNobody')}</Note>
      ) : (
        <LineList>
          {holders.map((holder) => (
            <Holder key={holder.userId} holder={holder} currency={currency} drawerNumber={drawerNumber} />
          ))}
        </LineList>
      )}
    </Panel>
  )
}

function Holder({ holder, currency, drawerNumber }: Omit<Props, 'holders'> & { holder: CashHolder }) {
  const t = useT()
  const format = useFormat()
  const own = useSession((state) => state.auth.user?.id) === holder.userId
  const [counting, setCounting] = useState(false)
  const { name, count, amountMinor, since } = holder
  const amount = format.money(amountMinor, currency)
  return (
    <li>
      <span>
        {name}
        <Quiet>
          {t('cashPage.parcels', { count })} · <Time at={since} />
        </Quiet>
      </span>
      <Buttons as="span">
        <strong>{amount}</strong>
        {drawerNumber !== null && own && <Quiet>{t('cashPage.ownMoney')}</Quiet>}
        {drawerNumber !== null && !own && (
          <Button size="sm" aria-label={t('cashPage.takeInFrom', { name, amount })} onClick={() => setCounting(true)}>
            {t('cashPage.takeIn')}
          </Button>
        )}
      </Buttons>
      {counting && drawerNumber !== null && (
        <HandInDialog
          holder={holder}
          currency={currency}
          drawerNumber={drawerNumber}
          onClose={() => setCounting(false)}
        />
      )}
    </li>
  )
}
