import { lazy, Suspense } from 'react'

const ClaimPanel = lazy(async () => ({ default: (await import('./claim-panel.tsx')).ClaimPanel }))

/** `ClaimPanel`, loaded after the page, because few parcels are insured. */
export function LazyClaim({ parcelId }: { parcelId: string }) {
  return (
    <Suspense fallback={null}>
      <ClaimPanel parcelId={parcelId} />
    </Suspense>
  )
}
