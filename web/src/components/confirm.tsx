import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useT } from '../lib/i18n.ts'
import { Dialog, DialogFoot } from './feedback/dialog.tsx'

export type ConfirmQuestion = {
  title: string
  message: string
  /** What the button does, as a verb: "Remove", never "OK". */
  action: string
}
type Question = ConfirmQuestion & { answer: (yes: boolean) => void }

let question: Question | null = null
const listeners = new Set<() => void>()

function update(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

/** `if (await confirm({ title, message, action: t('actions.remove') }))`: the question before something that can't be undone. */
export function confirm(content: ConfirmQuestion): Promise<boolean> {
  question?.answer(false)
  return new Promise((resolve) => {
    update({
      ...content,
      answer: (yes) => {
        update(null)
        resolve(yes)
      },
    })
  })
}

/** Rendered once by every layout whose screens use `confirm`. */
export function ConfirmHost() {
  const t = useT()
  const open = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question,
  )
  if (!open) return null
  return (
    <Dialog title={open.title} onClose={() => open.answer(false)}>
      <p style={{ margin: 0 }}>{open.message}</p>
      <DialogFoot>
        <Button onClick={() => open.answer(false)}>{t('actions.cancel')}</Button>
        <Button variant="filled" onClick={() => open.answer(true)}>
          {open.action}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
