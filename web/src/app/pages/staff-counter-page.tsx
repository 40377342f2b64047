import { CounterPage } from '../../features/parcels/counter/counter-page.tsx'
import { ReweighForm } from '../../features/parcels/weighing/reweigh-form.tsx'

/** The counter, with the one form by which a parcel is weighed again. */
export function StaffCounterPage() {
  return (
    <CounterPage
      weighing={(parcel, { onDone: done, onCancel: cancel }) => (
        <ReweighForm parcel={parcel} onDone={done} onCancel={cancel} />
      )}
    />
  )
}
