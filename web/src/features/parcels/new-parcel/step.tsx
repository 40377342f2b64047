import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { StepMark, type StepState } from '../../../components/display/step-mark.tsx'
import { useT } from '../../../lib/i18n.ts'
import classes from './new-parcel.module.css'
import { type Step, steps } from './parcel-values.ts'

type Props = {
  step: Step
  open: boolean
  state: StepState
  /** The summary of the folded step. */
  summary: string
  toggle: () => void
  /** Absent in the last step, where the buttons follow. */
  onContinue?: () => void
  children: ReactNode
}

/** One step, which folds to a summary. Enter in a field opens the next step, as its button does. */
export function StepSection({ step, open, state, summary, toggle, onContinue, children }: Props) {
  const t = useT()
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey || !onContinue) return
    const target = event.target as HTMLElement
    if (!(target instanceof HTMLInputElement) || target.type === 'search') return
    // Submitting the form would skip the following steps.
    event.preventDefault()
    onContinue()
  }
  return (
    <section className={classes.step} data-step={step} data-state={state} data-open={open}>
      <h2>
        <button type="button" aria-expanded={open} aria-controls={`step-${step}`} onClick={toggle}>
          <StepMark number={steps.indexOf(step) + 1} state={state} />
          <span className={classes.stepName}>{t(`newParcel.step.${step}`)}</span>
          <span className={classes.summary}>{open ? '' : summary}</span>
          <IconChevronDown size={20} aria-hidden className={classes.chevron} />
        </button>
      </h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: catches Enter of the focused field inside */}
      <div id={`step-${step}`} className={classes.stepBody} hidden={!open} onKeyDown={onKeyDown}>
        {open && children}
        {open && onContinue && (
          <div style={{ marginBlockStart: 24 }}>
            <Button onClick={onContinue}>{t('actions.continue')}</Button>
          </div>
        )}
      </div>
    </section>
  )
}
