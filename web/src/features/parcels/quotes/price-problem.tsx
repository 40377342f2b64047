import { Button } from '@mantine/core'
import { Row } from '../../../components/layout/boxes.tsx'
import { ErrorText } from '../../../components/layout/text.tsx'
import { errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import type { Quotes } from './use-quotes.ts'

/** Why there are no prices, and a button that requests them again. */
export function PriceProblem({ quotes }: { quotes: Quotes }) {
  const t = useT()
  return (
    <Row role="alert">
      <ErrorText as="span">{errorMessage(quotes.error)}</ErrorText>
      <Button size="compact-sm" onClick={quotes.retry}>
        {t('actions.tryAgain')}
      </Button>
    </Row>
  )
}
