import { type DeliveryTask, isSameDoor, isTaskOpen } from '@waybill/contract/parcels/rider-tasks'

/**
 * What else the rider of a task has for its door. `together`: can be reported with the task. `alone`: has cash to
 * collect, whose payment is confirmed one by one, so a delivery of it is reported on its own.
 */
export function findAtDoor(task: DeliveryTask, event: string, tasks: readonly DeliveryTask[]) {
  const others = tasks.filter(
    (each) =>
      each.id !== task.id &&
      each.riderId === task.riderId &&
      isTaskOpen(each.status) &&
      each.mayReport &&
      isSameDoor(each.to, task.to),
  )
  if (event === 'attempt_failed') return { together: others, alone: [] }
  return {
    together: others.filter(({ codAmountMinor }) => codAmountMinor === null),
    alone: others.filter(({ codAmountMinor }) => codAmountMinor !== null),
  }
}

/** The name of a stop: the person, and the company on the sign. */
export const nameAtDoor = ({ contactName, company }: NonNullable<DeliveryTask['to']>) =>
  [contactName, company].filter(Boolean).join(' · ')
