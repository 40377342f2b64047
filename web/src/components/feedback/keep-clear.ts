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

/** Main actions, and panels that stay in view beside the content: what a message must not cover. */
const listObstacles = () => [
  ...document.querySelectorAll('[data-variant=filled]'),
  ...[...document.querySelectorAll('main aside')].filter((panel) => getComputedStyle(panel).position === 'sticky'),
]

/** At the bottom of the page, else above what is there, else to the left of it. */
function place(messages: HTMLElement): void {
  const findCovered = () => {
    const { left, top, right, bottom } = messages.getBoundingClientRect()
    return listObstacles()
      .map((element) => element.getBoundingClientRect())
      .filter((other) => other.left < right && other.right > left && other.top < bottom && other.bottom > top)
  }
  messages.style.translate = ''
  const covered = findCovered()
  if (covered.length === 0) return
  const { left, top, right, bottom } = messages.getBoundingClientRect()
  const up = Math.min(...covered.map((other) => other.top)) - bottom - 8
  messages.style.translate = `0 ${up}px`
  if (top + up >= 0 && findCovered().length === 0) return
  const aside = Math.min(...covered.map((other) => other.left)) - right - 8
  if (left + aside >= 0) messages.style.translate = `${aside}px`
}
