import { Button } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useT } from '../../lib/i18n.ts'
import { getQuestion, subscribeToQuestion } from '../confirm.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'

/** The dialog of `confirm`, rendered once by every layout. Separate, so that a form alone does not load a dialog. */
export function ConfirmHost() {
  const t = useT()
  const question = useSyncExternalStore(subscribeToQuestion, getQuestion)
  if (!question) return null
  return (
    <Dialog title={question.title} onClose={() => question.answer(false)}>
      <p style={{ margin: 0 }}>{question.message}</p>
      <DialogFoot>
        <Button onClick={() => question.answer(false)}>{question.keep ?? t('actions.cancel')}</Button>
        <Button variant="filled" onClick={() => question.answer(true)}>
          {question.action}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
