import { useEffect, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './loading.module.css'

const showAfterMs = 500

/**
 * Says that something is on its way, but only when it takes longer than half a second; keeps its room from the start,
 * so that nothing jumps.
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
