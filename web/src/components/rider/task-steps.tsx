import type { TaskStep } from '@waybill/contract/ground/tasks'
import { useT } from '../../lib/i18n.ts'
import { Time } from '../time.tsx'
import classes from './rider.module.css'

/** Who has had a task, who gave it and why, the oldest first. */
export function TaskSteps({ steps }: { steps: readonly TaskStep[] }) {
  const t = useT()
  const somebody = t('taskSteps.somebody')
  const words = ({ step, rider, from, by }: TaskStep) => {
    const who = { rider: rider ?? somebody, by: by ?? somebody, from: from ?? somebody }
    if (step !== 'assigned') return t(`taskSteps.${step}`, who)
    return t(from !== null && from !== rider ? 'taskSteps.moved' : 'taskSteps.given', who)
  }
  if (steps.length === 0) return <p className={classes.none}>{t('taskSteps.none')}</p>
  return (
    <ol className={classes.steps} aria-label={t('taskSteps.title')}>
      {steps.map((step) => (
        <li key={`${step.at} ${step.step}`}>
          {words(step)}
          {step.note && <q>{step.note}</q>}
          <span>
            <Time at={step.at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
