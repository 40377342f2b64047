import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { isLoadError } from '../../lib/browser/load-errors.ts'

/** Shown by the router when a page throws. The browser tries to load a part of the page again only after a reload. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  return <ErrorPanel error={error} retry={isLoadError(error) ? () => location.reload() : reset} />
}
