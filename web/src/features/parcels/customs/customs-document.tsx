import { Button } from '@mantine/core'
import { IconFileDescription } from '@tabler/icons-react'
import { customsReasonLabels } from '@waybill/contract/ground/enums/enums'
import { getCustomsDocument } from '@waybill/contract/parcels/customs'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { openDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCountryName } from '../../../lib/settings/countries.ts'

/** The customs data of an international parcel, and the declaration to print and attach. */
export function CustomsPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const print = useSend(() => openDocument(getCustomsDocument, { params: { id: parcel.id } }))
  const { customs } = parcel
  if (!customs) return null
  return (
    <Panel title={t('fields.customs')}>
      <Facts>
        <Fact label={t('fields.reason')}>{customs.reasonText ?? label(customsReasonLabels, customs.reason)}</Fact>
        {customs.items.map((item, index) => (
          <CustomsLine
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a declaration have no key, and don't move
            key={index}
            item={item}
            amount={format.money(item.quantity * item.unitValueMinor, parcel.currency)}
          />
        ))}
      </Facts>
      {parcel.allowedActions.includes('print_customs') && (
        <Button
          leftSection={<IconFileDescription size={18} aria-hidden />}
          loading={print.pending}
          onClick={() => void print.send()}
        >
          {t('customsForm.print')}
        </Button>
      )}
    </Panel>
  )
}

function CustomsLine({
  item,
  amount,
}: {
  item: NonNullable<ParcelDetail['customs']>['items'][number]
  amount: string
}) {
  const getCountryName = useCountryName()
  const { quantity, description, hsCode, originCountry } = item
  return (
    <Fact
      label={
        <>
          {quantity} × {description}
        </>
      }
    >
      {amount}
      <Quiet style={{ whiteSpace: 'nowrap' }}>
        {[hsCode && `HS ${hsCode}`, getCountryName(originCountry)].filter(Boolean).join(' · ')}
      </Quiet>
    </Fact>
  )
}
