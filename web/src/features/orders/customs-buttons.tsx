import { Button } from '@mantine/core'
import { IconFileDescription } from '@tabler/icons-react'
import { getCustomsDocument } from '@waybill/contract/parcels/customs'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useSend } from '../../components/feedback/use-send.ts'
import { openDocument } from '../../lib/download.ts'
import { useT } from '../../lib/i18n.ts'

/** The customs declarations of an order's international parcels, one document each. */
export function CustomsButtons({ parcels }: { parcels: readonly Parcel[] }) {
  const t = useT()
  const open = useSend((id: string) => openDocument(getCustomsDocument, { params: { id } }))
  const abroad = parcels.filter(({ allowedActions }) => allowedActions.includes('print_customs'))
  return abroad.map(({ id, receiver }) => (
    <Button
      key={id}
      leftSection={<IconFileDescription size={18} aria-hidden />}
      disabled={open.pending}
      onClick={() => void open.send(id)}
    >
      {abroad.length === 1 ? t('customsForm.print') : t('customsForm.printFor', { name: receiver?.contactName ?? '' })}
    </Button>
  ))
}
