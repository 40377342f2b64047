/** Does what Escape does to the dialog on top. Returns false if no dialog is open. */
export function cancelTopDialog(): boolean {
  const withFocus = document.activeElement?.closest<HTMLDialogElement>('dialog:modal')
  const dialog = withFocus ?? [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1)
  // Not `requestClose`, which browsers of 2024 do not have.
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close()
  return dialog !== undefined
}

/** A rule for the router's history: Back, the usual way out on a phone, closes the dialog on top, not the page. */
export const blockBack = ({ action }: { action: string }): boolean => action === 'BACK' && cancelTopDialog()
