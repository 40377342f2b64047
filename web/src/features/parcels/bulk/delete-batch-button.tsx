import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { clearBulk, listBulk } from '@waybill/contract/parcels/bulk'
import { useSend } from '../../../components/feedback/use-send.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** Deletes a batch in whatever state; its parcels in the cart stay. */
export function DeleteBatchButton({ id }: { id: string }) {
  const t = useT()
  const navigate = useNavigate()
  const remove = useSend(() => call(clearBulk, { body: { id } }), {
    confirm: { title: t('bulk.clear'), message: t('bulk.clearSure'), action: t('actions.remove') },
    refresh: [listBulk],
    onSuccess: () => navigate({ to: '/parcels/bulk' }),
  })
  return (
    <Button variant="subtle" onClick={() => void remove.send()} loading={remove.pending}>
      {t('bulk.clear')}
    </Button>
  )
}
