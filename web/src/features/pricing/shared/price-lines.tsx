import { carrierLabels, isOtherCarrier } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { ReactNode } from 'react'
import { AmountLines } from '../../../components/display/amount-lines.tsx'
import { keepOnOneLine } from '../../../components/display/line-breaks.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

type Props = {
  lines: readonly PriceLine[]
  totalMinor: number
  currency: string
  /** A second line of text; by default the service of an order's line. */
  detail?: (line: PriceLine) => ReactNode
  /** The label of the sum; by default "Total". */
  total?: string
}

/** A price line by line. Zero lines are omitted, except a pickup without a fee, which is not the same as none. */
export function PriceLines({ lines, totalMinor, currency, detail, total }: Props) {
  const t = useT()
  const format = useFormat()
  const service = useServiceName()
  return (
    <AmountLines
      lines={lines
        .filter(({ kind, amountMinor }) => amountMinor !== 0 || kind === 'pickup')
        .map((line, index) => ({
          key: `${line.kind}-${index}`,
          label: t(`price.line.${line.kind}`),
          detail: detail ? detail(line) : service(line.basis.serviceCode),
          amount: format.money(line.amountMinor, currency),
        }))}
      total={{ label: total ?? t('cart.total'), amount: format.money(totalMinor, currency) }}
    />
  )
}

/**
 * `own.e_parcel.D2D` -> `E-parcel · Pick Up - Delivery`, `dhl.e_parcel.D2D` -> `E-parcel · DHL · Pick Up - Delivery`;
 * undefined for an unknown code. A line can end only at a dot.
 */
export function useServiceName() {
  const label = useLabel()
  return (code: unknown): string | undefined => {
    const [carrier = '', type = '', mode = ''] = typeof code === 'string' ? code.split('.') : []
    if (!(type in serviceTypeLabels) || !(mode in deliveryModeLabels)) return undefined
    const names = [
      label(serviceTypeLabels, type as keyof typeof serviceTypeLabels),
      ...(isOtherCarrier(carrier) ? [label(carrierLabels, carrier)] : []),
      label(deliveryModeLabels, mode as keyof typeof deliveryModeLabels),
    ]
    return names.map(keepOnOneLine).join(' · ')
  }
}
