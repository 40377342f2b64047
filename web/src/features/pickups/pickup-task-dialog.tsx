import { Button } from '@mantine/core'
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { optionalText } from '@waybill/contract/ground/fields'
import { taskStatusLooks } from '@waybill/contract/ground/status/status-look'
import { staffPickupList } from '@waybill/contract/parcels/staff-prints'
import { type PickupParcel, pickupFailureReasons } from '@waybill/contract/pickups/pickups'
import {
  assignPickup,
  completePickup,
  failPickup,
  getPickupTask,
  listPickupTasks,
  listRiders,
  type PickupTaskDetail,
  startPickup,
} from '@waybill/contract/pickups/rider-tasks'
import { useState } from 'react'
import * as z from 'zod/mini'
import { PrintButton } from '../../components/buttons/print-button.tsx'
import { confirm } from '../../components/confirm.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { Remarks } from '../../components/display/remarks.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { formatWindow } from '../../components/display/time-window.ts'
import { Dialog, DialogFoot } from '../../components/feedback/dialog.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { RadioField } from '../../components/fields/radio-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { Buttons, LineList, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { Fold } from '../../components/layout/fold.tsx'
import { Mono } from '../../components/layout/text.tsx'
import { ApiError, call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall, useRefresh } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { AssignRider } from '../parcels/shared/assign-rider.tsx'
import { TaskSteps } from '../parcels/shared/task-steps.tsx'
import { PickupScans, usePickupScans } from './pickup-scans.tsx'
import { AddressText } from './pickup-time-form.tsx'
import classes from './pickups.module.css'

/** A rider's pickup: accept it, start it, scan its parcels, and report the outcome. */
export function PickupTaskDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT()
  const task = useCall(getPickupTask, { params: { id } })
  return (
    <Dialog title={task.data?.number ?? t('pickupTasks.title')} shape="wide" onClose={onClose}>
      {task.error ? (
        <ErrorPanel error={task.error} retry={() => void task.refetch()} />
      ) : task.data ? (
        <Task task={task.data} onClose={onClose} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

const stale = [listPickupTasks, getPickupTask]
const sending = { refresh: stale, refreshOnError: stale }

function Task({ task, onClose }: { task: PickupTaskDetail; onClose: () => void }) {
  const t = useT()
  const label = useLabel()
  const longDay = useLongDay()
  const refresh = useRefresh()
  const me = useSession((state) => state.auth.user?.id ?? '')
  const [failing, setFailing] = useState(false)
  const params = { id: task.id }
  const { version } = task
  const may = (action: PickupTaskDetail['allowed'][number]) => task.allowed.includes(action)
  const scans = usePickupScans(task.id, () => refresh(...stale))

  const assign = useSend(
    (riderId: string, note: string | null) => call(assignPickup, { params, body: { version, riderId, note } }),
    sending,
  )
  const start = useSend(() => call(startPickup, { params, body: { version } }), sending)
  const complete = useSend(
    async () => {
      try {
        await call(completePickup, { params, body: { version } })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'pickup_missing') throw error
        const isAccepted = await confirm({
          title: t('pickupTasks.missingTitle'),
          message: error.message,
          action: t('pickupTasks.acceptMissing'),
        })
        if (!isAccepted) return false
        await call(completePickup, { params, body: { version, acceptMissing: true } })
      }
      return true
    },
    {
      ...sending,
      confirm: scans.question,
      success: (isCompleted) => (isCompleted ? t('pickupTasks.completed') : null),
      onSuccess(isCompleted) {
        if (!isCompleted) return
        scans.clear()
        onClose()
      },
    },
  )
  async function openFailure() {
    const question = scans.question()
    if (!question || (await confirm(question))) setFailing(true)
  }
  const { address } = task
  const query = encodeURIComponent([address.line1, address.postcode, address.city].join(', '))
  return (
    <Stack gap={20}>
      <Facts layout="tiles" min={140}>
        <Fact label={t('pickupsPage.when')}>
          {t('checkout.pickupWhen', { day: longDay(task.date), window: formatWindow(task.window) })}
        </Fact>
        <Fact label={t('pickupTasks.rider')}>{task.riderName ?? t('pickupTasks.nobody')}</Fact>
        <Fact label={t('fields.status')}>
          <StatusPill look={taskStatusLooks[task.status]} label={label(taskStatusLabels, task.status)} />
        </Fact>
        {task.leg === 'return' && <Fact label={t('pickupsPage.isReturn')}>{t('pickupTasks.returnHint')}</Fact>}
        {task.failureReason && (
          <Fact label={t('pickupsPage.reason')}>
            {[t(`pickupFailure.${task.failureReason}`), task.failureNote].filter(Boolean).join(' · ')}
          </Fact>
        )}
      </Facts>
      <Stack gap={12}>
        <AddressText address={address} />
        <Remarks text={address.remarks} />
        <Buttons>
          <Button component="a" href={`tel:${address.phone}`}>
            {t('pickupTasks.call')}
          </Button>
          <Button
            component="a"
            href={`https://www.openstreetmap.org/search?query=${query}`}
            target="_blank"
            rel="noreferrer"
          >
            {t('pickupTasks.map')}
          </Button>
          <PrintButton
            label={t('staffPrints.pickupList')}
            endpoint={staffPickupList}
            options={{ params: { id: task.id } }}
          />
        </Buttons>
      </Stack>
      {may('assign') && <Rider task={task} assign={assign} />}
      {may('scan') && !failing && <PickupScans scans={scans} main={task.pickedCount === 0} />}
      <Parcels
        title={t('pickupTasks.expected')}
        parcels={task.expected}
        note={({ picked }) => (picked ? t('pickupTasks.picked') : t('pickupTasks.notPicked'))}
      />
      <Parcels title={t('pickupTasks.extra')} parcels={task.extra} />
      <Parcels title={t('pickupTasks.missing')} parcels={task.missing} />
      {task.steps.length > 0 && (
        <Fold summary={t('taskSteps.title')}>
          <TaskSteps steps={task.steps} />
        </Fold>
      )}
      {failing ? (
        <FailForm
          task={task}
          onCancel={() => setFailing(false)}
          onDone={() => {
            scans.clear()
            onClose()
          }}
        />
      ) : (
        <DialogFoot>
          {may('assign') && task.riderId !== me && (
            <Button
              variant={task.riderId === null ? 'filled' : 'default'}
              loading={assign.pending}
              onClick={() => void assign.send(me, null)}
            >
              {t(task.riderId === null ? 'pickupTasks.take' : 'pickupTasks.takeOver')}
            </Button>
          )}
          {may('fail') && task.pickedCount === 0 && (
            <Button loading={scans.isSending} onClick={() => void openFailure()}>
              {t('pickupTasks.fail')}
            </Button>
          )}
          {may('start') && (
            <Button variant="filled" loading={start.pending} onClick={() => void start.send()}>
              {t('pickupTasks.start')}
            </Button>
          )}
          {may('complete') && task.pickedCount > 0 && (
            <Button variant="filled" loading={complete.pending || scans.isSending} onClick={() => void complete.send()}>
              {t('pickupTasks.complete')}
            </Button>
          )}
        </DialogFoot>
      )}
    </Stack>
  )
}

type RiderProps = { task: PickupTaskDetail; assign: Parameters<typeof AssignRider>[0]['assign'] }

/** The rider's assignment. Collapsed once the task has a rider, because it seldom changes. */
function Rider({ task, assign }: RiderProps) {
  const t = useT()
  const riders = useCall(listRiders, { query: task.stationId ? { stationId: task.stationId } : {} })
  const choice = riders.error ? (
    <ErrorPanel error={riders.error} retry={() => void riders.refetch()} />
  ) : (
    <AssignRider key={task.version} riders={riders.data?.items} riderId={task.riderId} assign={assign} />
  )
  if (task.riderId === null) return choice
  return <Fold summary={t('pickupTasks.another')}>{choice}</Fold>
}

type ParcelsProps<P extends PickupParcel> = { title: string; parcels: readonly P[]; note?: (parcel: P) => string }

function Parcels<P extends PickupParcel>({ title, parcels, note }: ParcelsProps<P>) {
  const t = useT()
  const format = useFormat()
  if (parcels.length === 0) return null
  return (
    <Stack as="section" gap={8}>
      <h3>{t('phrase.detail', { text: title, detail: format.number(parcels.length) })}</h3>
      <LineList className={classes.parcels}>
        {parcels.map((parcel) => (
          <li key={parcel.id}>
            <Mono>{format.trackingNumber(parcel.trackingNumber ?? '–')}</Mono>
            <span>
              {parcel.receiverName}, {parcel.receiverCity}
              {parcel.weightGrams !== null && ` · ${format.weight(parcel.weightGrams)}`}
            </span>
            {note && <strong>{note(parcel)}</strong>}
          </li>
        ))}
      </LineList>
    </Stack>
  )
}

const failSchema = z.object({ reason: z.enum(pickupFailureReasons), note: optionalText(200) })
type FailValues = { reason: string | null; note: string }

type FailProps = { task: PickupTaskDetail; onCancel: () => void; onDone: () => void }

function FailForm({ task, onCancel, onDone }: FailProps) {
  const t = useT()
  const form = useContractForm({
    schema: failSchema,
    initial: { reason: null, note: '' } as FailValues,
    onSubmit: ({ reason, note }) =>
      call(failPickup, { params: { id: task.id }, body: { version: task.version, reason, note } }),
    refresh: stale,
    success: t('pickupTasks.failed'),
    onSuccess: onDone,
  })
  return (
    <Stack {...form.props} as="form" gap={20}>
      <RadioField
        field={form.field('reason', t('pickupTasks.failTitle'))}
        choices={pickupFailureReasons.map((value) => ({ value: value as string, label: t(`pickupFailure.${value}`) }))}
        min={220}
      />
      <TextField field={form.field('note', t('pickupTasks.note'))} />
      <DialogFoot>
        <Button onClick={onCancel}>{t('actions.cancel')}</Button>
        <Button type="submit" variant="filled" loading={form.submitting}>
          {t('pickupTasks.report')}
        </Button>
      </DialogFoot>
    </Stack>
  )
}
