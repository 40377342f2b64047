import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { confirm } from '../confirm.tsx'
import type { ContractForm } from '../form/contract-form.ts'
import { useUnsavedGuard } from '../form/use-unsaved-guard.ts'
import { Stack } from '../layout/boxes.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'

type Props = {
  title: string
  form: Pick<ContractForm<object>, 'props' | 'submitting' | 'dirty'>
  children: ReactNode
  onClose: () => void
  /** The label of the main button, a verb; "Save" by default. */
  save?: string
  /** The label of the other button; "Cancel" by default. */
  cancel?: string
  /** Replaces the cancel button. */
  other?: ReactNode
  /**
   * After a version conflict: true (from `useRecordVersion`) says that the next save replaces the other change; a text
   * says something else.
   */
  conflict?: boolean | string | null
  shape?: 'card' | 'wide'
  /** Nothing is lost when it closes: a new record is kept as a draft. */
  keepsDraft?: boolean
}

/**
 * The dialog for everything that is edited and saved: a form with its buttons, and a notice after a version conflict.
 * Once the user has typed something, Escape, Back and the close button ask first, as does leaving the page. Cancel does
 * not.
 */
export function SaveDialog({
  title,
  form,
  children,
  onClose,
  conflict = false,
  shape = 'card',
  keepsDraft = false,
  ...texts
}: Props) {
  const t = useT()
  const unsaved = form.dirty && !keepsDraft
  // After the submission, the dialog may lead to another page.
  useUnsavedGuard(unsaved && !form.submitting)
  const { save = t('actions.save'), cancel = t('actions.cancel'), other } = texts
  async function askToClose() {
    const question = { title: t('unsaved.closeTitle'), message: t('unsaved.closeText'), action: t('actions.close') }
    if (await confirm(question)) onClose()
  }
  return (
    <Dialog title={title} shape={shape} onClose={unsaved ? askToClose : onClose}>
      <Stack {...form.props} as="form">
        {conflict && <ConflictNotice text={conflict === true ? undefined : conflict} />}
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
