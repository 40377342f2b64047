import { lazy } from 'react'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'

const ClaimPanel = lazy(async () => ({ default: (await import('./claim-panel.tsx')).ClaimPanel }))

/** `ClaimPanel`, loaded after the page, because few parcels are insured. */
export function LazyClaim({ parcelId }: { parcelId: string }) {
  return (
    <LazyPart>
      <ClaimPanel parcelId={parcelId} />
    </LazyPart>
  )
}
