import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useT } from '../lib/i18n.ts'
import { Dialog, DialogFoot } from './dialog.tsx'

type Question = {
  title: string
  message: string
  /** What the button does, as a verb: "Remove", never "OK". */
  action: string
  answer: (yes: boolean) => void
}

let question: Question | null = null
const listeners = new Set<() => void>()

function update(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

/** `if (await confirm({ title, message, action: t('actions.remove') }))`: asks before what can't be undone. */
export function confirm(asked: Omit<Question, 'answer'>): Promise<boolean> {
  question?.answer(false)
  return new Promise((resolve) => {
    update({
      ...asked,
      answer: (yes) => {
        update(null)
        resolve(yes)
      },
    })
  })
}

/** Stands once in every layout that asks. */
export function ConfirmHost() {
  const t = useT()
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question,
  )
  if (!asked) return null
  return (
    <Dialog title={asked.title} onClose={() => asked.answer(false)}>
      <p style={{ margin: 0 }}>{asked.message}</p>
      <DialogFoot>
        <Button onClick={() => asked.answer(false)}>{t('actions.cancel')}</Button>
        <Button variant="filled" onClick={() => asked.answer(true)}>
          {asked.action}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
