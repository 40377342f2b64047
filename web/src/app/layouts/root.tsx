import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

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
    // The page may still be on its way: its heading is waited for, not guessed at.
    const findHeading = () => document.querySelector<HTMLElement>('[data-page-title]')
    const arrive = (heading: HTMLElement) => {
      // A field that took the focus by itself keeps it.
      if (document.activeElement === document.body || document.activeElement?.closest('nav, header'))
        heading.focus({ preventScroll: true })
      setAnnouncement(heading.textContent ?? '')
    }
    const heading = findHeading()
    if (heading) {
      arrive(heading)
      return
    }
    const observer = new MutationObserver(() => {
      const late = findHeading()
      if (!late) return
      observer.disconnect()
      arrive(late)
    })
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
