import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../../lib/session.ts'
import { PinDialog, type PinTask } from './pin-dialog.tsx'

/**
 * A button that opens the dialog of a PIN task, so that nobody has to leave a payment for it. Hidden from users without
 * the right.
 */
export function PinButton({ task, ...props }: ButtonProps & { task: PinTask }) {
  const [open, setOpen] = useState(false)
  const may = useMay(task === 'set' ? 'wallet' : 'account.owner')
  if (!may) return null
  return (
    <>
      <Button {...props} onClick={() => setOpen(true)} />
      {open && (
        // React passes the events of a dialog to its parents: the form of the payment must not be submitted.
        <div onSubmit={(event) => event.stopPropagation()}>
          <PinDialog task={task} onClose={() => setOpen(false)} />
        </div>
      )}
    </>
  )
}
