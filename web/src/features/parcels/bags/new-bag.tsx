import { type BagDetail, createBag, listBags } from '@waybill/contract/parcels/transport/bags'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { DestinationField, StationChoice } from '../scanning/station-choice.tsx'

type Props = {
  /** Where it is filled. */
  stationId: string | null
  /** Chooses that station; null: the user's own. */
  onStation: ((id: string | null) => void) | null
  onCreated: (bag: BagDetail) => void
  onClose: () => void
}

/** Opens an empty bag for another station. */
export function NewBag({ stationId, onStation, onCreated, onClose }: Props) {
  const t = useT()
  const callOnce = useCallOnce()
  const initial: { toStationId: string | null } = { toStationId: null }
  const form = useContractForm({
    schema: createBag.body,
    initial,
    prepare: (values) => ({ ...values, ...(stationId && { stationId }) }),
    onSubmit: (body) => callOnce(createBag, { body }),
    refresh: [listBags],
    onSuccess: onCreated,
  })
  return (
    <SaveDialog title={t('bagPage.newTitle')} form={form} onClose={onClose} save={t('bagPage.create')}>
      {onStation && <StationChoice value={stationId} onChange={onStation} />}
      <DestinationField field={form.field('toStationId')} except={stationId} />
    </SaveDialog>
  )
}
