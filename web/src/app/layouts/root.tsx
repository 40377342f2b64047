import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/**
 * A field that took the focus by itself keeps it, as does one in the bar that is being typed into. On arrival the link
 * or field that led here gives it up.
 */
function mayTakeFocus(onArrival: boolean): boolean {
  const active = document.activeElement
  if (active === null || active === document.body) return true
  const isTyping = active instanceof HTMLInputElement && active.value !== ''
  return onArrival && !isTyping && active.closest('nav, header') !== null
}

/** Around every page: after a change of page the focus goes to its heading, and its name is read out. */
export function Root() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    if (before.current === undefined || before.current === path) {
      before.current = path
      return
    }
    before.current = path
    // A page comes late, and may replace its first heading once it has loaded: the focus would be lost with it.
    let heading: HTMLElement | null = null
    const follow = () => {
      const current = document.querySelector<HTMLElement>('[data-page-title]')
      if (!current || current === heading) return
      if (mayTakeFocus(heading === null)) current.focus({ preventScroll: true })
      heading = current
      setAnnouncement(current.textContent ?? '')
    }
    follow()
    const observer = new MutationObserver(follow)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [path])
  return (
    <>
      <Outlet />
      <div className="wb-hidden" aria-live="polite" aria-atomic>
        {announcement}
      </div>
    </>
  )
}
