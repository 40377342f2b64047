import { Button } from '@mantine/core'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { Buttons, Panel, Row } from '../../../components/layout/boxes.tsx'
import { Mono, Note, Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from '../scanning/scan.module.css'

/** A bag or a gunny whose seal has to be read. */
export type SealQuestion = {
  /** The code as it was scanned. */
  code: string
  kind: 'bag' | 'gunny'
  number: string
  /** The seal on record; null: it has none, or it is unknown. */
  seal: string | null
  /** Another seal that was typed or scanned. */
  reading: string | null
}

type Props = {
  question: SealQuestion
  onAnswer: (reading: 'intact' | 'opened') => void
  onCancel: () => void
}

/**
 * Asks for the seal of a bag or gunny. It is scanned or typed into the field above, which keeps the focus, or answered
 * by a button or its number.
 */
export function SealQuestionPanel({ question: { kind, number, seal, reading }, onAnswer, onCancel }: Props) {
  const t = useT()
  const format = useFormat()
  // Another seal was read: only the other way remains likely.
  const isIntactMain = seal !== null && reading === null
  const other = isIntactMain ? 'default' : 'filled'
  const keys = seal === null ? { other: 1 } : { intact: 1, other: 2 }
  return (
    <Panel style={{ marginBlockEnd: 24 }} aria-label={t(`tripPage.sealOf.${kind}`)}>
      <Row as="h2" gap="0 12px">
        <span>{t(`tripPage.sealOf.${kind}`)}</span>
        <Mono>{format.trackingNumber(number)}</Mono>
      </Row>
      {reading !== null && seal !== null && (
        <Notice tone="danger" role="alert">
          {t('tripPage.sealRead', { reading, seal })}
        </Notice>
      )}
      <Buttons className={classes.actions}>
        {seal !== null && (
          <Button
            size="lg"
            variant={isIntactMain ? 'filled' : 'default'}
            leftSection={<Key position={1} />}
            onClick={() => onAnswer('intact')}
          >
            {t('tripPage.sealIntact', { seal })}
          </Button>
        )}
        {kind === 'bag' ? (
          <Button
            size="lg"
            variant={other}
            leftSection={<Key position={keys.other} />}
            onClick={() => onAnswer('opened')}
          >
            {t('tripPage.openBag')}
          </Button>
        ) : (
          <ButtonLink
            size="lg"
            variant={other}
            leftSection={<Key position={keys.other} />}
            to="/staff/gunny"
            search={{ no: number }}
          >
            {t('tripPage.countGunny')}
          </ButtonLink>
        )}
        <Button size="lg" variant="subtle" onClick={onCancel}>
          {t('actions.cancel')}
        </Button>
      </Buttons>
      <Note>{t(`tripPage.sealHelp.${kind}`)}</Note>
    </Panel>
  )
}

function Key({ position }: { position: number }) {
  return (
    <kbd className={classes.key} aria-hidden>
      {position}
    </kbd>
  )
}
