/** A rider's task: pickups and deliveries are assigned, started and recorded in the same way. */
import * as z from 'zod/mini'
import { taskStatusLabels } from './enums/enums.ts'
import { labelValues } from './enums/labels.ts'
import { change, id, idParams, optionalText, version } from './fields.ts'

export const taskStatus = z.enum(labelValues(taskStatusLabels))

/** The rider of a task. All fields are null until one is assigned. */
export const taskRider = {
  stationId: z.nullable(id),
  riderId: z.nullable(id),
  riderName: z.nullable(z.string()),
}

/** One line of a task's history. */
export const taskStep = z.extend(change, {
  step: z.enum(['assigned', 'started', 'completed', 'failed']),
  /** The rider of the task after this step. */
  rider: z.nullable(z.string()),
  /** The rider before it. */
  from: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export type TaskStep = z.output<typeof taskStep>

/** The calls of one task. `assignTask.body.note` is a reason for later readers of the history. */
export const getTask = { method: 'GET', access: 'staff.operate', params: idParams } as const
export const startTask = {
  method: 'POST',
  access: 'staff.operate',
  params: idParams,
  body: z.object({ version }),
} as const
export const assignTask = {
  method: 'PUT',
  access: 'staff.operate',
  params: idParams,
  body: z.object({ version, riderId: id, note: optionalText(200) }),
} as const
