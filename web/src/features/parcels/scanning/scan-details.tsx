import { Button } from '@mantine/core'
import { findAddressee } from '@waybill/contract/ground/status/parcel-status'
import { failureReasons } from '@waybill/contract/parcels/failed-delivery'
import { idDocuments, type ScanEvent, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { type ComponentType, type ReactNode, useMemo, useState } from 'react'
import { Remarks } from '../../../components/display/remarks.tsx'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import type { SendOptions } from '../../../components/feedback/use-send.ts'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { SignaturePad } from '../../../components/fields/signature-pad.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { type ContractForm, useContractForm } from '../../../components/form/contract-form.ts'
import { DraftNotice } from '../../../components/form/draft-notice.tsx'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Mono, Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { type Photo, PhotoField } from '../../attachments/shared/photo-field.tsx'
import { type CashAnswer, cashAnswers, createDetailsSchema, findCash, type KnownCash } from './scan-details-schema.ts'
import { NextStation } from './station-choice.tsx'

export type ScanDetails = {
  nextStationId?: string
  recipientName?: string
  signaturePath?: string
  photoIds?: string[]
  idDocument?: (typeof idDocuments)[number]
  idLast4?: string
  codCollectedMinor?: number
  failureReason?: (typeof failureReasons)[number]
  note?: string | null
  takeOver?: { reason: string }
}

type Values = {
  nextStationId: string | null
  recipientName: string
  signaturePath: string
  idDocument: string | null
  idLast4: string
  paid: boolean
  cashAnswer: string | null
  cashMinor: number | null
  failureReason: string | null
  note: string
}

const blank: Values = {
  nextStationId: null,
  recipientName: '',
  signaturePath: '',
  idDocument: null,
  idLast4: '',
  paid: false,
  cashAnswer: null,
  cashMinor: null,
  failureReason: null,
  note: '',
}

/** Entered again after a reload: an identity, and that the cash is there. */
const unkeptFields: readonly (keyof Values)[] = ['idLast4', 'paid', 'cashAnswer', 'cashMinor']

type Props = {
  event: ScanEvent
  number: string
  /** The details of an earlier attempt to report the same scan. */
  before?: ScanDetails
  /** The cash to collect, if it is known before the look-up: without a connection there is no other source. */
  cash?: KnownCash
  /** The proof is for several parcels: each needs the signature, as a photo belongs to one parcel only. */
  forSeveral?: boolean
  /** Sends the details. Errors are shown at their fields. */
  onDone: (details: ScanDetails) => unknown
  sending?: Pick<SendOptions<[unknown], unknown>, 'refresh' | 'refreshOnError' | 'success' | 'onSuccess' | 'onError'>
  onCancel: () => void
}

/** `ScanDetailsForm` as a framed part of a page. */
export function ScanDetailsPanel(props: Props) {
  const t = useT()
  const format = useFormat()
  const event = t(`scanPage.event.${props.event}`)
  return (
    <Panel style={{ marginBlock: '16px 24px' }} aria-label={event}>
      <h2>
        {event} · <Mono>{format.trackingNumber(props.number)}</Mono>
      </h2>
      <div style={{ maxWidth: 640 }}>
        <ScanDetailsForm {...props} />
      </div>
    </Panel>
  )
}

/** `ScanDetailsForm` in a dialog. `children` stand above it. */
export function ScanDetailsDialog({ children, ...props }: Props & { children?: ReactNode }) {
  const t = useT()
  const format = useFormat()
  const number = format.trackingNumber(props.number)
  const title = t('phrase.labelled', { label: t(`scanPage.event.${props.event}`), value: number })
  return (
    <Dialog title={title} shape="wide" onClose={props.onCancel}>
      <Stack>
        {children}
        <ScanDetailsForm {...props} foot={DialogFoot} />
      </Stack>
    </Dialog>
  )
}

function toValues({
  nextStationId,
  recipientName,
  signaturePath,
  idDocument,
  idLast4,
  failureReason,
  note,
}: ScanDetails): Values {
  return {
    ...blank,
    nextStationId: nextStationId ?? null,
    recipientName: recipientName ?? '',
    signaturePath: signaturePath ?? '',
    idDocument: idDocument ?? null,
    idLast4: idLast4 ?? '',
    failureReason: failureReason ?? null,
    note: note ?? '',
  }
}

/** `foot` contains the buttons. */
type FormProps = Props & { foot?: ComponentType<{ children: ReactNode }> }

/**
 * The details of a scan: the next station, the recipient with proof and cash, or the reason of a failed delivery.
 */
function ScanDetailsForm({
  event,
  number,
  before = {},
  cash: knownCash,
  forSeveral = false,
  onDone,
  sending = {},
  onCancel,
  foot: Foot = Buttons,
}: FormProps) {
  const t = useT()
  const format = useFormat()
  const handOver = event === 'delivered' || event === 'handed_over' || event === 'return_received'
  const parcel = useCall(staffParcelByNumber, { params: { no: number } }, { enabled: handOver })
  const { cash, due, currency } = findCash(event, parcel.data, knownCash)
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [uploading, setUploading] = useState(false)
  const hasEnoughPhotos = photos.length > 0 && !forSeveral
  const schema = useMemo(() => createDetailsSchema(event, hasEnoughPhotos, cash), [event, hasEnoughPhotos, cash])
  const form = useContractForm({
    ...sending,
    schema,
    initial: toValues(before),
    draftKey: `scan:${event}:${number}`,
    secret: unkeptFields,
    onSubmit: (details) => {
      const {
        paid: _,
        cashAnswer,
        cashMinor,
        signaturePath,
        ...rest
      } = details as ScanDetails & Partial<CashAnswer> & { paid?: boolean }
      const collected = due > 0 ? due : cashAnswer === 'collected' ? cashMinor : null
      return onDone({
        ...rest,
        ...(signaturePath ? { signaturePath } : {}),
        ...(handOver || event === 'attempt_failed' ? { photoIds: photos.map(({ id }) => id) } : {}),
        ...(collected ? { codCollectedMinor: collected } : {}),
      })
    },
  })
  const photoField = {
    label: t('scanPage.photos'),
    purpose: 'proof_photo',
    value: photos,
    onChange: setPhotos,
    onBusy: setUploading,
  } as const
  const signature = form.field('signaturePath', t('scanPage.signature'))
  const paidField = form.field('paid', t('scanPage.cash', { amount: format.money(due, currency) }))
  return (
    <Stack {...form.props} as="form">
      <DraftNotice form={form} />
      <Remarks text={parcel.data && findAddressee(parcel.data)?.remarks} />
      {event === 'departed' ? (
        <NextStation field={form.field('nextStationId', t('scanPage.nextStation'))} />
      ) : event === 'attempt_failed' ? (
        <>
          <RadioField
            field={form.field('failureReason', t('scanPage.reason'))}
            choices={failureReasons.map((value) => ({ value: value as string, label: t(`failureReason.${value}`) }))}
            min={220}
          />
          <TextField field={form.field('note', t('scanPage.note'))} />
          <PhotoField
            {...photoField}
            help={t(forSeveral ? 'scanPage.attemptPhotosHelpSeveral' : 'scanPage.attemptPhotosHelp')}
          />
        </>
      ) : (
        <>
          {due > 0 && (
            <CheckboxField
              field={{ ...paidField, error: paidField.error && t('scanPage.cashMust') }}
              {...(!paidField.error && { help: t('scanPage.cashMust') })}
            />
          )}
          {cash === 'unknown' && !parcel.isLoading && <UnknownCash form={form} />}
          <TextField field={form.field('recipientName', t('scanPage.recipient'))} autoFocus autoComplete="off" />
          {event === 'handed_over' && (
            <>
              <RadioField
                field={form.field('idDocument', t('scanPage.idDocument'))}
                choices={idDocuments.map((value) => ({ value: value as string, label: t(`idDocument.${value}`) }))}
                min={140}
              />
              <TextField field={form.field('idLast4', t('scanPage.idLast4'))} maxLength={4} autoComplete="off" />
            </>
          )}
          <SignaturePad
            label={signature.label}
            value={signature.value}
            onChange={signature.onChange}
            error={signature.error}
            required={!hasEnoughPhotos}
          />
          <PhotoField {...photoField} help={t(forSeveral ? 'scanPage.photosHelpSeveral' : 'scanPage.photosHelp')} />
        </>
      )}
      <Foot>
        <Button
          size="lg"
          onClick={() => {
            form.reset()
            onCancel()
          }}
        >
          {t('actions.cancel')}
        </Button>
        <Button type="submit" variant="filled" size="lg" loading={form.submitting || uploading || parcel.isLoading}>
          {t('scanPage.report')}
        </Button>
      </Foot>
    </Stack>
  )
}

/** The question about cash when the parcel could not be looked up. The server checks the answer. */
function UnknownCash({ form }: { form: ContractForm<Values> }) {
  const t = useT()
  return (
    <>
      <Notice tone="waiting" role="note">
        {t('scanPage.cashUnknown')}
      </Notice>
      <RadioField
        field={form.field('cashAnswer', t('scanPage.cashQuestion'))}
        choices={cashAnswers.map((value) => ({ value: value as string, label: t(`scanPage.cashAnswer.${value}`) }))}
      />
      {form.values.cashAnswer === 'collected' && (
        <MoneyField field={{ ...form.field('cashMinor', t('scanPage.cashAmount')), required: true }} />
      )}
    </>
  )
}
