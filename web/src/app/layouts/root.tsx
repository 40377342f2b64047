import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Whether the heading may take the focus: from the link that led here, but never from a field. */
function mayTakeFocus(onArrival: boolean): boolean {
  const active = document.activeElement
  if (active === null || active === document.body) return true
  return onArrival && !(active instanceof HTMLInputElement) && active.closest('nav, header') !== null
}

/** The root of every page: after a page change the focus moves to the heading, which is then read out. */
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
    // A page may load late and replace its first heading, which would lose the focus.
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
      {/* At the top: below the content, it would make every page a pixel higher than the screen. */}
      <div className="wb-hidden" style={{ top: 0 }} aria-live="polite" aria-atomic>
        {announcement}
      </div>
    </>
  )
}
