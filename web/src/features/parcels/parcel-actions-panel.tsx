import { Button } from '@mantine/core'
import { Stack } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'

/** What is to happen with the parcel once it is complete. */
export type Intent = 'cart' | 'another' | 'pay' | 'save' | 'draft'

type Props = {
  /** The main one first. */
  intents: readonly [Intent, ...Intent[]]
  running: Intent | null
  act: (intent: Intent) => void
}

type Situation = {
  editing: boolean
  /** An order of it waits for its payment: somebody has come back from the checkout. */
  ordered: boolean
  mayPay: boolean
}

/** What can be done with the parcel, the main action first. */
export function listIntents({ editing, ordered, mayPay }: Situation): readonly [Intent, ...Intent[]] {
  if (editing && mayPay) return ordered ? ['pay', 'save', 'draft'] : ['save', 'pay', 'draft']
  if (editing) return ['save', 'draft']
  return mayPay ? ['pay', 'cart', 'another', 'draft'] : ['cart', 'another', 'draft']
}

/** The one main action first, then the others. */
export function ParcelFormActions({ intents, running, act }: Props) {
  const t = useT()
  const [main] = intents
  return (
    <Stack gap={8} style={{ marginBlockStart: 20 }}>
      {intents.map((intent) => (
        <Button
          key={intent}
          type={intent === main ? 'submit' : 'button'}
          fullWidth
          {...(intent === main ? { variant: 'filled', size: 'md' } : {})}
          {...(intent === 'another' ? { 'aria-keyshortcuts': 'Control+Enter', title: 'Ctrl + Enter' } : {})}
          loading={running === intent}
          disabled={running !== null && running !== intent}
          onClick={(event) => {
            // The form's submit by Enter means the main action too, so all of them go the same way.
            event.preventDefault()
            act(intent)
          }}
        >
          {t(`newParcel.action.${intent}`)}
        </Button>
      ))}
    </Stack>
  )
}
