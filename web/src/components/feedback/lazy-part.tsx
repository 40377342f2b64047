import { type ReactNode, Suspense } from 'react'
import { errorMessage } from '../../lib/api.ts'
import { isLoadError } from '../../lib/browser/load-errors.ts'
import { useT } from '../../lib/i18n.ts'
import { PlainButton } from '../buttons/plain-button.tsx'
import { Buttons } from '../layout/boxes.tsx'
import { Notice } from '../layout/text.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { notify } from './notify.tsx'

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
  function closeDialog(error: unknown) {
    if (!onClose) return
    notify.error(errorMessage(error))
    onClose()
  }
  return (
    <ErrorBoundary onError={closeDialog} renderError={(error) => !onClose && <PartError error={error} />}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  )
}

/** The browser remembers a script that could not be loaded, so only a reload of the page helps. */
function PartError({ error }: { error: unknown }) {
  const t = useT()
  return (
    <Notice as="div" tone="warning" role="alert">
      <p>{isLoadError(error) ? t('app.partNotLoaded') : errorMessage(error)}</p>
      <Buttons>
        <PlainButton onClick={() => location.reload()}>{t('app.reload')}</PlainButton>
      </Buttons>
    </Notice>
  )
}
