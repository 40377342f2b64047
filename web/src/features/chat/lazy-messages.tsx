import { lazy } from 'react'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'
import { Loading } from '../../components/feedback/loading.tsx'

const MessagesPanel = lazy(async () => ({ default: (await import('./messages-panel.tsx')).MessagesPanel }))

/** `MessagesPanel`, loaded after the page. */
export function LazyMessages({ id }: { id: string }) {
  return (
    <LazyPart fallback={<Loading />}>
      <MessagesPanel id={id} />
    </LazyPart>
  )
}
