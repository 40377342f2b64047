import { type CashReceipt, receiptParcels } from '@waybill/contract/payments/cash-receipts'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { printElement } from '../../../lib/browser/print-element.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './receipt-paper.module.css'

/** The paper width of a receipt printer. */
const rollWidthMm = 80

type Props = { receipt: CashReceipt; onPrinted: () => void }

/**
 * A receipt on roll paper: printed as soon as it is laid out, and never visible on the screen. The PDF has the same
 * content (`layout-receipt.ts` on the server).
 */
export function ReceiptPaper({ receipt, onPrinted }: Props) {
  const t = useT()
  const format = useFormat()
  const paper = useRef<HTMLDivElement>(null)
  const onPrintedRef = useRef(onPrinted)
  onPrintedRef.current = onPrinted
  useEffect(() => {
    const element = paper.current
    if (!element) return
    let isUnmounted = false
    // The font must be loaded, because another one has other widths.
    void document.fonts.ready.then(async () => {
      if (isUnmounted) return
      await printElement(element, rollWidthMm)
      if (!isUnmounted) onPrintedRef.current()
    })
    return () => {
      isUnmounted = true
    }
  }, [])

  const { seller, station, currency } = receipt
  const money = (minor: number) => format.money(minor, currency)
  const copy = receipt.copy && <p className={classes.copy}>{t('receiptDoc.copy', { print: receipt.print })}</p>
  const numbers = [
    seller.registrationNumber && `${t('receiptDoc.registrationNumber')} ${seller.registrationNumber}`,
    seller.taxNumber && `${t('receiptDoc.taxNumber')} ${seller.taxNumber}`,
  ].filter(Boolean)
  const more = receipt.parcels.length - receiptParcels
  return createPortal(
    <div ref={paper} className={classes.paper} aria-hidden>
      {copy}
      <header>
        <h1>{seller.name}</h1>
        <p>{seller.address}</p>
        {numbers.map((number) => (
          <p key={number}>{number}</p>
        ))}
        <h2>{t('receiptDoc.title')}</h2>
        <strong>{receipt.number}</strong>
      </header>
      <Pairs
        pairs={[
          [t('receiptDoc.at'), format.dateTime(receipt.at)],
          [t('receiptDoc.station'), station.name],
          [t('receiptDoc.cashier'), receipt.cashier],
          [t('receiptDoc.customer'), receipt.customer],
          [t('receiptDoc.order'), receipt.orderNumber],
          [t('receiptDoc.invoice'), receipt.invoiceNumber],
        ]}
      />
      <Pairs
        pairs={receipt.lines.map(({ description, quantity, amountMinor }) => [
          quantity > 1 ? `${description} ×\u00a0${quantity}` : description,
          money(amountMinor),
        ])}
      />
      {receipt.parcels.length > 0 && (
        <p className={classes.parcels}>
          {receipt.parcels.slice(0, receiptParcels).map((number) => (
            <span key={number}>{format.trackingNumber(number)}</span>
          ))}
          {more > 0 && <span>{t('receiptDoc.more', { count: more })}</span>}
        </p>
      )}
      <Pairs
        pairs={[
          [t('receiptDoc.net'), money(receipt.netMinor)],
          [t('price.line.tax'), money(receipt.taxMinor)],
          [t('receiptDoc.total'), money(receipt.totalMinor)],
          ...(receipt.roundedMinor === 0
            ? []
            : ([
                [t('receiptDoc.rounded'), money(receipt.roundedMinor)],
                [t('receiptDoc.toPay'), money(receipt.cashMinor)],
              ] as const)),
        ]}
        strongest
      />
      <Pairs
        pairs={[
          [t('receiptDoc.given'), money(receipt.givenMinor)],
          [t('receiptDoc.change'), money(receipt.changeMinor)],
        ]}
        strongest
      />
      <p className={classes.thanks}>{t('receiptDoc.thanks')}</p>
      {copy}
    </div>,
    document.body,
  )
}

/** Captions on the left, values on the right. `strongest`: the last pair stands out. */
function Pairs({ pairs, strongest }: { pairs: readonly (readonly [string, string])[]; strongest?: boolean }) {
  return (
    <dl className={classes.pairs} data-strongest={strongest || undefined}>
      {pairs.map(([caption, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: printed once, never reordered; two lines may be equal
        <div key={index}>
          <dt>{caption}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
