import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import type { ContractForm } from '../form/contract-form.ts'
import { Stack } from '../layout/boxes.tsx'
import { Notice } from '../layout/text.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'

type Props = {
  title: string
  form: Pick<ContractForm<object>, 'props' | 'submitting'>
  children: ReactNode
  onClose: () => void
  /** The label of the main button, a verb; "Save" by default. */
  save?: string
  /** The label of the other button; "Cancel" by default. */
  cancel?: string
  /** Replaces the cancel button. */
  other?: ReactNode
  /** After a version conflict (`useRecordVersion`): what happened, and that the next save overwrites it. */
  conflict?: string | null
  shape?: 'card' | 'wide'
  /** Can only be left by its own buttons. */
  sticky?: boolean
}

/**
 * The dialog for everything that is edited and saved: a form with its buttons, and a notice after a version conflict.
 */
export function SaveDialog({
  title,
  form,
  children,
  onClose,
  conflict,
  shape = 'card',
  sticky = false,
  ...texts
}: Props) {
  const t = useT()
  const { save = t('actions.save'), cancel = t('actions.cancel'), other } = texts
  return (
    <Dialog title={title} shape={shape} onClose={onClose} sticky={sticky}>
      <Stack {...form.props} as="form">
        {conflict && (
          <Notice tone="warning" role="alert">
            {conflict}
          </Notice>
        )}
        {children}
        <DialogFoot>
          {other ?? <Button onClick={onClose}>{cancel}</Button>}
          <Button type="submit" variant="filled" loading={form.submitting}>
            {save}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  )
}
