/** Whether a dialog or menu covers the element. */
export function isCovered(element: Element | null): boolean {
  return [...document.querySelectorAll('dialog[open], :popover-open')].some((cover) => !cover.contains(element))
}
