/**
 * Copies a text to the clipboard. Returns false if the browser refuses; the caller then shows or selects the text.
 * `navigator.clipboard` needs a permission and a secure origin, the older command needs neither.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const onCopy = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
    }
    document.addEventListener('copy', onCopy)
    const isCopied = document.execCommand('copy')
    document.removeEventListener('copy', onCopy)
    return isCopied
  }
}
