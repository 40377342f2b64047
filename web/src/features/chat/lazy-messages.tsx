import { lazy, Suspense } from 'react'
import { Loading } from '../../components/feedback/loading.tsx'

const MessagesPanel = lazy(async () => ({ default: (await import('./messages-panel.tsx')).MessagesPanel }))

/** `MessagesPanel`, loaded after the page. */
export function LazyMessages({ id }: { id: string }) {
  return (
    <Suspense fallback={<Loading />}>
      <MessagesPanel id={id} />
    </Suspense>
  )
}
