import { CounterPage } from '../../features/parcels/counter/counter-page.tsx'
import { ReweighForm } from '../../features/parcels/weighing/reweigh-form.tsx'

/** The counter, with the form for re-weighing a parcel. */
export function StaffCounterPage() {
  return (
    <CounterPage
      weighing={(parcel, { onDone: done, onCancel: cancel }) => (
        <ReweighForm parcel={parcel} onDone={done} onCancel={cancel} />
      )}
    />
  )
}
