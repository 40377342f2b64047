import { useBlocker } from '@tanstack/react-router'
import { useT } from '../../lib/i18n.ts'
import { confirm } from '../confirm.tsx'

/**
 * Asks before the user leaves the page with unsaved input; the browser asks before it closes or reloads the tab.
 * `parts`: the same for other parts of the page, which its search parameters name.
 */
export function useUnsavedGuard(unsaved: boolean, { parts = false } = {}): void {
  const t = useT()
  useBlocker({
    disabled: !unsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (!parts && current.pathname === next.pathname) return false
      const leaves = await confirm({
        title: t('unsaved.title'),
        message: t('unsaved.text'),
        action: t('unsaved.leave'),
      })
      return !leaves
    },
  })
}
