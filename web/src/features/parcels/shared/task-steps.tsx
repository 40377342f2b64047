import type { TaskStep } from '@waybill/contract/ground/tasks'
import { Time } from '../../../components/display/time.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'

/** The riders of a task, with who assigned them and why, oldest first. */
export function TaskSteps({ steps }: { steps: readonly TaskStep[] }) {
  const t = useT()
  const somebody = t('taskSteps.somebody')
  const words = ({ step, rider, from, by }: TaskStep) => {
    const who = { rider: rider ?? somebody, by: by ?? somebody, from: from ?? somebody }
    if (step !== 'assigned') return t(`taskSteps.${step}`, who)
    return t(from !== null && from !== rider ? 'taskSteps.moved' : 'taskSteps.given', who)
  }
  if (steps.length === 0) return <Note>{t('taskSteps.none')}</Note>
  return (
    <Stack as="ol" gap={8} aria-label={t('taskSteps.title')}>
      {steps.map((step) => (
        <li key={`${step.at} ${step.step}`}>
          {words(step)}
          {step.note && <div>“{step.note}”</div>}
          <Quiet>
            <Time at={step.at} />
          </Quiet>
        </li>
      ))}
    </Stack>
  )
}
