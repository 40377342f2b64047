import { completeParcel } from '@waybill/contract/parcels/parcels'
import { useEffect, useState } from 'react'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { isTouchDevice } from '../../../lib/input/touch.ts'
import { type ParcelValues, type Step, stepOfField, steps, toParcelInput } from './parcel-values.ts'

/** The incomplete steps, each with its invalid fields. */
export function wrongSteps(values: ParcelValues): ReadonlyMap<Step, readonly string[]> {
  const parseResult = completeParcel.safeParse(toParcelInput(values))
  const wrong = new Map<Step, string[]>()
  for (const { path } of parseResult.success ? [] : parseResult.error.issues) {
    const field = path.map(String).join('.')
    wrong.set(stepOfField(field), [...(wrong.get(stepOfField(field)) ?? []), field])
  }
  return wrong
}

/** The first incomplete step, or the last step. */
function firstOpen(values: ParcelValues): ReadonlySet<Step> {
  const wrong = wrongSteps(values)
  return new Set([steps.find((step) => wrong.has(step)) ?? 'how'])
}

/** The focus target once its step is mounted. A new object each time, so that the same step works twice. */
type FocusTarget = { step: Step; field: 'first' | 'wrong' | 'doubtful' }

function focusOrder(field: FocusTarget['field']): readonly string[] {
  if (field === 'wrong') return ['[aria-invalid="true"]:not([type="hidden"])']
  if (field === 'doubtful') return ['[data-doubtful]']
  // No search box on a phone: its keyboard would cover the step.
  const search = isTouchDevice() ? [] : ['[role=combobox]']
  return ['[data-first]', ...search, 'input:checked', 'input:not(:disabled)']
}

function moveFocus({ step, field }: FocusTarget): void {
  const body = document.getElementById(`step-${step}`)
  for (const selector of focusOrder(field)) {
    const element = body?.querySelector<HTMLElement>(selector)
    if (!element) continue
    element.focus()
    return
  }
}

/** The unfolded steps of the form, and the navigation between them. */
export function useSteps(form: ContractForm<ParcelValues>) {
  const { values } = form
  const [open, setOpen] = useState(() => firstOpen(values))
  const [focus, setFocus] = useState<FocusTarget | null>(null)
  const wrong = wrongSteps(values)

  // Fields of a folded step are mounted only with the next render.
  useEffect(() => {
    if (focus) moveFocus(focus)
  }, [focus])

  const unfold = (more: readonly Step[]) => setOpen((present) => new Set([...present, ...more]))

  /** Folds all others. */
  function goTo(step: Step) {
    setOpen(new Set([step]))
    setFocus({ step, field: 'first' })
  }

  /** Opens the next incomplete step, unless this one has errors. */
  function finish(step: Step, present: ParcelValues = values) {
    const wrongNow = wrongSteps(present)
    const fields = wrongNow.get(step) ?? []
    if (step !== 'how' && fields.length > 0) {
      for (const field of fields) form.fieldAt(field).onBlur()
      unfold([step])
      setFocus({ step, field: 'wrong' })
      return
    }
    const following = steps.slice(steps.indexOf(step) + 1)
    goTo(following.find((each) => wrongNow.has(each)) ?? 'how')
  }

  /**
   * After parties were filled in together: opens the first of them with doubtful values, else the first incomplete
   * step. Of a filled one the missing fields are marked.
   */
  function goToOpen(present: ParcelValues, filled: readonly Step[], doubtful: Step | undefined) {
    const wrongNow = wrongSteps(present)
    const next = doubtful ?? steps.find((step) => wrongNow.has(step)) ?? 'how'
    if (!filled.includes(next)) {
      goTo(next)
      return
    }
    for (const field of wrongNow.get(next) ?? []) form.fieldAt(field).onBlur()
    setOpen(new Set([next]))
    setFocus({ step: next, field: doubtful ? 'doubtful' : 'wrong' })
  }

  function toggle(step: Step) {
    const next = new Set(open)
    if (!next.delete(step)) next.add(step)
    setOpen(next)
  }

  return {
    open,
    wrong,
    unfold,
    goTo,
    goToOpen,
    finish,
    toggle,
    restart: (next: ParcelValues) => setOpen(firstOpen(next)),
  }
}
