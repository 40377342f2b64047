import * as z from 'zod/mini'
import { day, instant } from '../ground/fields.ts'

/** Why a delivery failed: a translation key under `failureReason.`. */
export const failureReasons = ['not_home', 'bad_address', 'refused', 'closed', 'damaged', 'other'] as const

/** What can be done after a delivery that failed. */
export const choiceKinds = ['retry', 'correct', 'divert', 'recall'] as const
export type ChoiceKind = (typeof choiceKinds)[number]

export const choosers = ['sender', 'receiver', 'system'] as const

/** The latest delivery of a parcel that failed, and what was chosen to follow it, as staff see it. */
export const failedAttempt = z.object({
  at: instant,
  reason: z.nullable(z.enum(failureReasons)),
  note: z.nullable(z.string()),
  /** Which attempt it was, from 1, and how many there may be. */
  attempt: z.number(),
  attemptsAllowed: z.number(),
  /** The parcel may not be taken to the door again unless somebody chooses it. */
  attemptsUsed: z.boolean(),
  /** The parcel is on its way back to its sender, where there is nothing to choose. */
  goingBack: z.boolean(),
  /** Until when an answer is expected; null: none is. */
  decideUntil: z.nullable(instant),
  chosen: z.nullable(
    z.object({
      kind: z.enum(choiceKinds),
      by: z.enum(choosers),
      at: instant,
      /** `retry`: the day. */
      date: z.nullable(day),
      /** `divert`: the name of the station. */
      station: z.nullable(z.string()),
    }),
  ),
})
export type FailedAttempt = z.output<typeof failedAttempt>
