import { Button } from '@mantine/core'
import { Stack } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'

/** What happens to the parcel after it is saved. */
export type Intent = 'cart' | 'another' | 'pay' | 'save' | 'draft'

type Props = {
  /** The main action first. */
  intents: readonly [Intent, ...Intent[]]
  running: Intent | null
  act: (intent: Intent) => void
}

type Situation = {
  editing: boolean
  /** A complete draft goes into the cart; a parcel in the cart stays there. */
  isDraft: boolean
  /** An order of the parcel is unpaid: the user has come back from the checkout. */
  ordered: boolean
  mayPay: boolean
}

/** The possible actions, the main one first. */
export function listIntents({ editing, isDraft, ordered, mayPay }: Situation): readonly [Intent, ...Intent[]] {
  const save = isDraft ? 'cart' : 'save'
  if (editing && mayPay) return ordered ? ['pay', save, 'draft'] : [save, 'pay', 'draft']
  if (editing) return [save, 'draft']
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
            // Submitting by Enter is the main action too, so all actions share one handler.
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
