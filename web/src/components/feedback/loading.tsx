import { useEffect, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './loading.module.css'

const showAfterMs = 500

/**
 * A progress bar, shown only after half a second. It takes its space at once, so that the layout does not shift.
 */
export function Loading({ label }: { label?: string }) {
  const t = useT()
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), showAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={classes.root} role="status">
      {late && (
        <>
          <span className={classes.bar} aria-hidden />
          <span>{label ?? t('list.loading')}</span>
        </>
      )}
    </div>
  )
}
