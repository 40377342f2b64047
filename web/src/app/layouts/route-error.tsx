import { ErrorPanel } from '../../components/feedback/message-panel.tsx'

/** Shown by the router when a page throws. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  return <ErrorPanel error={error} retry={reset} />
}
