import { ErrorPanel } from '../../components/feedback/message-panel.tsx'

/** What the router shows where a page fails. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  return <ErrorPanel error={error} retry={reset} />
}
