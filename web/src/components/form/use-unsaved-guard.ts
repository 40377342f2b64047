import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useT } from '../../lib/i18n.ts'
import { blockBack } from '../../lib/input/top-dialog.ts'
import { confirm } from '../confirm.tsx'

type Blocker = Parameters<RouterHistory['block']>[0]['blockerFn']

/**
 * Asks before the user leaves the page with unsaved input; the browser asks before it closes or reloads the tab.
 * `parts`: the same for other parts of the page, which its search parameters name.
 */
export function useUnsavedGuard(unsaved: boolean, { parts = false } = {}): void {
  const t = useT()
  const { history } = useRouter()
  useEffect(() => {
    if (!unsaved) return
    const ask = () => confirm({ title: t('unsaved.title'), message: t('unsaved.text'), action: t('unsaved.leave') })
    return history.block({ blockerFn: blockLeaving(history, parts, ask) })
  }, [history, unsaved, parts, t])
}

/** The rule of `useUnsavedGuard`. `ask` resolves to true if the user leaves. */
export function blockLeaving(history: Pick<RouterHistory, 'go'>, parts: boolean, ask: () => Promise<boolean>): Blocker {
  return async ({ action, currentLocation, nextLocation }) => {
    // A dialog on the page is closed first, and asks itself.
    if (blockBack({ action })) return true
    if (!parts && currentLocation.pathname === nextLocation.pathname) return false
    if (action === 'PUSH' || action === 'REPLACE') return !(await ask())
    // The browser has already changed the URL. It must be right again before a second Back can answer the question.
    const distance = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index
    void ask().then((leaves) => leaves && history.go(distance, { ignoreBlocker: true }))
    return true
  }
}
