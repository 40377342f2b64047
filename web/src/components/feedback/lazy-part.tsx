import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'

type Props = {
  /** Components made by `lazy`. */
  children: ReactNode
  /** Shown while they load. */
  fallback?: ReactNode
  /** For a dialog: called when it cannot be loaded. A message shows the error. */
  onClose?: (() => void) | undefined
}

/** A part of a page that is loaded on demand. If it cannot be loaded, only this part is replaced by an error. */
export function LazyPart({ children, fallback = null, onClose }: Props) {
  return (
    <ErrorBoundary onClose={onClose}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  )
}
