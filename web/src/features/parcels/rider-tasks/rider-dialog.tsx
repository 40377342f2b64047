import { assignDelivery, getDeliveryTask, listDeliveryTasks } from '@waybill/contract/parcels/rider-tasks'
import { listRiders } from '@waybill/contract/pickups/rider-tasks'
import { Dialog } from '../../../components/dialog.tsx'
import { Loading } from '../../../components/loading.tsx'
import { ErrorPanel } from '../../../components/message-panel.tsx'
import { notify } from '../../../components/notify.tsx'
import { AssignRider } from '../../../components/rider/assign-rider.tsx'
import { TaskSteps } from '../../../components/rider/task-steps.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useChanged } from '../../../lib/query.ts'
import classes from '../scanning/scan.module.css'

/** A parcel that is under way is given to another rider; below it, who has had it. */
export function RiderDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const task = useCall(getDeliveryTask, { params: { id } }, { staleTime: 0 })
  const stationId = task.data?.stationId
  const riders = useCall(listRiders, { query: stationId ? { stationId } : {} }, { enabled: task.data !== undefined })

  async function give(riderId: string, note: string | null) {
    const body = { version: task.data?.version ?? 0, riderId, note }
    const given = await call(assignDelivery, { params: { id }, body }).finally(() =>
      changed(listDeliveryTasks, getDeliveryTask),
    )
    notify.success(t('deliveriesPage.changed', { rider: given.riderName ?? t('taskSteps.somebody') }))
    onClose()
  }

  const number = task.data ? format.trackingNumber(task.data.trackingNumber) : ''
  return (
    <Dialog title={t('deliveriesPage.changeTitle', { number })} shape="wide" onClose={onClose}>
      {task.error ? (
        <ErrorPanel error={task.error} retry={() => void task.refetch()} />
      ) : !task.data ? (
        <Loading />
      ) : (
        <div className={classes.riders}>
          {task.data.mayAssign && (
            <AssignRider riders={riders.data?.items ?? []} riderId={task.data.riderId} onAssign={give} />
          )}
          <section>
            <h3>{t('taskSteps.title')}</h3>
            <p className={classes.quiet}>{t('deliveriesPage.first')}</p>
            <TaskSteps steps={task.data.steps} />
          </section>
        </div>
      )}
    </Dialog>
  )
}
