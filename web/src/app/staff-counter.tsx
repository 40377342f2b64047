import { CounterPage } from '../features/scans/counter-page.tsx'
import { ReweighForm } from '../features/weighing/reweigh-form.tsx'

/** The counter, with the one form by which a parcel is weighed again. */
export function StaffCounterPage() {
  return (
    <CounterPage
      weighing={(parcel, { done, cancel }) => <ReweighForm parcel={parcel} onDone={done} onCancel={cancel} />}
    />
  )
}
