import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import classes from './step-mark.module.css'

export type StepState = 'todo' | 'done' | 'wrong'

/**
 * The circle before a step: its number, a tick once it is done, a mark if something is wrong. Hidden from screen
 * readers.
 */
export function StepMark({ number, state = 'todo' }: { number: number; state?: StepState }) {
  const Icon = state === 'done' ? IconCheck : IconAlertCircle
  return (
    <span className={classes.mark} data-state={state} aria-hidden>
      {state === 'todo' ? number : <Icon size={18} stroke={2.25} />}
    </span>
  )
}
