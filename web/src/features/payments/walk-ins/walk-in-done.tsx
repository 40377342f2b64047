import { Button } from '@mantine/core'
import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Buttons, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { ParcelPrints } from '../../parcels/shared/parcel-prints.tsx'
import { ReceiptButtons } from '../cash-desk/receipt-buttons.tsx'
import type { Booking } from './walk-in-desk.tsx'

type Props = {
  booking: Booking
  /** For the next person. */
  onNext: () => void
  /** For another parcel of the same sender. */
  onAnother: () => void
}

/** After the payment: the change, the prints, and the next parcel. */
export function WalkInDone({ booking, onNext, onAnother }: Props) {
  const t = useT()
  const format = useFormat()
  const { trackingNumber, sale, sender, receiver } = booking
  const parcel = useCall(staffParcelByNumber, { params: { no: trackingNumber } })
  return (
    <Panel aria-label={t('walkInPage.done')}>
      <Notice as="div" size="lg" tone="success" role="status">
        <strong>{t('cashPage.changeIs', { amount: format.money(sale.changeMinor, sale.currency) })}</strong>
        <span>{t('walkInPage.accepted', { amount: format.money(sale.cashMinor, sale.currency), name: receiver })}</span>
      </Notice>
      <Facts>
        <Fact label={t('fields.trackingNumber')}>
          <CopyNumber value={trackingNumber} text={format.trackingNumber(trackingNumber)} />
        </Fact>
        <Fact label={t('fields.sender')}>{sender.party.contactName}</Fact>
        {sender.party.email && <Fact label={t('walkInPage.mails')}>{sender.party.email}</Fact>}
      </Facts>
      {parcel.data ? (
        <ParcelPrints parcel={parcel.data} main />
      ) : parcel.error ? (
        <ErrorPanel error={parcel.error} retry={() => void parcel.refetch()} />
      ) : (
        <Loading />
      )}
      <ReceiptButtons saleId={sale.movementId} main={false} />
      <Buttons>
        <Button onClick={onAnother}>{t('walkInPage.another')}</Button>
        <Button onClick={onNext}>{t('walkInPage.next')}</Button>
      </Buttons>
    </Panel>
  )
}
