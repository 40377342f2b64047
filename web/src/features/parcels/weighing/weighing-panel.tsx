import { Button, Textarea } from '@mantine/core'
import { listOutstanding } from '@waybill/contract/parcels/outstanding'
import { getParcel, type ParcelDetail } from '@waybill/contract/parcels/parcels'
import {
  acceptWeighing,
  contestBody,
  contestWeighing,
  getWeighing,
  type Weighing,
} from '@waybill/contract/parcels/weighing'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { DraftNotice } from '../../../components/form/draft-notice.tsx'
import { fieldProps } from '../../../components/form/field-props.ts'
import { Buttons, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'
import { useCountdown } from '../../../lib/time/use-countdown.ts'
import { type Photo, PhotoField } from '../../attachments/shared/photo-field.tsx'
import { isReweighed, listWeighingFigures } from './weighing-figures.ts'
import { WeighingPhotos } from './weighing-photos.tsx'

/** The re-weighing at the station with its photos and, until the deadline, the buttons to accept or contest it. */
export function WeighingPanel({ parcel }: { parcel: ParcelDetail }) {
  const answer = useCall(getWeighing, { params: { id: parcel.id } }, { enabled: isReweighed(parcel) })
  const weighing = answer.data?.weighing
  return weighing ? <Shown parcel={parcel} weighing={weighing} /> : null
}

function Shown({ parcel, weighing }: { parcel: ParcelDetail; weighing: Weighing }) {
  const t = useT()
  const format = useFormat()
  const figures = listWeighingFigures(weighing)
  const [contesting, setContesting] = useState(false)
  const may = (action: ParcelDetail['allowedActions'][number]) => parcel.allowedActions.includes(action)
  return (
    <Panel gap={12} aria-labelledby="parcel-weighing">
      <h2 id="parcel-weighing">{t('weighing.title')}</h2>
      <p>{t(`weighing.state.${weighing.state}`)}</p>
      {weighing.contestUntil && may('contest_weight') && <Countdown until={weighing.contestUntil} />}
      {weighing.decisionNote && <p>{t('weighing.decision', { note: weighing.decisionNote })}</p>}
      <Row align="start" gap="16px 24px">
        <WeighingPhotos photo={weighing.photo} photos={weighing.photos} />
        <Facts style={{ flex: '1 1 240px' }}>
          {figures.declared !== null && <Fact label={t('weighing.declared')}>{format.weight(figures.declared)}</Fact>}
          <Fact label={t(figures.declared === null ? 'weighing.asDeclared' : 'weighing.measured')}>
            {format.weight(figures.measured)}
            {weighing.dimensions && <Quiet>{format.dimensions(weighing.dimensions)}</Quiet>}
            {weighing.scaleReading && weighing.scaleReading !== format.weight(figures.measured) && (
              <Quiet>
                {t('phrase.label', { label: t('fields.scaleReading') })}
                {weighing.scaleReading}
              </Quiet>
            )}
          </Fact>
          {figures.charged && (
            <Fact label={t('weighing.charged')}>
              {figures.charged.before !== null && `${format.weight(figures.charged.before)} → `}
              {format.weight(figures.charged.after)}
            </Fact>
          )}
          <Fact label={t('weighing.when')}>
            {format.dateTime(weighing.at)}
            {weighing.station && ` · ${weighing.station}`}
          </Fact>
          <Fact total label={t(weighing.differenceMinor < 0 ? 'weighing.givenBack' : 'weighing.difference')}>
            {format.money(Math.abs(weighing.differenceMinor), weighing.currency)}
          </Fact>
        </Facts>
      </Row>
      {weighing.reason && <Note>{t('weighing.yourReason', { reason: weighing.reason })}</Note>}
      <Buttons>
        {may('contest_weight') && !contesting && (
          <>
            <Accept parcel={parcel} />
            <Button onClick={() => setContesting(true)}>{t('weighing.contest')}</Button>
          </>
        )}
      </Buttons>
      {contesting && may('contest_weight') && <Contest parcel={parcel} onClose={() => setContesting(false)} />}
    </Panel>
  )
}

/** The time left for the sender in hours, and in minutes at the end. */
function Countdown({ until }: { until: string }) {
  const t = useT()
  const format = useFormat()
  const minutesLeft = Math.floor(useCountdown(Date.parse(until), serverNow) / 60)
  const time =
    minutesLeft >= 120
      ? t('weighing.hoursLeft', { count: Math.floor(minutesLeft / 60) })
      : t('weighing.minutesLeft', { count: minutesLeft })
  return <Note role="timer">{t('weighing.until', { time, at: format.dateTime(until) })}</Note>
}

function Accept({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const accept = useSend(() => call(acceptWeighing, { params: { id: parcel.id } }), {
    confirm: {
      title: t('weighing.acceptTitle'),
      message: t('weighing.acceptText'),
      action: t('weighing.accept'),
    },
    refresh: [getWeighing, getParcel, listOutstanding],
  })
  return (
    <Button onClick={() => void accept.send()} loading={accept.pending}>
      {t('weighing.accept')}
    </Button>
  )
}

function Contest({ parcel, onClose }: { parcel: ParcelDetail; onClose: () => void }) {
  const t = useT()
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [uploading, setUploading] = useState(false)
  const form = useContractForm({
    schema: contestBody,
    initial: { reason: '', photoIds: [] as string[] },
    prepare: (values) => ({ ...values, photoIds: photos.map(({ id }) => id) }),
    draftKey: `contest:${parcel.id}`,
    onSubmit: (body) => call(contestWeighing, { params: { id: parcel.id }, body }),
    refresh: [getWeighing, getParcel, listOutstanding],
    success: t('weighing.contested'),
    onSuccess: onClose,
  })
  const reason = form.field('reason')
  return (
    <Stack {...form.props} as="form">
      <DraftNotice form={form} />
      <Textarea
        {...fieldProps(reason)}
        value={reason.value}
        onChange={(event) => reason.onChange(event.currentTarget.value)}
        minRows={3}
        autosize
        autoFocus
        description={t('weighing.reasonHelp')}
      />
      <PhotoField
        label={t('fields.photoIds')}
        help={t('weighing.photosHelp')}
        purpose="dispute_photo"
        value={photos}
        onChange={setPhotos}
        onBusy={setUploading}
        most={6}
      />
      <Buttons>
        <Button type="submit" variant="filled" loading={form.submitting || uploading}>
          {t('weighing.send')}
        </Button>
        <Button onClick={onClose}>{t('actions.cancel')}</Button>
      </Buttons>
    </Stack>
  )
}
