import * as z from 'zod/mini'
import { instant } from './fields.ts'

/** Something that somebody changed, as the activity log has it. */
export const change = z.object({
  at: instant,
  /** Null: nobody, or somebody who is no longer known. */
  by: z.nullable(z.string()),
})

/** Who has a task, and who gave it: the newest last. */
export const taskStep = z.extend(change, {
  step: z.enum(['assigned', 'started', 'completed', 'failed']),
  /** Who had it from then on. */
  rider: z.nullable(z.string()),
  /** Who had it before. */
  from: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export type TaskStep = z.output<typeof taskStep>
