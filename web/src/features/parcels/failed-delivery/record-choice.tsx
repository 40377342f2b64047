import { Button } from '@mantine/core'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import {
  getStaffDeliveryChoice,
  recordDeliveryChoice,
  type StaffDeliveryChoice,
} from '@waybill/contract/parcels/failed-delivery'
import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import { ChoiceDetails, useChoiceDetails } from './choice-details.tsx'

/** The button with which staff record a delivery choice on behalf of the sender or the receiver. */
export function RecordChoice({ parcelId }: { parcelId: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{t('staffChoice.open')}</Button>
      {open && <ChoiceDialog parcelId={parcelId} onClose={() => setOpen(false)} />}
    </div>
  )
}

type DialogProps = { parcelId: string; onClose: () => void }
type Person = BodyOf<typeof recordDeliveryChoice>['by']

function ChoiceDialog({ parcelId, onClose }: DialogProps) {
  const t = useT()
  // Most people who call are receivers who were not at home.
  const [by, setBy] = useState<Person>('receiver')
  const query = { params: { id: parcelId }, query: { by } }
  const answer = useCall(getStaffDeliveryChoice, query, { staleTime: 0, keepPrevious: true })
  if (answer.data) return <ChoiceForm {...{ parcelId, onClose, by, setBy }} choice={answer.data} />
  return (
    <Dialog title={t('staffChoice.title')} onClose={onClose}>
      {answer.error ? <ErrorPanel error={answer.error} retry={() => void answer.refetch()} /> : <Loading />}
    </Dialog>
  )
}

type FormProps = DialogProps & { by: Person; setBy: (by: Person) => void; choice: StaffDeliveryChoice }

function ChoiceForm({ parcelId, onClose, by, setBy, choice }: FormProps) {
  const t = useT()
  const callOnce = useCallOnce()
  const details = useChoiceDetails(choice)
  const options = choice.options.filter(({ open }) => open)
  const form = useContractForm({
    schema: recordDeliveryChoice.body,
    initial: { kind: '' },
    prepare: ({ kind }) => ({ by, kind, ...details.sentFor(kind) }),
    onSubmit: (body) => callOnce(recordDeliveryChoice, { params: { id: parcelId }, body }),
    refresh: [staffParcelByNumber, getStaffDeliveryChoice],
    // The sender or the receiver may have chosen meanwhile: the page then shows it.
    refreshOnError: [staffParcelByNumber, getStaffDeliveryChoice],
    success: t('staffChoice.done'),
    onSuccess: onClose,
  })
  const kind = form.field('kind', t('staffChoice.what'))
  function changePerson(value: string) {
    setBy(value as Person)
    // It may be closed for the other one.
    form.set('kind', '')
  }
  return (
    <SaveDialog title={t('staffChoice.title')} onClose={onClose} form={form} save={t('staffChoice.save')}>
      <Note>{t('staffChoice.hint')}</Note>
      <ChoiceCards
        legend={t('staffChoice.by')}
        name="by"
        layout="row"
        value={by}
        onChange={changePerson}
        choices={[
          { value: 'receiver', title: t('staffChoice.byReceiver') },
          { value: 'sender', title: t('staffChoice.bySender') },
        ]}
      />
      {options.length > 0 ? (
        <ChoiceCards
          legend={t('staffChoice.what')}
          name="kind"
          value={kind.value}
          onChange={kind.onChange}
          error={kind.error}
          choices={options.map((option) => ({ value: option.kind, title: t(`deliveryChoice.kind.${option.kind}`) }))}
        />
      ) : (
        <p>{t('staffChoice.nothing')}</p>
      )}
      <ChoiceDetails kind={kind.value} choice={choice} details={details} />
    </SaveDialog>
  )
}
