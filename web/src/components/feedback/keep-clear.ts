/** How often the place is computed again: the page scrolls, or shows its main action after the message. */
const everyMs = 100

/** Moves messages above a main action that they would cover, from now on. */
export function keepMessagesClear(): void {
  const messages = document.querySelector<HTMLElement>('#root > section[aria-live]')
  if (!messages) return
  let timer: ReturnType<typeof setInterval> | undefined
  new MutationObserver(() => {
    clearInterval(timer)
    place(messages)
    if (messages.firstChild) timer = setInterval(() => place(messages), everyMs)
  }).observe(messages, { childList: true })
}

function place(messages: HTMLElement): void {
  messages.style.translate = ''
  const { left, top, right, bottom } = messages.getBoundingClientRect()
  const coveredTops = [...document.querySelectorAll('[data-variant=filled]')]
    .map((action) => action.getBoundingClientRect())
    .filter((action) => action.left < right && action.right > left && action.top < bottom && action.bottom > top)
    .map((action) => action.top)
  if (coveredTops.length > 0) messages.style.translate = `0 ${Math.min(...coveredTops) - bottom - 8}px`
}
