import { type GunnyCheck, gunnyStatusLabels, type StaffGunny } from '@waybill/contract/parcels/gunny'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Row } from '../../../components/layout/boxes.tsx'
import { getTone, Mono, Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

/** After the end of a count, or if there is nothing to count: the field is for the next gunny. */
export function CountEnd({
  gunny,
  check,
  text,
  onScan,
}: {
  gunny: StaffGunny
  check: GunnyCheck | null
  text: string | undefined
  onScan: (numbers: readonly string[]) => void
}) {
  const t = useT()
  const label = useLabel()
  return (
    <>
      <ScanField label={t('gunnyStation.gunny')} action={t('gunnyStation.find')} onScan={onScan} />
      {check ? (
        <Result check={check} gunny={gunny} />
      ) : (
        <p>{text ?? t('gunnyStation.nothing', { status: label(gunnyStatusLabels, gunny.status) })}</p>
      )}
    </>
  )
}

/** The result of a count: complete, or the differences by number. */
function Result({ check, gunny }: { check: GunnyCheck; gunny: StaffGunny }) {
  const t = useT()
  const format = useFormat()
  const lines = [
    ['missing', check.missing],
    ['extra', check.extra],
    ['refused', check.refused.map(({ number }) => number)],
    ['unknown', check.unknown],
  ] as const
  const differing = lines.filter(([, numbers]) => numbers.length > 0)
  return (
    <Notice as="div" size="lg" tone={getTone(differing.length === 0)} role="status">
      <b>
        {t('gunnyStation.done', { number: format.trackingNumber(gunny.number), moved: format.number(check.moved) })}
      </b>
      <span>{t(differing.length === 0 ? 'gunnyStation.doneEven' : 'gunnyStation.doneDiffers')}</span>
      {differing.map(([name, numbers]) => (
        <Row key={name} gap="0 12px">
          <span>{t('phrase.label', { label: t(`gunnyPage.${name}`) })}</span>
          {numbers.map((number) => (
            <Mono key={number}>{format.trackingNumber(number)}</Mono>
          ))}
        </Row>
      ))}
    </Notice>
  )
}
