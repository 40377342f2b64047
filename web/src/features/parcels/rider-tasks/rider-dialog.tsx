import { assignDelivery, getDeliveryTask, listDeliveryTasks } from '@waybill/contract/parcels/rider-tasks'
import { listRiders } from '@waybill/contract/pickups/rider-tasks'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { AssignRider } from '../shared/assign-rider.tsx'
import { TaskSteps } from '../shared/task-steps.tsx'

/** Gives a parcel that is out for delivery to another rider. Below it is the history of its riders. */
export function RiderDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const task = useCall(getDeliveryTask, { params: { id } }, { staleTime: 0 })
  const stationId = task.data?.stationId
  const mayAssign = task.data?.mayAssign ?? false
  const riders = useCall(listRiders, { query: stationId ? { stationId } : {} }, { enabled: mayAssign })

  const refresh = [listDeliveryTasks, getDeliveryTask]
  const assign = useSend(
    (riderId: string, note: string | null) =>
      call(assignDelivery, { params: { id }, body: { version: task.data?.version ?? 0, riderId, note } }),
    {
      refresh,
      refreshOnError: refresh,
      success: ({ riderName }) => t('deliveriesPage.changed', { rider: riderName ?? t('taskSteps.somebody') }),
      onSuccess: onClose,
    },
  )

  const number = task.data ? format.trackingNumber(task.data.trackingNumber) : ''
  return (
    <Dialog title={t('deliveriesPage.changeTitle', { number })} shape="wide" onClose={onClose}>
      {task.error ? (
        <ErrorPanel error={task.error} retry={() => void task.refetch()} />
      ) : !task.data ? (
        <Loading />
      ) : (
        <Stack gap={20}>
          {riders.error ? (
            <ErrorPanel error={riders.error} retry={() => void riders.refetch()} />
          ) : (
            mayAssign && <AssignRider main riders={riders.data?.items} riderId={task.data.riderId} assign={assign} />
          )}
          <section>
            <h3>{t('taskSteps.title')}</h3>
            <Note>{t('deliveriesPage.first')}</Note>
            <TaskSteps steps={task.data.steps} />
          </section>
        </Stack>
      )}
    </Dialog>
  )
}
