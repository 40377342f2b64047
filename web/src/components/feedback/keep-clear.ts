/** How often the place is computed again: the page scrolls, or shows its main action after the message. */
const everyMs = 100

/** From now on, moves messages away from primary buttons and sticky side panels that they would cover. */
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

/** The elements that a message must not cover: primary buttons and sticky side panels. */
const listObstacles = () => [
  ...document.querySelectorAll('[data-variant=filled]'),
  ...[...document.querySelectorAll('main aside')].filter((panel) => getComputedStyle(panel).position === 'sticky'),
]

/** Places the messages at the bottom of the window, else above the elements they would cover, else to their left. */
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
